import {useLayoutEffect, useRef} from 'preact/hooks';

export interface Shortcut {
  readonly keys: string;
  readonly does: string;
  readonly act: () => void;
}

/** One key each, inactive while a text field or a dialog has the focus. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  // With the rendering: a key acts on what the page shows now.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector('dialog[open]') !== null) return;
      const found = shortcuts.find(({keys}) => keys === event.key);
      if (found === undefined) return;
      event.preventDefault();
      found.act();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [shortcuts]);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select');
}

/** From row to row, as in a mail program. */
export function moveRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('a.row-link')];
  const at = rows.findIndex((row) => row === document.activeElement);
  const next = at < 0 ? (step === 1 ? 0 : rows.length - 1) : at + step;
  rows[Math.min(Math.max(next, 0), rows.length - 1)]?.focus();
}

export function ShortcutList({
  shortcuts,
  close,
}: {
  shortcuts: readonly Shortcut[];
  close: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="ask" aria-labelledby="keys-title" onClose={close}>
      <h2 id="keys-title">Keyboard</h2>
      <dl class="keys">
        {shortcuts.map(({keys, does}) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
        <div>
          <dt>
            <kbd>Tab</kbd> <kbd>Enter</kbd>
          </dt>
          <dd>go to a control, press it</dd>
        </div>
      </dl>
      <div class="ask-buttons">
        <button type="button" class="primary" onClick={close}>
          Close
        </button>
      </div>
    </dialog>
  );
}
