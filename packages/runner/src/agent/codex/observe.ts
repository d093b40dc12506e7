import {asText} from '../../transcript/as-text.ts';
import type {Observation} from '../progress.ts';
import {ErrorNotice, ItemNotice} from './wire/messages.ts';

const SILENT: Observation = {event: null, message: null, isSignOfLife: true};

/** Reads one notification. Deltas, which are nearly all of them, never come here. */
export function observe(method: string, params: Record<string, unknown>): Observation {
  switch (method) {
    case 'error':
      return observeError(params);
    case 'item/started':
    case 'item/completed':
      return said(itemText(params));
    case 'turn/plan/updated':
      return said('updated its plan');
    case 'warning':
    case 'configWarning':
    case 'deprecationNotice':
      return said(firstText(params.message, params.summary, params.details));
    default:
      return {...SILENT, event: 'notification'};
  }
}

function said(message: string | null): Observation {
  return {event: 'notification', message, isSignOfLife: true};
}

function observeError(params: Record<string, unknown>): Observation {
  const notice = ErrorNotice.safeParse(params);
  if (!notice.success) return {event: 'other_message', message: null, isSignOfLife: true};
  const {error, willRetry} = notice.data;
  return {
    event: willRetry ? 'notification' : 'turn_ended_with_error',
    message: error.message ?? null,
    isSignOfLife: !willRetry,
  };
}

function itemText(params: Record<string, unknown>): string | null {
  const notice = ItemNotice.safeParse(params);
  if (!notice.success) return null;
  const {item} = notice.data;
  switch (item.type) {
    case 'agentMessage':
    case 'plan':
      return firstText(item.text);
    case 'reasoning':
      return Array.isArray(item.summary) ? firstText(item.summary.at(-1)) : null;
    case 'commandExecution':
      return typeof item.exitCode === 'number' && item.exitCode !== 0
        ? `$ ${asText(item.command)} (exit ${item.exitCode})`
        : `$ ${asText(item.command)}`;
    case 'fileChange':
      return `changed ${changedPaths(item.changes)}`;
    case 'mcpToolCall':
    case 'dynamicToolCall':
      return `called ${asText(item.tool)}`;
    case 'webSearch':
      return `searched for ${asText(item.query)}`;
    default:
      return null;
  }
}

function changedPaths(changes: unknown): string {
  if (!Array.isArray(changes)) return 'files';
  return changes
    .map((change: unknown) =>
      typeof change === 'object' && change !== null && 'path' in change ? asText(change.path) : '?',
    )
    .join(', ');
}

function firstText(...candidates: unknown[]): string | null {
  for (const candidate of candidates) {
    if (typeof candidate === 'string' && candidate.trim() !== '') return candidate;
  }
  return null;
}
