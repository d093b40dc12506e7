import type {WriteStream} from 'node:tty';
import type {Snapshot} from '@symphony-supervisor/protocol';
import type {SupervisorApi} from '../shell/api/supervisor-api.ts';
import {renderFrame} from './render-frame.ts';

export interface TerminalOptions {
  readonly api: Pick<SupervisorApi, 'snapshot' | 'watch'>;
  readonly stream: WriteStream;
  /** The dashboard's URL. */
  readonly url?: string | null;
  /** A sign-in link for it; null once it is used or expired. */
  readonly link?: () => string | null;
  readonly hasColour?: boolean;
}

/** Alternate screen, no cursor, no wrapping; and the reverse. */
const ENTER = '\u001b[?1049h\u001b[?25l\u001b[?7l\u001b[2J';
const LEAVE = '\u001b[0m\u001b[?7h\u001b[?25h\u001b[?1049l';
/** Synchronized updates: terminals that support them show a frame at once; others ignore them. */
const BEGIN_FRAME = '\u001b[?2026h';
const END_FRAME = '\u001b[?2026l';

/** Clocks advance between two snapshots. */
const TICK_MS = 1000;
/**
 * Repaints the whole screen after this many frames, over anything typed or written by other
 * programs.
 */
const WHOLE_EVERY = 10;
const WARNINGS_KEPT = 3;

/** The supervisor on one terminal screen. null without a terminal: a pipe never gets a frame. */
export function openTerminalView(options: TerminalOptions): TerminalView | null {
  return options.stream.isTTY ? new TerminalView(options) : null;
}

export class TerminalView implements Disposable {
  readonly #options: TerminalOptions;
  readonly #subscription: Disposable;
  readonly #timer: NodeJS.Timeout;
  readonly #warnings: string[] = [];
  #snapshot: Snapshot;
  #shown: readonly string[] = [];
  #frames = 0;
  #isFull = false;
  #isOpen = true;

  constructor(options: TerminalOptions) {
    this.#options = options;
    const {api, stream} = options;
    stream.write(ENTER);
    stream.on('resize', this.#redraw);
    stream.on('drain', this.#onDrain);
    // A terminal that was closed must not end the supervisor.
    stream.on('error', this.#close);
    process.on('SIGCONT', this.#enterAgain);
    // On a terminal this write is synchronous, so it is done however the process ends.
    process.on('exit', this.#close);
    this.#snapshot = api.snapshot;
    this.#subscription = api.watch(({snapshot}) => {
      this.#snapshot = snapshot;
      this.#draw();
    });
    this.#timer = setInterval(() => this.#draw(), TICK_MS);
    this.#timer.unref();
    this.#draw();
  }

  /** A warning of the log, shown until newer ones replace it. */
  warn(text: string): void {
    this.#warnings.push(text);
    this.#warnings.splice(0, this.#warnings.length - WARNINGS_KEPT);
    this.#draw();
  }

  [Symbol.dispose](): void {
    this.#close();
  }

  #draw(): void {
    if (!this.#isOpen || this.#isFull) return;
    const {stream, url = null, link = () => null, hasColour = true} = this.#options;
    const {columns, rows} = stream;
    if (!columns || !rows) return; // a terminal that does not know its size yet
    const frame = renderFrame(this.#snapshot, {
      ...{columns, rows, now: Date.now(), hasColour, url, warnings: this.#warnings},
      link: link(),
    });
    const isWhole = this.#frames++ % WHOLE_EVERY === 0;
    const lines = frame.flatMap((line, row) =>
      isWhole || line !== this.#shown[row] ? [`\u001b[${row + 1};1H${line}\u001b[K`] : [],
    );
    this.#shown = frame;
    if (lines.length === 0) return;
    this.#isFull = !stream.write(`${BEGIN_FRAME}${lines.join('')}${END_FRAME}`);
  }

  readonly #redraw = (): void => {
    if (!this.#isOpen) return;
    this.#shown = [];
    this.#frames = 0;
    this.#options.stream.write('\u001b[2J');
    this.#draw();
  };

  readonly #enterAgain = (): void => {
    if (this.#isOpen) this.#options.stream.write(ENTER);
    this.#redraw();
  };

  /** Events that arrived meanwhile are in the next frame. */
  readonly #onDrain = (): void => {
    this.#isFull = false;
    this.#draw();
  };

  readonly #close = (): void => {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const {stream} = this.#options;
    clearInterval(this.#timer);
    this.#subscription[Symbol.dispose]();
    stream.off('resize', this.#redraw);
    stream.off('drain', this.#onDrain);
    process.off('SIGCONT', this.#enterAgain);
    process.off('exit', this.#close);
    if (!stream.destroyed) stream.write(LEAVE);
  };
}
