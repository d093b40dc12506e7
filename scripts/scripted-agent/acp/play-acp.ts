import type {Writable} from 'node:stream';
import type {Options} from '../options.ts';
import {Output} from '../output.ts';
import type {Script} from '../script/script.ts';
import {CodexHost} from '../server/codex-host.ts';
import {TranslatedOutput} from './output.ts';
import {AcpServer} from './server.ts';
import {AcpWire} from './wire.ts';

/** The scripted agent as an agent of the Agent Client Protocol. */
export function playAcp(
  out: Writable,
  options: Options,
  script: Script,
): {host: CodexHost; receive: (line: string) => void} {
  const wire = new AcpWire(new Output(out));
  const host = new CodexHost(new TranslatedOutput(out, wire), options.home, wire);
  const server = new AcpServer(host, wire, options, script);
  return {host, receive: (line) => server.receive(line)};
}
