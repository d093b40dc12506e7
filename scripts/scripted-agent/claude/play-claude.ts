import {uuidV7} from '../ids.ts';
import type {Options} from '../options.ts';
import type {Output} from '../output.ts';
import type {Script} from '../script/script.ts';
import {ClaudeHost} from './claude-host.ts';
import {ClaudeServer} from './claude-server.ts';
import {readFlags} from './flags.ts';

/** The agent as `claude -p --input-format stream-json` would be. */
export async function playClaude(
  output: Output,
  options: Options,
  clientFlags: readonly string[],
  script: Script,
): Promise<{host: ClaudeHost; receive: (line: string) => void}> {
  const host = new ClaudeHost(output, options.home, readFlags(clientFlags));
  const server = new ClaudeServer(host, options, script);
  const refusal = server.refusesToStart();
  if (refusal !== null) {
    process.stderr.write(`${refusal}\n`);
    const told = {type: 'result', subtype: 'error_during_execution', is_error: true};
    output.line({...told, errors: [refusal], session_id: host.sessionId, uuid: uuidV7()});
    await output.flushed();
    process.exit(1);
  }
  return {host, receive: (line) => server.receive(line)};
}
