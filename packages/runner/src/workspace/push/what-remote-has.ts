import {isSuccess} from '../git/git-answer.ts';
import type {Remote} from './access.ts';
import {orRefused} from './outcome.ts';
import {PrivateFolder, type Tools} from './private-folder.ts';
import type {Refused} from './refusal.ts';

/** The branches of a remote, by short name, with their commits. */
export type Branches = ReadonlyMap<string, string>;

const LINE = /^([0-9a-f]{40}(?:[0-9a-f]{24})?)\trefs\/heads\/(.+)$/;

/** Asks the remote for its branches: after a crash that is the only truth about a push. It needs no workspace. */
export async function whatRemoteHas(
  remote: Remote,
  tools: Tools,
): Promise<{readonly is: 'answered'; readonly branches: Branches} | Refused> {
  return orRefused(async () => {
    await using folder = await PrivateFolder.create('sha1', remote, tools);
    return {is: 'answered', branches: await branchesOf(folder, remote)};
  });
}

/** Throws a `Refusal` if the remote cannot be asked. */
export async function branchesOf(folder: PrivateFolder, {url}: Remote): Promise<Branches> {
  const answer = await folder.talk(['ls-remote', '--heads', '--', url], 'askMs');
  if (!isSuccess(answer)) throw folder.refusalOf(answer);
  const branches = new Map<string, string>();
  for (const line of answer.stdout.toString('utf8').split('\n')) {
    const [, sha, name] = LINE.exec(line) ?? [];
    if (sha !== undefined && name !== undefined) branches.set(name, sha);
  }
  return branches;
}
