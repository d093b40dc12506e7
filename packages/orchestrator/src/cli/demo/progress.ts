import type {Snapshot} from '@symphony-supervisor/protocol';
import {plain} from '../table.ts';
import {type DemoFolder, demoStates} from './folder.ts';
import {DEMO_ISSUES} from './issues.ts';

/** `held`: only issues that need a person are left. */
export type Rest = 'busy' | 'held' | 'done';

/** Prints a line for each step of an issue. */
export class Progress {
  readonly #folder: DemoFolder;
  readonly #print: (line: string) => void;
  readonly #said = new Set<string>();
  #states: ReadonlyMap<string, string> = new Map(DEMO_ISSUES.map(({id}) => [id, 'Todo']));

  constructor(folder: DemoFolder, print: (line: string) => void) {
    this.#folder = folder;
    this.#print = print;
  }

  async look(snapshot: Snapshot): Promise<Rest> {
    const states = await demoStates(this.#folder);
    for (const [id, state] of states) {
      const before = this.#states.get(id);
      if (before !== state) this.#print(`${id}  ${before} → ${state}  ${titleOf(id)}`);
    }
    this.#states = states;
    for (const {issue_identifier: id, error, kind, attempt} of snapshot.retrying) {
      if ((kind === 'failure' || kind === 'delivery') && error !== null) {
        const line = `${id}  failed, will be retried (attempt ${attempt}): ${plain(error)}`;
        this.sayOnce(line, `${id} ${attempt}`);
      }
    }
    for (const {issue_identifier: id, question, message} of snapshot.held) {
      this.sayOnce(`${id}  held, needs input: ${plain(question ?? message)}`);
    }
    // Nothing starts, and no issue shows the reason.
    if (snapshot.last_error !== null) this.sayOnce(`! ${plain(snapshot.last_error)}`);
    return this.#rest(snapshot);
  }

  sayOnce(line: string, about = line): void {
    if (this.#said.has(about)) return;
    this.#said.add(about);
    this.#print(line);
  }

  #rest({counts}: Snapshot): Rest {
    if (counts.running + counts.stopping + counts.retrying > 0) return 'busy';
    if ([...this.#states.values()].every((state) => state === 'Done')) return 'done';
    return counts.held > 0 && counts.waiting === 0 ? 'held' : 'busy';
  }
}

function titleOf(id: string): string {
  return DEMO_ISSUES.find((issue) => issue.id === id)?.title ?? '';
}
