import {Host} from './host.ts';
import {keepJournal} from './journal.ts';
import {lineSplitter} from './json.ts';
import {parseOptions, USAGE} from './options.ts';
import {connectControl} from './puppet/control.ts';
import {loadScript} from './script/script.ts';
import {AppServer} from './server/app-server.ts';
import {Wire} from './server/wire.ts';

const options = parseOptions(process.argv.slice(2), process.env);
if (options.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}
if (options.exit !== undefined) process.exit(Number(options.exit));

const script = await loadScript(options).catch((error: unknown) => {
  process.stderr.write(`scripted-agent: ${error instanceof Error ? error.message : error}\n`);
  process.exit(2);
});
const host = new Host(new Wire(process.stdout), options.home);
if (options.control !== undefined) connectControl(options.control, host);
if (options.journal !== undefined) keepJournal(options.journal, host, process.env);
const server = new AppServer(host, options, script);

process.stdout.on('error', () => {}); // the client is gone; its closing of stdin ends us
process.on('SIGTERM', () => host.endBy('SIGTERM'));
process.stdin
  .setEncoding('utf8')
  .on(
    'data',
    lineSplitter((line) => server.receive(line)),
  )
  .on('end', () => host.endBy('stdin'));
