import type {ToolResult} from '@symphony-supervisor/protocol';
import {type DocumentNode, GraphQLError, Kind, type OperationDefinitionNode, parse} from 'graphql';
import {excerpt} from '../http/verdict.ts';
import {refused} from '../update/update-tool.ts';
import type {LinearApi} from './api.ts';

// Loaded when the tool is called, because it brings a GraphQL parser.

/** More than an agent can read; the limit also applies to the document. */
const MAX_RESULT_CHARACTERS = 200_000;
const MAX_TOKENS = 5_000;

export async function callRawTool(
  api: LinearApi,
  query: string,
  variables: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<ToolResult> {
  const operation = onlyOperation(query);
  if (typeof operation === 'string') return refused('invalid_arguments', operation);
  const isQuery = operation.operation === 'query';
  const {data, errors} = await api.raw(query, variables, isQuery, signal);
  const wrote = !isQuery && hasResult(data);
  const content = {
    data,
    ...(errors.length === 0 ? {} : {errors: errors.map(({message, path}) => ({message, path}))}),
  };
  const text = JSON.stringify(content);
  if (text.length > MAX_RESULT_CHARACTERS) {
    const message = `the response has ${text.length} characters; request less (at most ${MAX_RESULT_CHARACTERS})`;
    return {...refused('result_too_large', message), wrote};
  }
  return {success: errors.length === 0, content: JSON.parse(text), wrote};
}

/** Several operations would be ambiguous, and a subscription never ends. */
function onlyOperation(query: string): OperationDefinitionNode | string {
  let document: DocumentNode;
  try {
    document = parse(query, {maxTokens: MAX_TOKENS});
  } catch (error) {
    const reason = error instanceof GraphQLError ? error.message : String(error);
    return `query is not GraphQL: ${excerpt(reason)}`;
  }
  const operations = document.definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION ? definition : [],
  );
  const [operation] = operations;
  if (operation === undefined || operations.length > 1) {
    return `query must hold exactly one operation, not ${operations.length}`;
  }
  if (operation.operation === 'subscription') return 'query must not be a subscription';
  return operation;
}

function hasResult(data: unknown): boolean {
  if (typeof data !== 'object' || data === null) return false;
  return Object.values(data).some((value) => value !== null);
}
