import {resolve} from 'node:path';
import type {Issue, ToolResult, ToolSpec} from '@symphony-supervisor/protocol';
import type {TrackerAdapter, WriteOutcome} from '../adapter.ts';
import {type Answer, type Answered, answer, answering} from '../answer.ts';
import {selectByIdentifiers, selectByIds, selectByStates, surveyOf} from '../records.ts';
import type {OpenAdapter} from '../registry.ts';
import {type Caller, type IssueUpdate, OwnWrites} from '../update/update.ts';
import {callUpdateIssue} from '../update/update-tool.ts';
import {IssueFolder} from './folder.ts';
import {DEFAULT_FOLDER} from './profile.ts';
import {removeLeftovers} from './replace-file.ts';
import {FILE_TOOLS} from './tools.ts';
import {updateFile} from './update.ts';
import {FolderWatch} from './watch.ts';

export const openFileTracker = (({provider}) =>
  new FileTracker(resolve(String(provider.path ?? DEFAULT_FOLDER)))) satisfies OpenAdapter;

/**
 * A folder of Markdown files, one per issue. Both people and the supervisor edit the files; neither
 * overwrites the other's changes.
 */
export class FileTracker implements TrackerAdapter {
  readonly #folder: IssueFolder;
  readonly #ownWrites = new OwnWrites();
  readonly #watches = new Set<FolderWatch>();
  #lastWrite: Promise<unknown>;

  constructor(path: string) {
    this.#folder = new IssueFolder(path);
    // Leftover temporary files are not worth a failure.
    this.#lastWrite = removeLeftovers(path).catch(() => {});
  }

  issuesByStates(states: readonly string[], signal: AbortSignal) {
    return this.#read(states, selectByStates, signal);
  }

  issuesByIds(ids: readonly string[], signal: AbortSignal) {
    return this.#read(ids, selectByIds, signal);
  }

  issuesByIdentifiers(identifiers: readonly string[], signal: AbortSignal) {
    return this.#read(identifiers, selectByIdentifiers, signal);
  }

  transition(issue: Issue, state: string, signal: AbortSignal): Promise<Answer<WriteOutcome>> {
    return this.#write('supervisor', issue, {state}, signal);
  }

  comment(issue: Issue, text: string, signal: AbortSignal): Promise<Answer<WriteOutcome>> {
    return this.#write('supervisor', issue, {comment: text}, signal);
  }

  survey(signal: AbortSignal) {
    return answering(signal, async () =>
      surveyOf(this.#folder.path, await this.#folder.read(signal)),
    );
  }

  tools(_issue: Issue): readonly ToolSpec[] {
    return FILE_TOOLS;
  }

  callTool(issue: Issue, name: string, args: unknown, signal: AbortSignal): Promise<ToolResult> {
    return callUpdateIssue(name, args, (update) => this.#write('agent', issue, update, signal));
  }

  watch(onChange: () => void): AsyncDisposable {
    const watch = new FolderWatch(this.#folder.path, onChange);
    this.#watches.add(watch);
    return watch;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const watch of this.#watches) await watch[Symbol.asyncDispose]();
    await this.#lastWrite;
  }

  #read(
    wanted: readonly string[],
    select: typeof selectByIds,
    signal: AbortSignal,
  ): Promise<Answer<readonly Issue[]>> {
    return answering(signal, async () =>
      wanted.length === 0 ? answer([]) : select(await this.#folder.read(signal), wanted),
    );
  }

  /** Serializes writes, so that two of our own are not taken for a person's edit. */
  #write(
    caller: Caller,
    issue: Issue,
    wanted: IssueUpdate,
    signal: AbortSignal,
  ): Promise<Answer<WriteOutcome>> {
    const write = this.#lastWrite.then(() =>
      answering(signal, () => this.#update(caller, issue, wanted, signal)),
    );
    this.#lastWrite = write.catch(() => {});
    return write;
  }

  async #update(
    caller: Caller,
    issue: Issue,
    wanted: IssueUpdate,
    signal: AbortSignal,
  ): Promise<Answered<WriteOutcome>> {
    const view = await this.#folder.read(signal);
    // Fails the call if its file is there, but cannot be read.
    const [found] = selectByIds(view, [issue.id]).value;
    const facts = view.files.get(issue.id);
    if (found === undefined || facts === undefined) {
      return answer({outcome: 'conflict', found: null});
    }
    const known = this.#ownWrites.knownTo(caller, issue);
    const done = await updateFile(facts, known, wanted, view.find, signal);
    if (done.outcome === 'written') this.#ownWrites.remember(done.issue);
    return answer(done);
  }
}
