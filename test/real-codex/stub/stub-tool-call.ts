import type {ModelRequest} from './model-request.ts';
import type {Step} from './stub-step.ts';

type CallStep = Extract<Step, {is: 'shell' | 'patch' | 'tool'}>;

type ToolCallItem =
  | {
      readonly type: 'function_call';
      readonly id: string;
      readonly call_id: string;
      readonly name: string;
      readonly namespace?: string;
      readonly arguments: string;
    }
  | {
      readonly type: 'custom_tool_call';
      readonly id: string;
      readonly call_id: string;
      readonly name: string;
      readonly namespace?: string;
      readonly input: string;
    };

/** The call as the model that Codex talks to would make it: by the tools that it was offered. */
export function toolCall(step: CallStep, request: ModelRequest): ToolCallItem {
  switch (step.is) {
    case 'shell':
      return shellCall(step, request);
    case 'patch': {
      const declared = request.tools.find(({name}) => name === 'apply_patch');
      if (declared === undefined) throw notDeclared('apply_patch', request);
      return declared.type === 'custom'
        ? customCall(request, 'apply_patch', step.patch)
        : functionCall(request, 'apply_patch', {input: step.patch});
    }
    case 'tool': {
      // An undeclared tool is called all the same: how Codex takes that is worth a test.
      const declared = request.tools.find(
        ({name, namespace}) => name === step.name && namespace === step.namespace,
      );
      return declared?.type === 'custom'
        ? customCall(request, step.name, String(step.input), step.namespace)
        : functionCall(request, step.name, step.input, step.namespace);
    }
  }
}

function shellCall(step: Extract<Step, {is: 'shell'}>, request: ModelRequest): ToolCallItem {
  const escalation =
    step.escalation === null
      ? {}
      : {sandbox_permissions: 'require_escalated', justification: step.escalation};
  const declared = new Set(request.tools.map(({name}) => name));
  if (declared.has('exec_command'))
    return functionCall(request, 'exec_command', {cmd: step.command, ...escalation});
  if (declared.has('shell_command'))
    return functionCall(request, 'shell_command', {command: step.command, ...escalation});
  throw notDeclared('exec_command', request);
}

function functionCall(
  {index}: ModelRequest,
  name: string,
  args: unknown,
  namespace: string | null = null,
): ToolCallItem {
  return {
    type: 'function_call',
    id: `fc_${index}`,
    call_id: `call_${index}`,
    name,
    ...(namespace === null ? {} : {namespace}),
    arguments: JSON.stringify(args),
  };
}

function customCall(
  {index}: ModelRequest,
  name: string,
  input: string,
  namespace: string | null = null,
): ToolCallItem {
  return {
    type: 'custom_tool_call',
    id: `ctc_${index}`,
    call_id: `call_${index}`,
    name,
    ...(namespace === null ? {} : {namespace}),
    input,
  };
}

function notDeclared(name: string, {tools}: ModelRequest): Error {
  const offered = tools.map((tool) => tool.name).join(', ') || 'none';
  return new Error(`the request declares no ${name}; its tools: ${offered}`);
}
