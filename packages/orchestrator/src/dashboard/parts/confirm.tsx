import {createContext} from 'preact';
import {useContext, useLayoutEffect, useRef, useState} from 'preact/hooks';
import {Prose} from './text.tsx';

/** A confirmation of an order before it is sent. */
export interface Confirmation {
  readonly title: string;
  readonly detail: string;
  /** The agent's question, if there is one to answer. */
  readonly question?: string | null;
  readonly doLabel: string;
  readonly tone: 'danger' | 'plain';
  /** Whether a message can be sent with it. */
  readonly takesMessage?: boolean;
  readonly act: (message: string | null) => Promise<unknown>;
  readonly doneText: string;
}

export interface Toast {
  readonly key: number;
  readonly text: string;
  readonly isError: boolean;
}

export interface Interaction {
  /** Asks for confirmation, sends the order, and shows the result. */
  readonly confirm: (confirmation: Confirmation) => void;
  /** Sends the order without confirmation. */
  readonly perform: (act: () => Promise<unknown>, doneText: string) => Promise<boolean>;
  readonly notify: (text: string, isError?: boolean) => void;
}

const nowhere: Interaction = {confirm: () => {}, perform: async () => false, notify: () => {}};
export const InteractionContext = createContext(nowhere);

export function useInteraction(): Interaction {
  return useContext(InteractionContext);
}

export function ConfirmDialog({
  confirmation,
  interaction,
  close,
}: {
  confirmation: Confirmation;
  interaction: Interaction;
  close: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [message, setMessage] = useState('');
  const [isBusy, setBusy] = useState(false);
  // With the rendering: a key pressed after it belongs to the dialog.
  useLayoutEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  const act = async () => {
    setBusy(true);
    const given = message.trim() === '' ? null : message.trim();
    const isDone = await interaction.perform(() => confirmation.act(given), confirmation.doneText);
    setBusy(false);
    if (isDone) close();
  };
  return (
    <dialog ref={dialog} class="ask" aria-labelledby="ask-title" onClose={close}>
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault();
          void act();
        }}
      >
        <h2 id="ask-title">{confirmation.title}</h2>
        <p>{confirmation.detail}</p>
        {confirmation.question ? <QuestionBox text={confirmation.question} /> : null}
        {confirmation.takesMessage ? (
          <label class="field">
            <span>Message for the agent’s next turn (optional)</span>
            <textarea
              rows={4}
              value={message}
              onInput={(event) => setMessage(event.currentTarget.value)}
            />
          </label>
        ) : null}
        <div class="ask-buttons">
          <button type="button" onClick={close}>
            Cancel
          </button>
          <button
            type="submit"
            class={confirmation.tone === 'danger' ? 'danger' : 'primary'}
            disabled={isBusy}
          >
            {confirmation.doLabel}
          </button>
        </div>
      </form>
    </dialog>
  );
}

export function QuestionBox({text}: {text: string}) {
  return (
    <blockquote class="question">
      <Prose text={text} />
    </blockquote>
  );
}
