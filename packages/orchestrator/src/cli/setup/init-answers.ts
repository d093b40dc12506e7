import {existsSync} from 'node:fs';
import {resolve} from 'node:path';
import type {AgentKind} from '@symphony-supervisor/protocol';
import {AGENT_PROFILES} from '@symphony-supervisor/protocol/workflow';
import type {Wishes} from './workflow-text.ts';

/** A usable answer as it will be written, or what is wrong with it. */
export type Judged<T extends string = string> =
  | {readonly ok: true; readonly value: T}
  | {readonly ok: false; readonly why: string};

const GITHUB_REPOSITORY = /^[\w.-]+\/[\w.-]+$/;
const LINEAR_ADDRESS = /^https:\/\/linear\.app\/[^/]+\/project\/([^/?#]+)/;
/** A URL, `user@host:path` or `host:path`. */
const CLONE_ADDRESS = /^([a-z][a-z0-9+.-]*:\/\/\S+|([\w.-]+@)?[\w.-]+:\S+)$/i;

export function judgeAgent(given: string): Judged<AgentKind> {
  const kinds = Object.keys(AGENT_PROFILES) as AgentKind[];
  const kind = kinds.find((known) => known === given);
  if (kind !== undefined) return {ok: true, value: kind};
  return {ok: false, why: `there is no agent "${given}"; give ${kinds.join(' or ')}`};
}

export function judgeProject(tracker: Wishes['tracker'], given: string): Judged {
  if (tracker === 'github') {
    const value = given.replace(/^https:\/\/github\.com\/([^/]+\/[^/]+?)(\.git)?\/?$/, '$1');
    if (GITHUB_REPOSITORY.test(value)) return {ok: true, value};
    return {ok: false, why: `"${given}" is not a repository; give owner/repository`};
  }
  const value = LINEAR_ADDRESS.exec(given)?.[1] ?? given;
  if (/^[\w-]+$/.test(value)) return {ok: true, value};
  const why = `"${given}" is not a slug; give the last part of the project's address, as in web-0c79b11b75ea`;
  return {ok: false, why};
}

/** A path is made absolute: hooks run in the workspace, where a relative one leads nowhere. */
export function judgeRepository(given: string, tracker: Wishes['tracker'] = 'file'): Judged {
  if (CLONE_ADDRESS.test(given)) return {ok: true, value: given};
  const path = resolve(given.replace(/^~(?=\/|$)/, process.env.HOME ?? '~'));
  if (existsSync(path)) return {ok: true, value: path};
  const meant = GITHUB_REPOSITORY.test(given)
    ? `; did you mean git@github.com:${given}.git${tracker === 'github' ? '' : ' or the like'}?`
    : '';
  return {
    ok: false,
    why: `"${given}" is neither an address nor a folder; give the argument of git clone${meant}`,
  };
}
