import {createContext} from 'preact';
import {useContext, useLayoutEffect, useRef, useState} from 'preact/hooks';
import {Prose} from './text.tsx';

/** What a person is asked before something is done. */
export interface Asked {
  readonly title: string;
  readonly detail: string;
  /** What the agent wanted to know, if there is something to answer. */
  readonly question?: string | null;
  readonly doLabel: string;
  readonly tone: 'danger' | 'plain';
  /** Whether a message can go with it. */
  readonly takesMessage?: boolean;
  readonly act: (message: string | null) => Promise<unknown>;
  readonly doneText: string;
}

export interface Told {
  readonly key: number;
  readonly text: string;
  readonly isError: boolean;
}

export interface Desk {
  /** Asks, does it, and tells what came of it. */
  readonly ask: (asked: Asked) => void;
  /** Does it without asking. */
  readonly perform: (act: () => Promise<unknown>, doneText: string) => Promise<boolean>;
  readonly tell: (text: string, isError?: boolean) => void;
}

const nowhere: Desk = {ask: () => {}, perform: async () => false, tell: () => {}};
export const DeskContext = createContext(nowhere);

export function useDesk(): Desk {
  return useContext(DeskContext);
}

export function AskDialog({asked, desk, close}: {asked: Asked; desk: Desk; close: () => void}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [message, setMessage] = useState('');
  const [isBusy, setBusy] = useState(false);
  // With the drawing: a key pressed after it belongs to the dialog.
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
    const isDone = await desk.perform(() => asked.act(given), asked.doneText);
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
        <h2 id="ask-title">{asked.title}</h2>
        <p>{asked.detail}</p>
        {asked.question ? <QuestionBox text={asked.question} /> : null}
        {asked.takesMessage ? (
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
            class={asked.tone === 'danger' ? 'danger' : 'primary'}
            disabled={isBusy}
          >
            {asked.doLabel}
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
