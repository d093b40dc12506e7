import {NO_USAGE, type ToolSpec, type Usage} from '@symphony-supervisor/protocol';
import type {Session} from '../recording.ts';
import {at, textAt} from './dig.ts';

// What the job must have been for a session to go as it went.

/** As it was asked for, else as Codex chose: an echo that differs from the job ends a run. */
export function approvalPolicyOf(session: Session): string | Record<string, never> {
  const policy = opening(session, 'approvalPolicy', ['approvalPolicy']) ?? 'never';
  return policy as string | Record<string, never>;
}

export function sandboxOf(session: Session): string {
  const sandbox = String(opening(session, 'sandbox', ['sandbox', 'type']) ?? 'workspace-write');
  return sandbox.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function opening(session: Session, asked: string, echoed: readonly string[]): unknown {
  const requests = session.flatMap((entry) =>
    entry.is === 'client-request' && /^thread\/(start|resume)$/.test(entry.method) ? [entry] : [],
  );
  const echoes = session.flatMap((entry) =>
    entry.is === 'said' && requests.some(({id}) => id === entry.message.id)
      ? [at(entry.message.result, ...echoed)]
      : [],
  );
  const candidates = [...requests.map(({params}) => at(params, asked)), ...echoes];
  return candidates.find((candidate) => candidate !== undefined);
}

/** The tools that were offered; those in a namespace too, for we have none. */
export function toolsOf(session: Session): ToolSpec[] {
  const tools = session.flatMap((entry) =>
    entry.is === 'client-request' ? listAt(entry.params, 'dynamicTools') : [],
  );
  return tools
    .flatMap((tool) => (at(tool, 'type') === 'namespace' ? listAt(tool, 'tools') : [tool]))
    .map((tool) => ({
      name: textAt(tool, 'name') ?? '',
      description: textAt(tool, 'description') ?? '',
      input_schema: (at(tool, 'inputSchema') ?? {}) as ToolSpec['input_schema'],
    }));
}

/** The conversation that a session goes on with, and what had been counted of it; null: a new one. */
export function resumedThread(session: Session): {id: string; usage: Usage} | null {
  const begin = session.findIndex(
    (entry) => entry.is === 'client-request' && /^thread\/(start|resume)$/.test(entry.method),
  );
  const request = session[begin];
  if (request?.is !== 'client-request' || request.method !== 'thread/resume') return null;
  const turn = session.findIndex(
    (entry) => entry.is === 'client-request' && entry.method === 'turn/start',
  );
  const replayed = session
    .slice(begin, turn === -1 ? session.length : turn)
    .flatMap((entry) =>
      entry.is === 'said' && entry.message.method === 'thread/tokenUsage/updated'
        ? [at(entry.message.params, 'tokenUsage', 'total')]
        : [],
    );
  const total = replayed.at(-1);
  return {
    id: textAt(request.params, 'threadId') ?? '',
    usage: total === undefined ? NO_USAGE : usageOf(total),
  };
}

/** Codex's words → ours. */
export function usageOf(total: unknown): Usage {
  const tokens = (field: string): number => Number(at(total, field) ?? 0);
  return {
    input_tokens: tokens('inputTokens'),
    cached_input_tokens: tokens('cachedInputTokens'),
    output_tokens: tokens('outputTokens'),
    reasoning_output_tokens: tokens('reasoningOutputTokens'),
    // Not Codex's own total: when a conversation outgrows the model it is set to the model's limit.
    total_tokens: tokens('inputTokens') + tokens('outputTokens'),
  };
}

function listAt(value: unknown, key: string): unknown[] {
  const list = at(value, key);
  return Array.isArray(list) ? list : [];
}
