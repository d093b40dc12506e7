import {Host} from '../host.ts';
import type {Output} from '../output.ts';
import {performAnytime} from '../script/perform.ts';
import type {Step} from '../script/step.ts';
import type {Thread} from './thread.ts';
import {Wire} from './wire.ts';

/** An app-server of Codex, with the threads that it has loaded. */
export class CodexHost extends Host {
  readonly wire: Wire;
  readonly threads = new Map<string, Thread>();

  constructor(output: Output, home: string, wire: Wire = new Wire(output)) {
    super(output, home);
    this.wire = wire;
  }

  override perform(step: Step): unknown {
    return performAnytime(step, this);
  }

  protected override killShells(): void {
    for (const thread of this.threads.values()) thread.killTerminals();
  }
}
