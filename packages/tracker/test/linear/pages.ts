import type {Fault} from '../servers/fault-proxy.ts';
import {aLinear, LIVE} from './open-linear.ts';

export type Edit = (reply: Reply) => unknown;
export interface Reply {
  data: {issues: {nodes: Record<string, unknown>[]; pageInfo: Record<string, unknown>}};
  errors?: unknown;
}

/** Linear's answer with something changed in it. */
export function edited(edit: Edit): Fault {
  return {
    is: 'change',
    change(body) {
      const reply: Reply = JSON.parse(body);
      return JSON.stringify(edit(reply) ?? reply);
    },
  };
}

/** Three pages of issues. */
export async function threePages(limitMs = 30_000) {
  const linear = await aLinear({limitMs});
  const {world, team} = linear;
  const issues = Array.from({length: 110}, () => world.addIssue(team));
  const names = issues.map(({identifier}) => identifier);
  const read = () => linear.tracker.issuesByStates(['Todo'], LIVE);
  return {...linear, issues, names, read};
}
