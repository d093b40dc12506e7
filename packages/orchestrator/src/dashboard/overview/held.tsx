import type {HeldRow} from '@symphony-supervisor/protocol';
import {memo} from 'preact/compat';
import {useState} from 'preact/hooks';
import {codeWords} from '../../view/words.ts';
import {orderIssue} from '../live/api.ts';
import {Ago} from '../parts/clocks.tsx';
import {QuestionBox, useInteraction} from '../parts/confirm.tsx';
import {Icon} from '../parts/icon.tsx';
import {confirmDismiss, confirmRestart, confirmRetry} from '../parts/orders.ts';
import {IssueHead, Tags} from './row.tsx';

/** An issue that needs input: the reason, the question, and a field for the answer. */
export const Held = memo(({row, several}: {row: HeldRow; several: boolean}) => {
  const {confirm} = useInteraction();
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
          <button type="button" onClick={() => confirm(confirmRetry(row, null))}>
            <Icon name="retry" /> Retry…
          </button>
        ) : null}
        <button type="button" onClick={() => confirm(confirmRestart(row))}>
          <Icon name="restart" /> Restart…
        </button>
        <button type="button" onClick={() => confirm(confirmDismiss(row))}>
          <Icon name="dismiss" /> Dismiss…
        </button>
      </div>
    </li>
  );
});

/** Writing and sending an answer needs no further confirmation. */
export function Answer({row}: {row: HeldRow}) {
  const {perform} = useInteraction();
  const [message, setMessage] = useState('');
  const [isBusy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    const done = `the agent of ${row.issue_identifier} gets your answer in its next turn`;
    const isSent = await perform(() => orderIssue(row, 'retry', message.trim()), done);
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
