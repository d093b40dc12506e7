import {memo} from 'preact/compat';
import {plural, shortSpan, span} from '../../view/words.ts';
import {Prose} from '../parts/text.tsx';
import {diffLines, tally} from './diff-lines.ts';
import type {CommandEntry, Entry, FileChange, HookEntry, ToolEntry} from './entry.ts';

/** Longer output is folded to its end, where errors are. */
const SHOWN_OUTPUT = 20_000;

/** One entry of a transcript; rendered again only when it was replaced. */
export const EntryView = memo(({entry}: {entry: Entry}) => (
  <li class={`entry ${entry.is}`}>
    <span class="entry-at" title={`${entry.at} ms after the run began`}>
      {span(entry.at)}
    </span>
    <div class="entry-body">{bodyOf(entry)}</div>
  </li>
));

function bodyOf(entry: Entry) {
  switch (entry.is) {
    case 'prompt':
      return (
        <details>
          <summary>
            <strong>Prompt</strong> of turn {entry.turn}{' '}
            <span class="faint">{firstLine(entry.text)}</span>
          </summary>
          <pre>{entry.text}</pre>
        </details>
      );
    case 'message':
      return <Prose text={entry.text} />;
    case 'reasoning':
      return entry.text === '' ? <span class="faint">thinking…</span> : <Prose text={entry.text} />;
    case 'command':
      return <Command entry={entry} />;
    case 'files':
      return entry.changes.map((change) => (
        <Change key={change.path} change={change} status={entry.status} />
      ));
    case 'plan':
      return <Plan steps={entry.steps} explanation={entry.explanation} />;
    case 'tool':
      return <Tool entry={entry} />;
    case 'turn':
      return (
        <span class={entry.status === 'completed' ? 'faint' : 'bad-text'}>
          turn {entry.status} after {shortSpan(entry.ms)}
          {entry.error === null ? '' : `: ${entry.error}`}
        </span>
      );
    case 'hook':
      return <Hook entry={entry} />;
    case 'output':
      return (
        <details>
          <summary>
            {entry.source} <span class="faint">{firstLine(entry.text)}</span>
          </summary>
          <pre>{tail(entry.text)}</pre>
        </details>
      );
    case 'question':
      return (
        <>
          <strong>The agent asks</strong>
          <Prose text={entry.text} />
          {entry.options.length === 0 ? null : <p class="faint">{entry.options.join(' · ')}</p>}
        </>
      );
    case 'notice':
      return <span class={`notice ${entry.level}`}>{tail(entry.text)}</span>;
  }
}

function Command({entry}: {entry: CommandEntry}) {
  const isOver =
    entry.exitCode !== null || entry.status === 'completed' || entry.status === 'failed';
  const isBad =
    entry.status === 'failed' || entry.status === 'declined' || (entry.exitCode ?? 0) !== 0;
  const head = (
    <>
      <code class="command-line">{entry.command}</code>{' '}
      <span class={`badge ${isOver || isBad ? (isBad ? 'bad' : 'good') : 'busy'}`}>
        {entry.exitCode === null ? entry.status || 'running' : `exit ${entry.exitCode}`}
      </span>
      {entry.ms === null ? null : <span class="faint"> {shortSpan(entry.ms)}</span>}
    </>
  );
  if (entry.output === '') return <div class="command-head">{head}</div>;
  return (
    <details>
      <summary class="command-head">
        {head}{' '}
        <span class="faint">{plural(entry.output.trimEnd().split('\n').length, 'line')}</span>
      </summary>
      <pre class="output">{tail(entry.output)}</pre>
    </details>
  );
}

function Change({change, status}: {change: FileChange; status: string}) {
  const lines = diffLines(change);
  const {added, removed} = tally(lines);
  return (
    <details open={lines.length <= 40}>
      <summary>
        <span class="faint">{change.kind}</span> <code>{change.path}</code>{' '}
        <span class="plus">+{added}</span> <span class="minus">−{removed}</span>
        {status === 'completed' || status === 'running' ? null : (
          <span class="badge bad">{status}</span>
        )}
      </summary>
      <pre class="diff">
        {lines.slice(0, 2000).map(({is, text}, index) => (
          <span key={`${index}`} class={`diff-line ${is}`}>
            {`${SIGNS[is]}${text}\n`}
          </span>
        ))}
        {lines.length > 2000 ? `… ${plural(lines.length - 2000, 'more line')}` : null}
      </pre>
    </details>
  );
}

const SIGNS = {added: '+', removed: '-', same: ' ', place: ''} as const;

function Plan({steps, explanation}: Pick<Extract<Entry, {is: 'plan'}>, 'steps' | 'explanation'>) {
  return (
    <>
      <strong>Plan</strong>
      {explanation === null ? null : <Prose text={explanation} />}
      <ul class="plan">
        {steps.map(({step, status}, index) => (
          <li key={`${index}`} class={status}>
            <span aria-hidden="true">
              {status === 'completed' ? '✓' : status === 'in_progress' ? '▸' : '○'}
            </span>{' '}
            {step} <span class="unseen">({status.replace('_', ' ')})</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function Tool({entry}: {entry: ToolEntry}) {
  const {ok} = entry;
  return (
    <details>
      <summary>
        <span class="faint">tool</span> <code>{entry.name}</code>{' '}
        <span class={`badge ${ok === null ? 'busy' : ok ? 'good' : 'bad'}`}>
          {ok === null ? 'running' : ok ? 'ok' : 'failed'}
        </span>{' '}
        <span class="faint">{firstLine(entry.input.replace(/\s+/g, ' '))}</span>
      </summary>
      <pre>{entry.input}</pre>
      {entry.result === null ? null : <pre class="output">{tail(entry.result)}</pre>}
    </details>
  );
}

function Hook({entry}: {entry: HookEntry}) {
  const head = (
    <>
      <span class="faint">hook</span> <code>{entry.name}</code>{' '}
      <span class={`badge ${!entry.done ? 'busy' : entry.failure === null ? 'good' : 'bad'}`}>
        {!entry.done ? 'running' : (entry.failure ?? 'ok')}
      </span>
    </>
  );
  if (entry.output === '') return <div>{head}</div>;
  return (
    <details open={entry.failure !== null}>
      <summary>{head}</summary>
      <pre class="output">{tail(entry.output)}</pre>
    </details>
  );
}

function firstLine(text: string): string {
  return text.trimStart().split('\n', 1)[0]?.slice(0, 120) ?? '';
}

function tail(text: string): string {
  if (text.length <= SHOWN_OUTPUT) return text;
  return `… ${plural(text.length - SHOWN_OUTPUT, 'character')} left out\n${text.slice(-SHOWN_OUTPUT)}`;
}
