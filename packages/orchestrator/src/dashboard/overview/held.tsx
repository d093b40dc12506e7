import type {HeldRow} from '@symphony-supervisor/protocol';
import {memo} from 'preact/compat';
import {useState} from 'preact/hooks';
import {codeWords} from '../../view/words.ts';
import {orderIssue} from '../live/api.ts';
import {QuestionBox, useDesk} from '../parts/asking.tsx';
import {Ago} from '../parts/clocks.tsx';
import {Icon} from '../parts/icon.tsx';
import {askDismiss, askRestart, askRetry} from '../parts/orders.ts';
import {IssueHead, Tags} from './row.tsx';

/** An issue that waits for a person: why, what was asked, and a place to answer. */
export const Held = memo(({row, several}: {row: HeldRow; several: boolean}) => {
  const desk = useDesk();
  return (
    <li class="row held-row">
      <IssueHead row={row} />
      <p class="said">
        <Tags row={row} several={several} /> <span class="reason">{codeWords(row.reason)}</span>{' '}
        {row.question === null ? row.message : null}
        <span class="faint">
          {' '}
          · held <Ago at={row.since} />
        </span>
      </p>
      {row.question === null ? null : (
        <div class="answering">
          <QuestionBox text={row.question} />
          <Answer row={row} />
        </div>
      )}
      <div class="row-buttons">
        {row.question === null ? (
          <button type="button" onClick={() => desk.ask(askRetry(row, null))}>
            <Icon name="retry" /> Retry…
          </button>
        ) : null}
        <button type="button" onClick={() => desk.ask(askRestart(row))}>
          <Icon name="restart" /> Restart…
        </button>
        <button type="button" onClick={() => desk.ask(askDismiss(row))}>
          <Icon name="dismiss" /> Dismiss…
        </button>
      </div>
    </li>
  );
});

/** Writing the answer and sending it is confirmation enough. */
export function Answer({row}: {row: HeldRow}) {
  const desk = useDesk();
  const [message, setMessage] = useState('');
  const [isBusy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    const done = `the agent of ${row.issue_identifier} gets your answer in its next turn`;
    const isSent = await desk.perform(() => orderIssue(row, 'retry', message.trim()), done);
    setBusy(false);
    if (isSent) setMessage('');
  };
  return (
    <form
      class="answer"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <textarea
        rows={2}
        aria-label={`Answer for ${row.issue_identifier}`}
        placeholder="Your answer; the agent gets it in its next turn"
        value={message}
        onInput={(event) => setMessage(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void send();
        }}
      />
      <button type="submit" class="primary" disabled={isBusy || message.trim() === ''}>
        Answer and retry
      </button>
    </form>
  );
}
