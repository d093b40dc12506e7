import {useState} from 'preact/hooks';
import {codeIn, signIn} from '../live/session.ts';

/** Shown instead of the page while the browser is not signed in. */
export function SignIn({retry}: {retry: () => void}) {
  const [link, setLink] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const code = codeIn(link);
  const submit = async () => {
    const why =
      code === null ? 'this is not a link from `symphony-supervisor open`' : await signIn(code);
    setProblem(why);
    if (why === null) retry();
  };
  return (
    <main id="main" tabIndex={-1} class="gate">
      <form
        class="panel"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <h1>This browser is not signed in</h1>
        <p>
          Run <code>symphony-supervisor open</code> where the supervisor runs, and open the link
          that it prints. The link works once, within ten minutes; the browser then stays signed in
          for 30 days.
        </p>
        <label class="field">
          <span>Or paste the link here</span>
          <input
            type="password"
            autocomplete="off"
            value={link}
            onInput={(event) => setLink(event.currentTarget.value)}
          />
        </label>
        {problem === null ? null : <p role="alert">{problem}</p>}
        <div class="ask-buttons">
          <button type="submit" class="primary" disabled={link.trim() === ''}>
            Sign in
          </button>
        </div>
      </form>
    </main>
  );
}
