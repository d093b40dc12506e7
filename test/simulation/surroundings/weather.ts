import type {FailureCode} from '@symphony-supervisor/protocol';

export type TrackerWeather = 'fine' | 'slow' | 'down' | 'hanging' | 'rate limited';

/** What is wrong with the world just now. In calm weather, nothing is. */
export class Weather {
  /** From then on nothing goes wrong any more, and agents finish what they begin. */
  isCalm = false;
  tracker: TrackerWeather = 'fine';
  /** By the monotonic clock: until then the tracker wants to be left alone. */
  limitedUntil = 0;
  /** It answers with what is old, twice, or not all that there is; and forgets what it was told. */
  trackerLies = false;
  /** What keeps every agent on this machine from working. */
  host: FailureCode | null = null;
  /** Which disk is full. */
  shortage: string | null = null;

  calmDown(): void {
    this.isCalm = true;
    this.tracker = 'fine';
    this.trackerLies = false;
    this.host = null;
    this.shortage = null;
  }
}
