import type {IssueView} from '@symphony-supervisor/protocol';
import {
  agentWords,
  codeWords,
  outcomeTone,
  outcomeWords,
  plural,
  span,
  tokens,
} from '../../view/words.ts';
import {useNow} from '../live/now.ts';
import {RoleTag} from '../overview/row.tsx';
import {Ago, Since} from '../parts/clocks.tsx';
import {MadeWords} from '../parts/made.tsx';
import {issueHref} from '../parts/route.ts';

interface Props {
  readonly issue: IssueView;
  readonly selected: string | null;
}

/** Every attempt, newest first, with a bar for its duration relative to the longest. */
export function Attempts({issue, selected}: Props) {
  const now = useNow();
  const live = issue.running;
  const liveMs = live === null ? 0 : now - Date.parse(live.started_at);
  const longest = Math.max(1, liveMs, ...issue.runs.map(({duration_ms: ms}) => ms));
  return (
    <ol class="attempts">
      {live === null ? null : (
        <li class="attempt">
          <a
            class="row-link"
            href={issueHref(issue, live.run_id)}
            aria-current={selected === live.run_id ? 'true' : undefined}
          >
            <span class="dot busy" aria-hidden="true" /> <strong>running</strong>{' '}
            <RoleTag row={live} />{' '}
            <span class="faint">
              turn {live.turn_count} · {agentWords(live)} · {tokens(live)} tok ·{' '}
              <Since at={live.started_at} />
            </span>
            <Bar share={liveMs / longest} tone="busy" />
          </a>
        </li>
      )}
      {issue.runs.map((run) => (
        <li class="attempt" key={run.run_id}>
          <a
            class="row-link"
            href={issueHref(issue, run.run_id)}
            aria-current={selected === run.run_id ? 'true' : undefined}
          >
            <span class={`dot ${outcomeTone(run.outcome)}`} aria-hidden="true" />{' '}
            <strong class={`outcome ${outcomeTone(run.outcome)}`}>
              {outcomeWords(run.outcome)}
            </strong>{' '}
            <RoleTag row={run} />{' '}
            {run.failure === null ? null : <span class="bad-text">{codeWords(run.failure)} </span>}
            <span class="faint">
              {plural(run.turns, 'turn')} · {agentWords(run)} · {tokens(run)} tok ·{' '}
              {span(run.duration_ms)} · <Ago at={run.ended_at} />
            </span>{' '}
            <MadeWords made={run.made} />
            <Bar share={run.duration_ms / longest} tone={outcomeTone(run.outcome)} />
          </a>
        </li>
      ))}
      {live === null && issue.runs.length === 0 ? <li class="empty">No run yet.</li> : null}
    </ol>
  );
}

function Bar({share, tone}: {share: number; tone: string}) {
  return (
    <svg class="attempt-bar" viewBox="0 0 100 3" preserveAspectRatio="none" aria-hidden="true">
      <rect class="track" width="100" height="3" />
      <rect class={`bar ${tone}`} width={Math.max(1, 100 * share)} height="3" />
    </svg>
  );
}
