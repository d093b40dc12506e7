import type {Workflow} from '@symphony-supervisor/protocol';
import {type Check, fail, ok, skip, warn} from './check.ts';
import {tryCommand} from './command.ts';
import {commandsIn, type ShellCommand, type ShellWord} from './shell-words.ts';

const LIMIT_MS = 20_000;

/** What a script needs, as far as this machine can be asked without running the script. */
export async function checkHooks({settings: {hooks}}: Workflow): Promise<Check[]> {
  const scripts = {
    after_create: hooks.afterCreate,
    before_run: hooks.beforeRun,
    after_run: hooks.afterRun,
    deliver: hooks.deliver,
    before_remove: hooks.beforeRemove,
  };
  const checks: Check[] = [];
  for (const [name, script] of Object.entries(scripts)) {
    if (script !== null) checks.push(await checkScript(`hooks.${name}`, script));
  }
  return [...checks, ...(await checkClones(hooks.afterCreate))];
}

async function checkScript(name: string, script: string): Promise<Check> {
  const syntax = await tryCommand('sh', ['-n', '-c', script], LIMIT_MS);
  if (!syntax.ok) return fail(name, syntax.said, 'correct the script: the shell cannot parse it');
  const commands = commandsIn(script);
  if (commands === null) return skip(name, 'the script is too complex to list its programs');
  const wanted = [...new Set(commands.flatMap((command) => programOf(command) ?? []))];
  const look =
    'for name in "$@"; do command -v -- "$name" >/dev/null || echo "missing $name"; done';
  const {said} = await tryCommand('bash', ['-lc', look, 'bash', ...wanted], LIMIT_MS);
  const missing = [...said.matchAll(/^missing (.*)$/gm)].flatMap(([, program = '']) =>
    isFunction(script, program) ? [] : [program],
  );
  if (missing.length === 0) return ok(name, `${wanted.length} programs found`);
  const remedy = 'install them, or add their folder to PATH in ~/.profile';
  return warn(name, `not found: ${missing.join(', ')}`, remedy);
}

/** Words before a command that are not commands. */
const BEFORE = new Set(['if', 'then', 'else', 'elif', 'while', 'until', 'do', '!', 'time', 'exec']);
const NO_PROGRAM = new Set(['for', 'in', 'fi', 'done', 'function', 'select']);

/** null: a keyword, an assignment, or a function of the script. */
function programOf({words}: ShellCommand): string | null {
  const first = words.find(({text}) => !BEFORE.has(text) && !/^\w+=/.test(text));
  if (first === undefined || first.isExpanded || NO_PROGRAM.has(first.text)) return null;
  // A path inside the workspace exists only while the script runs.
  return /^(\/[\w./+-]+|[\w.+[-]+)$/.test(first.text) ? first.text : null;
}

function isFunction(script: string, name: string): boolean {
  const escaped = name.replace(/[^\w]/g, '\\$&');
  return new RegExp(`(^|[\\s;])(function\\s+${escaped}\\b|${escaped}\\s*\\(\\))`).test(script);
}

/** The most common failure of a first run: a repository that this user cannot read. */
async function checkClones(script: string | null): Promise<Check[]> {
  const addresses = (script === null ? null : commandsIn(script))?.flatMap(cloneAddress) ?? [];
  return Promise.all(addresses.map(checkClone));
}

async function checkClone({text: address, isExpanded}: ShellWord): Promise<Check> {
  const name = 'clone';
  if (isExpanded) return skip(name, `${address} is expanded only when the hook runs`);
  if (!isAddress(address)) {
    const remedy =
      'give an address (https://…, git@host:…, file://…) or an absolute path in hooks.after_create';
    return warn(name, `${address} is a path inside the new, empty workspace`, remedy);
  }
  const env = {
    ...process.env,
    // git must not prompt: no one could answer.
    ...{GIT_TERMINAL_PROMPT: '0', GIT_ASKPASS: 'true', SSH_ASKPASS: 'true'},
    GIT_SSH_COMMAND: 'ssh -oBatchMode=yes -oConnectTimeout=10',
  };
  const asked = await tryCommand('git', ['ls-remote', '--quiet', '--', address], LIMIT_MS, env);
  if (asked.ok) return ok(name, `${address} can be read`);
  const why = asked.said.split('\n').find((line) => line.trim() !== '') ?? 'no answer';
  const remedy = `run it as this user: git ls-remote ${address}; hooks cannot ask for a password`;
  return fail(name, `${address}: ${why}`, remedy);
}

function isAddress(address: string): boolean {
  return /^(\/|[a-z+]+:\/\/|[\w.-]+@?[\w.-]*:)/i.test(address);
}

const OPTIONS_WITH_VALUE = new Set([
  ...['-b', '--branch', '--depth', '-o', '--origin', '-c', '--config', '-j', '--jobs'],
  ...['--reference', '--template', '--filter', '-u', '--upload-pack', '--shallow-since'],
  '--separate-git-dir',
]);

function cloneAddress({words}: ShellCommand): ShellWord[] {
  const at = words.findIndex(({text}) => text === 'clone');
  if (at < 1 || !words.slice(0, at).some(({text}) => text === 'git')) return [];
  const rest = words.slice(at + 1);
  while (rest[0]?.text.startsWith('-')) {
    const option = rest.shift();
    if (option?.text === '--') break;
    if (option !== undefined && OPTIONS_WITH_VALUE.has(option.text)) rest.shift();
  }
  return rest[0] === undefined ? [] : [rest[0]];
}
