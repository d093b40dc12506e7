import type {IssueView, Snapshot} from '@symphony-supervisor/protocol';
import type {ComponentChildren} from 'preact';
import {codeWords, count, phaseWords, tokens} from '../../view/words.ts';
import type {IssueName} from '../live/api.ts';
import {Fact} from '../overview/claims.tsx';
import {Answer} from '../overview/held.tsx';
import {GrowthChart} from '../parts/charts.tsx';
import {Since, Stall, Until} from '../parts/clocks.tsx';
import {QuestionBox, useInteraction} from '../parts/confirm.tsx';
import {Icon} from '../parts/icon.tsx';
import {Links, MadeWords} from '../parts/made.tsx';
import {confirmDismiss, confirmRestart, confirmRetry, confirmStop} from '../parts/orders.ts';
import {OutLink} from '../parts/text.tsx';
import {isWebAddress} from '../parts/web-address.ts';
import {TranscriptView, useFeed} from '../transcript/transcript-view.tsx';
import {Attempts} from './attempts.tsx';
import {Phases} from './phases.tsx';
import {Totals} from './totals.tsx';
import {useIssue} from './use-issue.ts';

interface Props {
  readonly name: IssueName;
  readonly runId: string | null;
  readonly snapshot: Snapshot;
}

/** Everything about one issue: its status, all its attempts, and the transcript of one of them. */
export function IssuePage({name, runId, snapshot}: Props) {
  const asked = useIssue(name, snapshot);
  return (
    <main id="main" tabIndex={-1} class="issue-page">
      <a class="back" href="#/">
        <Icon name="back" /> Overview
      </a>
      {asked.is === 'loading' ? <p class="empty">Loading…</p> : null}
      {asked.is === 'failed' ? (
        <div class="panel">
          <h1>{name.issue_identifier}</h1>
          <p class="empty">{asked.message}</p>
        </div>
      ) : null}
      {asked.is === 'found' ? <Found issue={asked.issue} runId={runId} /> : null}
    </main>
  );
}

function Found({issue, runId}: {issue: IssueView; runId: string | null}) {
  const liveId = issue.running?.run_id ?? issue.stopping?.run_id ?? null;
  const selected = runId ?? liveId ?? issue.runs[0]?.run_id ?? null;
  const isLive = selected !== null && selected === liveId;
  const feed = useFeed(selected, isLive);
  const end = feed?.reader.entries.at(-1)?.at ?? 0;
  return (
    <>
      <Head issue={issue} />
      <Standing issue={issue} />
      <div class="columns issue-columns">
        <section class="panel column" aria-labelledby="transcript-title">
          <h2 id="transcript-title">
            Transcript <span class="hint">{selected}</span>
            {isLive ? <span class="badge busy">live</span> : null}
          </h2>
          {feed === null ? <p class="empty">No run yet.</p> : null}
          {feed === null ? null : (
            <>
              <Phases stretches={feed.reader.stretches} end={end} />
              <TranscriptView key={selected} feed={feed} isLive={isLive} />
            </>
          )}
        </section>
        <aside class="column side" aria-label="Attempts and facts">
          <Box id="attempts" title="Attempts">
            <Attempts issue={issue} selected={selected} />
          </Box>
          {feed === null || feed.reader.tokens.length < 2 ? null : (
            <Box id="tokens" title="Tokens over time">
              <GrowthChart
                points={feed.reader.tokens}
                label="tokens of the conversation over the run"
              />
              <p class="faint small">
                {count(feed.reader.tokens.at(-1)?.total ?? 0)} in this conversation
              </p>
            </Box>
          )}
          <Result issue={issue} />
          <Box id="totals" title="Totals">
            <Totals totals={issue.totals} />
            <p class="faint small path">{issue.workspace.path ?? 'no workspace on record'}</p>
          </Box>
          {feed?.firstPrompt ? (
            <Box id="prompt" title="Prompt as sent">
              <details>
                <summary>{feed.firstPrompt.trimStart().split('\n', 1)[0]?.slice(0, 80)}</summary>
                <pre>{feed.firstPrompt}</pre>
              </details>
            </Box>
          ) : null}
          <Box id="events" title="Recent events">
            <Events issue={issue} />
          </Box>
        </aside>
      </div>
    </>
  );
}

/** The results: the newest run with changes, and all links that hooks reported. */
function Result({issue}: {issue: IssueView}) {
  const run = issue.runs.find(({made, links}) => links.length > 0 || (made?.commits ?? 0) > 0);
  if (run === undefined) return null;
  return (
    <Box id="result" title="Result">
      <p>
        <MadeWords made={run.made} />
      </p>
      <Links links={run.links} />
    </Box>
  );
}

function Head({issue}: {issue: IssueView}) {
  const {confirm} = useInteraction();
  const {status} = issue;
  return (
    <div class="issue-top">
      <div>
        <h1>
          <span class="identifier">{issue.issue_identifier}</span> {issue.issue_title}
        </h1>
        <p class="faint">
          <span class={`status ${status}`}>{status}</span> · {issue.project}
          {issue.issue_url !== null && isWebAddress(issue.issue_url) ? (
            <>
              {' '}
              ·{' '}
              <OutLink href={issue.issue_url}>
                <Icon name="out" /> in the tracker
              </OutLink>
            </>
          ) : null}
        </p>
      </div>
      <div class="issue-buttons">
        {status === 'running' ? (
          <button type="button" data-key="s" onClick={() => confirm(confirmStop(issue))}>
            <Icon name="stop" /> Stop…
          </button>
        ) : null}
        {status === 'held' || status === 'retrying' || status === 'dismissed' ? (
          <button
            type="button"
            data-key="y"
            onClick={() => confirm(confirmRetry(issue, issue.held?.question ?? null))}
          >
            <Icon name="retry" /> Retry now…
          </button>
        ) : null}
        {(issue.running ?? issue.stopping ?? issue.retry ?? issue.held ?? null) ? (
          <button type="button" data-key="x" onClick={() => confirm(confirmRestart(issue))}>
            <Icon name="restart" /> Restart…
          </button>
        ) : null}
        {isDismissible(status) ? (
          <button type="button" data-key="d" onClick={() => confirm(confirmDismiss(issue))}>
            <Icon name="dismiss" /> Dismiss…
          </button>
        ) : null}
      </div>
    </div>
  );
}

function isDismissible(status: IssueView['status']): boolean {
  return ['running', 'stopping', 'retrying', 'held', 'waiting'].includes(status);
}

/** The current status, by its claim. */
function Standing({issue}: {issue: IssueView}) {
  const {running, stopping, retry, held} = issue;
  if (running !== null) {
    return (
      <dl class="facts panel standing">
        <Fact name="phase">{phaseWords(running.phase)}</Fact>
        <Fact name="turn">{running.turn_count}</Fact>
        <Fact name="tokens of this run">{tokens(running)}</Fact>
        <Fact name="age">
          <Since at={running.started_at} />
        </Fact>
        <Fact name="quiet">
          <Stall row={running} />
        </Fact>
      </dl>
    );
  }
  if (issue.status === 'dismissed') return <p class="panel">{held?.message}</p>;
  if (held !== null) {
    return (
      <section class="panel held-panel" aria-label="Why it is held">
        <p>
          <span class="reason">{codeWords(held.reason)}</span>{' '}
          {held.question === null ? held.message : null}
        </p>
        {held.question === null ? null : (
          <div class="answering">
            <QuestionBox text={held.question} />
            <Answer row={held} />
          </div>
        )}
      </section>
    );
  }
  if (retry !== null) {
    return (
      <p class="panel">
        {retry.kind === 'delivery' ? 'Delivering again in' : 'Due in'}{' '}
        <strong>
          <Until at={retry.due_at} />
        </strong>{' '}
        ({retry.kind}){retry.error === null ? '' : `: ${retry.error}`}
      </p>
    );
  }
  return stopping === null ? null : (
    <p class="panel">
      Being ended: waits for the {codeWords(stopping.step)}; then {codeWords(stopping.next)}.
    </p>
  );
}

function Events({issue}: {issue: IssueView}) {
  const events = issue.recent_events.slice(0, 40);
  if (events.length === 0) return <p class="empty">None since the supervisor started.</p>;
  return (
    <ol class="events">
      {events.map(({at, event, message}, index) => (
        <li key={`${at} ${index}`}>
          <time dateTime={at} class="faint">
            {new Date(at).toLocaleTimeString()}
          </time>{' '}
          <span>{event}</span> {message === null ? null : <span class="faint">{message}</span>}
        </li>
      ))}
    </ol>
  );
}

function Box({id, title, children}: {id: string; title: string; children: ComponentChildren}) {
  return (
    <section class="panel" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
    </section>
  );
}
