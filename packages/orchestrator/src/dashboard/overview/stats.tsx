import type {Snapshot} from '@symphony-supervisor/protocol';
import type {ComponentChildren} from 'preact';
import {count, countdown, span, totalTokens} from '../../view/words.ts';
import type {View} from '../live/live.ts';
import {useNow} from '../live/now.ts';
import {GrowthChart, Meter} from '../parts/charts.tsx';
import {Until} from '../parts/clocks.tsx';
import {tokenRate} from './throughput.ts';

/** The whole state in one line of figures. */
export function Stats({snapshot, tokens}: {snapshot: Snapshot; tokens: View['tokens']}) {
  const {counts, codex_totals: totals} = snapshot;
  const {used, limit} = allSlots(snapshot);
  return (
    <section class="stats" aria-label="At a glance">
      <Stat name="Slots" value={`${used}/${limit}`}>
        <Meter used={used / Math.max(1, limit)} label={`${used} of ${limit} slots in use`} />
      </Stat>
      <Stat
        name="Running"
        value={counts.running}
        tone="running"
        note={note(counts.stopping, 'stopping')}
      />
      <Stat
        name="Held"
        value={counts.held}
        tone={counts.held > 0 ? 'held' : ''}
        note="need input"
      />
      <Stat
        name="Retrying"
        value={counts.retrying}
        tone={counts.retrying > 0 ? 'retrying' : ''}
        note={nextRetry(snapshot)}
      />
      <Stat name="Waiting" value={counts.waiting} note="candidates" />
      <Stat name="Tokens" value={totalTokens(snapshot)} note={<Rate tokens={tokens} />}>
        <GrowthChart points={tokens} label="tokens used since this page was opened" />
      </Stat>
      <Stat
        name="Agent time"
        value={span(totals.seconds_running * 1000)}
        note={inAndOut(snapshot)}
      />
      <Stat
        name="Next poll"
        value={<NextPoll snapshot={snapshot} />}
        note={`every ${span(snapshot.polling.interval_ms)}`}
      />
    </section>
  );
}

interface StatProps {
  readonly name: string;
  readonly value: ComponentChildren;
  readonly note?: ComponentChildren;
  readonly tone?: string;
  readonly children?: ComponentChildren;
}

function Stat({name, value, note: said = null, tone = '', children = null}: StatProps) {
  return (
    <div class={`stat ${tone}`}>
      <span class="stat-name">{name}</span>
      <span class="stat-value">{value}</span>
      <span class="stat-note">{said}</span>
      {children}
    </div>
  );
}

function inAndOut(snapshot: Snapshot): string | null {
  const {input_tokens: input, output_tokens: output} = snapshot.codex_totals;
  if (totalTokens(snapshot) === 'unmeasured') return null;
  return `${count(input)} in · ${count(output)} out`;
}

/** Over all projects if there is no global limit. */
export function allSlots({supervisor, projects}: Snapshot): {used: number; limit: number} {
  const sum = projects.reduce((all, {slots}) => all + slots.limit, 0);
  const limit = supervisor.slots.limit;
  return {used: supervisor.slots.used, limit: limit === null ? sum : Math.min(limit, sum)};
}

function NextPoll({snapshot}: {snapshot: Snapshot}) {
  const now = useNow();
  const {checking, next_poll_in_ms: inMs} = snapshot.polling;
  if (checking) return <>reading…</>;
  if (inMs === null) return <>–</>;
  return <>{countdown(Date.parse(snapshot.generated_at) + inMs, now)}</>;
}

function Rate({tokens}: {tokens: View['tokens']}) {
  const rate = tokenRate(tokens, useNow());
  return <>{rate === null ? 'in all' : `${count(rate)} a minute`}</>;
}

function nextRetry({retrying}: Snapshot): ComponentChildren {
  const first = retrying[0];
  if (first === undefined) return null;
  return (
    <>
      next <Until at={first.due_at} />
    </>
  );
}

function note(n: number, word: string): string | null {
  return n === 0 ? null : `${n} ${word}`;
}
