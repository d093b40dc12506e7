import type {Readable} from 'node:stream';

/** The transcripts of runs and small jobs on a host, and their disk space. */
export interface Transcripts {
  /** Where the runner of this run writes its transcript. */
  pathOf(runId: string): string;
  /** Those of these runs that have a transcript. */
  among(runIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** null: there is none. */
  read(runId: string, wish: PageWish): Promise<TranscriptPage | null>;
  /** Deletes transcripts, oldest first, until the logs take no more than this besides those of live runs. */
  keepBelow(bytes: number, isLive: IsLive): Promise<Freed>;
  /** The same until this much more space is free on the device; nothing if the logs are on another one. */
  giveBack(bytes: number, device: number, isLive: IsLive): Promise<Freed>;
  remove(runIds: readonly string[]): Promise<void>;
  /** Deletes transcripts that were last written before these instants. Returns how many. */
  removeOld(before: OldTranscripts, isLive: IsLive): Promise<number>;
}

/** Whole lines of a transcript that may be growing: from `start` to just before `end`, in bytes. */
export interface TranscriptPage {
  readonly start: number;
  readonly end: number;
  /** Size of the transcript up to its last complete line: the offset of the next page after the last one. */
  readonly size: number;
  /** To be read or destroyed by the caller; null: the page is empty. */
  readonly body: Readable | null;
}

export interface PageWish {
  /** Start offset in bytes; inside a line: the next line. */
  readonly offset: number;
  /** Approximate number of bytes; the line in which they end is included. */
  readonly limit: number | null;
  /** Only this many lines at the end. */
  readonly tail: number | null;
}

/** Its files are neither counted nor deleted. */
export type IsLive = (runId: string) => boolean;

export interface Freed {
  readonly transcripts: number;
  readonly bytes: number;
}

export interface OldTranscripts {
  readonly ofRuns: number;
  readonly ofSmallJobs: number;
}
