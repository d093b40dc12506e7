import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {parseArgs} from 'node:util';

export const USAGE = `scripted-agent: implements the protocol of an agent on stdio and follows a script

  --protocol NAME      codex ("codex app-server", the default), claude ("claude -p" with JSON lines) or acp (the
                       Agent Client Protocol)
  --script FILE        list of turns, each a list of steps (.json, or YAML)
  --script-json JSON   the same, inline
  --from-prompt        each turn's steps are in a fenced block "agent" of its input
  --control SOCKET     takes orders from a test, and reports to it
  --journal FILE       appends received messages and ends of turns, one JSON object per line
  --home DIR           where threads are kept (default: $CODEX_HOME, else a temporary folder)
  --started-gate NAME  "turn/started" waits until the test opens this gate
  --echo-policy X      reports another approval policy than the requested one
  --echo-sandbox X     reports another sandbox than the requested one
  --not-logged-in      "account/read" returns no account
  --fail-initialize    refuses the handshake
  --refuse-resume      refuses to resume earlier threads
  --silent             never responds
  --exit CODE          exits immediately

  With --protocol acp:
  --protocol-version N answers the handshake with this version
  --without LIST       lacks what the list names: http, resume, load, tools
`;

export type Options = ReturnType<typeof parse>;

/** Clients of `claude -p` put their own flags behind the command, the first of which is -p. */
export function parseOptions(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): {options: Options; clientFlags: readonly string[]} {
  const at = args.indexOf('-p');
  const end = at === -1 ? args.length : at;
  return {options: parse(args.slice(0, end), env), clientFlags: args.slice(end)};
}

function parse(args: readonly string[], env: NodeJS.ProcessEnv) {
  const {values} = parseArgs({
    args: [...args],
    // Commands are often written with the subcommand of the original: "… app-server".
    allowPositionals: true,
    options: {
      protocol: {type: 'string', default: 'codex'},
      'protocol-version': {type: 'string', default: '1'},
      without: {type: 'string', default: ''},
      script: {type: 'string'},
      'script-json': {type: 'string'},
      'from-prompt': {type: 'boolean', default: false},
      control: {type: 'string'},
      journal: {type: 'string'},
      home: {type: 'string', default: env.CODEX_HOME ?? join(tmpdir(), 'scripted-agent')},
      'started-gate': {type: 'string'},
      'echo-policy': {type: 'string'},
      'echo-sandbox': {type: 'string'},
      'not-logged-in': {type: 'boolean', default: false},
      'fail-initialize': {type: 'boolean', default: false},
      'refuse-resume': {type: 'boolean', default: false},
      silent: {type: 'boolean', default: false},
      exit: {type: 'string'},
      help: {type: 'boolean', default: false},
    },
  });
  return values;
}
