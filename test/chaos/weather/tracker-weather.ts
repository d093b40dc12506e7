import type {Fault, SeenRequest} from '../../../packages/tracker/test/servers/fault-proxy.ts';
import type {Random} from '../../rig/fixtures/random.ts';
import {type Faults, LIES, PAGES, PASSING, SPOILED} from './tracker-faults.ts';

/** What a request to Linear is for. */
export type Purpose = 'list' | 'read' | 'look' | 'comment' | 'mark' | 'handoff';

interface Gust {
  readonly name: string;
  readonly strikes: readonly Purpose[];
  /** Whether it takes the first request that it can have; others let some pass. */
  readonly isEager: boolean;
  readonly fault: () => Fault;
}

/** Every fault once on each kind of request that it can strike, in an order drawn from a seed. */
export class TrackerWeather {
  readonly #random: Random;
  readonly #purposeOf: (request: SeenRequest) => Purpose | null;
  readonly #toCome: Gust[];

  constructor(random: Random, handoffStateId: string) {
    this.#random = random;
    this.#purposeOf = (request) => purposeOf(request, handoffStateId);
    // First, because each is waited for thirty seconds, in which the others come.
    const long = [
      ...gusts({hang: () => ({is: 'hang'})}, ['list'], true),
      ...gusts({stall: () => ({is: 'stall'})}, ['look'], true),
    ];
    this.#toCome = [...long, ...shuffled(allGusts(), random)];
  }

  /** What has not come yet. */
  get toCome(): string[] {
    return this.#toCome.map(({name, strikes}) => `${name} (${strikes.join(', ')})`);
  }

  strike(request: SeenRequest): Fault {
    const purpose = this.#purposeOf(request);
    const next = this.#toCome.findIndex(
      ({strikes}) => purpose !== null && strikes.includes(purpose),
    );
    const gust = this.#toCome[next];
    if (gust === undefined || (!gust.isEager && this.#random(2) === 0)) return null;
    this.#toCome.splice(next, 1);
    return gust.fault();
  }
}

/** Our own writes are few: what is to strike them takes the first that comes. */
function allGusts(): Gust[] {
  const {cut, drop, 500: error, garbage, '429 with Retry-After': limit} = PASSING;
  const onWrites = {cut, drop, error, garbage, limit} as Faults;
  return [
    ...gusts(PASSING, ['list', 'read', 'look']),
    ...gusts(PASSING, ['comment']),
    ...gusts(SPOILED, ['list', 'read', 'look']),
    ...gusts(PAGES, ['list']),
    ...gusts(LIES, ['read']),
    ...gusts(LIES, ['look']),
    ...gusts(onWrites, ['mark'], true),
    ...gusts(onWrites, ['handoff'], true),
  ];
}

function gusts(faults: Faults, strikes: readonly Purpose[], isEager = false): Gust[] {
  return Object.entries(faults).map(([name, fault]) => ({name, strikes, isEager, fault}));
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  const left = [...items];
  return items.flatMap(() => left.splice(random(left.length), 1));
}

/** null: it is about something else than issues. */
export function purposeOf({body}: SeenRequest, handoffStateId: string): Purpose | null {
  const {query, variables} = JSON.parse(body);
  switch (/(?:query|mutation) (\w+)/.exec(query)?.[1]) {
    case 'Issues':
      return variables.archived ? 'read' : 'list';
    case 'IssueToWrite':
      return 'look';
    case 'CreateComment':
      return 'comment';
    case 'UpdateIssue':
      return variables.input.stateId === handoffStateId ? 'handoff' : 'mark';
    default:
      return null;
  }
}
