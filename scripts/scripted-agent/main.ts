import type {Host} from './host.ts';
import {keepJournal} from './journal.ts';
import {lineSplitter} from './json.ts';
import {type Options, parseOptions, USAGE} from './options.ts';
import {Output} from './output.ts';
import {connectControl} from './puppet/control.ts';
import {loadScript, type Script} from './script/script.ts';
import {AppServer} from './server/app-server.ts';
import {CodexHost} from './server/codex-host.ts';

/** An agent by its protocol: a process, and what it does with a line of its client. */
interface Player {
  readonly host: Host;
  readonly receive: (line: string) => void;
}

const {options, clientFlags} = parseOptions(process.argv.slice(2), process.env);
if (options.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}
if (options.exit !== undefined) process.exit(Number(options.exit));

const script = await loadScript(options).catch((error: unknown) =>
  fail(error instanceof Error ? error.message : String(error)),
);
const {host, receive} = await playerOf(options, script);
if (options.control !== undefined) connectControl(options.control, host);
if (options.journal !== undefined) keepJournal(options.journal, host, process.env);

process.stdout.on('error', () => {}); // the client is gone; its closing of stdin ends us
process.on('SIGTERM', () => host.endBy('SIGTERM'));
process.stdin
  .setEncoding('utf8')
  .on('data', lineSplitter(receive))
  .on('end', () => host.endBy('stdin'));

async function playerOf(options: Options, script: Script): Promise<Player> {
  const output = new Output(process.stdout);
  switch (options.protocol) {
    case 'codex': {
      const host = new CodexHost(output, options.home);
      const server = new AppServer(host, options, script);
      return {host, receive: (line) => server.receive(line)};
    }
    case 'claude': {
      const {playClaude} = await import('./claude/play-claude.ts');
      return playClaude(output, options, clientFlags, script);
    }
    case 'acp': {
      const {playAcp} = await import('./acp/play-acp.ts');
      return playAcp(process.stdout, options, script);
    }
    default:
      return fail(`there is no protocol "${options.protocol}"`);
  }
}

function fail(reason: string): never {
  process.stderr.write(`scripted-agent: ${reason}\n`);
  process.exit(2);
}
