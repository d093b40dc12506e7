import type {IssueView, RunView} from '@symphony-supervisor/protocol';
import {pageKeyHeader} from './session.ts';

/** An error response, with the server's message. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const SLOW_MS = 20_000;

export async function errorOf(response: Response): Promise<ApiError> {
  try {
    const {error} = (await response.json()) as {error: {code: string; message: string}};
    return new ApiError(response.status, error.code, error.message);
  } catch {
    const told = `the supervisor answered ${response.status} ${response.statusText}`;
    return new ApiError(response.status, 'unknown', told.trim());
  }
}

async function ask<T>(path: string, body?: object): Promise<T> {
  const response = await fetch(path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...pageKeyHeader(),
      ...(body === undefined ? {} : {'content-type': 'application/json'}),
    },
    ...(body === undefined ? {} : {body: JSON.stringify(body)}),
    signal: AbortSignal.timeout(SLOW_MS),
  });
  if (!response.ok) throw await errorOf(response);
  return (await response.json()) as T;
}

export interface IssueName {
  readonly project: string;
  readonly issue_identifier: string;
}

function issuePath({project, issue_identifier: identifier}: IssueName, order = ''): string {
  const path = `api/v1/issues/${encodeURIComponent(identifier)}${order}`;
  return `${path}?project=${encodeURIComponent(project)}`;
}

export function fetchIssue(name: IssueName): Promise<IssueView> {
  return ask(issuePath(name));
}

export async function fetchRuns(limit: number): Promise<RunView[]> {
  return (await ask<{runs: RunView[]}>(`api/v1/runs?limit=${limit}`)).runs;
}

export type Order = 'stop' | 'retry' | 'restart' | 'dismiss' | 'clean';

export function orderIssue(
  name: IssueName,
  order: Order,
  message: string | null,
): Promise<unknown> {
  return ask(issuePath(name, `/${order}`), message === null ? {} : {message});
}

export function direct(command: 'pause' | 'resume', project: string | null): Promise<unknown> {
  return ask(`api/v1/${command}`, project === null ? {} : {project});
}

export function refresh(): Promise<unknown> {
  return ask('api/v1/refresh', {});
}
