import * as z from 'zod/mini';
import type {GraphqlError} from '../../http/graphql.ts';
import type {MalformedRecord} from '../../records.ts';
import type {GithubApi} from '../api.ts';
import {identifierOf} from '../normalize.ts';
import {statusOfNode} from '../project/project.ts';
import type {GithubProvider} from '../provider.ts';
import {type GithubRecord, graphqlRecord, isMalformed} from '../record.ts';
import {aliasOf, issuesByNumbers, NUMBERS_A_QUERY} from './queries.ts';

export interface FoundByNumber {
  /** A missing issue is gone, was transferred, or is a pull request. */
  readonly records: readonly (GithubRecord | MalformedRecord)[];
  readonly isPrivate: boolean;
}

const Repository = z.looseObject({
  isPrivate: z.boolean(),
  owner: z.object({id: z.string()}),
});

/** Batches of a hundred numbers, the most that GitHub allows. */
export async function readByNumbers(
  api: GithubApi,
  provider: GithubProvider,
  numbers: readonly number[],
  signal: AbortSignal,
): Promise<FoundByNumber> {
  const records: (GithubRecord | MalformedRecord)[] = [];
  let isPrivate = true;
  for (let start = 0; start < numbers.length; start += NUMBERS_A_QUERY) {
    const some = numbers.slice(start, start + NUMBERS_A_QUERY);
    const found = await readSome(api, provider, some, signal);
    records.push(...found.records);
    isPrivate = isPrivate && found.isPrivate;
  }
  return {records, isPrivate};
}

async function readSome(
  api: GithubApi,
  {owner, name, project}: GithubProvider,
  numbers: readonly number[],
  signal: AbortSignal,
): Promise<FoundByNumber> {
  const {data, errors} = await api.query({
    query: issuesByNumbers(numbers, project !== null),
    variables: {owner, name, ...(project === null ? {} : {field: project.field})},
    signal,
  });
  const parsed = z.object({repository: z.nullable(Repository)}).safeParse(data);
  const repository = parsed.data?.repository ?? null;
  if (repository === null) {
    if (errors.some(isNotFound)) {
      const what = `does not show the repository ${owner}/${name} to this token`;
      throw api.problem(
        'tracker_status',
        `${what}; check tracker.provider.repo and the permissions of the token`,
      );
    }
    throw api.problem('tracker_response', 'sent a response without the repository');
  }
  const gone = new Set(errors.filter(isNotFound).map(({path}) => path[1]));
  // Absence means gone, so an answer that is incomplete for any other reason is refused.
  const other = errors.find((error) => !isNotFound(error) || error.path.length !== 2);
  if (other !== undefined) {
    throw api.problem('tracker_response', `sent an incomplete response: ${other.message}`);
  }
  const ownerId = repository.owner.id;
  const records = numbers.flatMap((number): readonly (GithubRecord | MalformedRecord)[] => {
    const node = repository[aliasOf(number)] ?? null;
    if (node === null) return gone.has(aliasOf(number)) ? [] : [unread(name, number)];
    const status = statusOfNode(node, project, ownerId);
    if (status === undefined) return [unread(name, number)];
    const record = graphqlRecord(node, status, name);
    if (isMalformed(record)) return [{...unread(name, number), problem: record.problem}];
    return record.number === number ? [record] : [unread(name, number)];
  });
  return {records, isPrivate: repository.isPrivate};
}

function isNotFound({type}: GraphqlError): boolean {
  return type === 'NOT_FOUND';
}

function unread(name: string, number: number): MalformedRecord {
  const identifier = identifierOf(name, number);
  return {
    problem: `GitHub sent ${identifier} incomplete, without an error`,
    ids: [String(number)],
    identifiers: [identifier],
  };
}
