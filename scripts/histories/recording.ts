import {createReadStream, createWriteStream} from 'node:fs';
import {createInterface} from 'node:readline';
import {pipeline} from 'node:stream/promises';
import {createGunzip, createGzip} from 'node:zlib';
import type {Event, State} from './core.ts';
import {fromJson, toJson} from './json.ts';

/** Digests of a state, of the orders that led on from it, and of what was to be written. */
export type Digested = readonly [state: string, orders: string, written: string];

export type Line =
  /** `folder`: the checkout that recorded, whose core can tell what a digest stands for. */
  | {readonly is: 'header'; readonly folder: string}
  | {readonly is: 'history'; readonly number: number}
  | Step;

export type Step =
  /** The supervisor starts with what a former life left in the store. */
  | {
      readonly is: 'start';
      readonly state: State;
      readonly claims: State['claims'];
      readonly at: number;
      readonly digests: Digested;
    }
  | {readonly is: 'event'; readonly event: Event; readonly digests: Digested};

/** Compressed JSON lines: some 40 bytes an event. */
export async function writeRecording(path: string, lines: Iterable<Line>): Promise<void> {
  const text = function* () {
    for (const line of lines) yield `${toJson(line)}\n`;
  };
  await pipeline(text, createGzip(), createWriteStream(path));
}

export async function* readRecording(path: string): AsyncGenerator<Line, undefined> {
  const input = createReadStream(path).pipe(createGunzip());
  for await (const line of createInterface({input, crlfDelay: Number.POSITIVE_INFINITY})) {
    yield fromJson(line) as Line;
  }
}
