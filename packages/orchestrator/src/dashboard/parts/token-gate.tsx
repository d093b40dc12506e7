import {useState} from 'preact/hooks';
import {setToken} from '../live/api.ts';

/** Off loopback, nobody sees anything without the control token. */
export function TokenGate({retry}: {retry: () => void}) {
  const [token, setText] = useState('');
  return (
    <main id="main" tabIndex={-1} class="gate">
      <form
        class="panel"
        onSubmit={(event) => {
          event.preventDefault();
          setToken(token.trim());
          retry();
        }}
      >
        <h1>The control token, please</h1>
        <p>
          From here the supervisor asks everybody for it. Its file is named in{' '}
          <code>supervisor.json</code> in the state directory. This tab remembers it until it is
          closed.
        </p>
        <label class="field">
          <span>Token</span>
          <input
            type="password"
            autocomplete="off"
            value={token}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <div class="ask-buttons">
          <button type="submit" class="primary" disabled={token.trim() === ''}>
            Open
          </button>
        </div>
      </form>
    </main>
  );
}
