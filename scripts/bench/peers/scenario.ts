import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {fileURLToPath} from 'node:url';

const BIN = fileURLToPath(
  new URL('../../../packages/orchestrator/bin/symphony-supervisor.js', import.meta.url),
);

/** One line of the tools' output; the numbers that are used here. */
export interface Measurement {
  readonly issues: number;
  readonly completed: number;
  readonly allDoneMs: number | null;
  readonly cpuMsAtDone: number;
  readonly peakRssMB: number;
  readonly peakPssMB: number;
  readonly trackerRequests: number;
  readonly shutdownMs: number;
  readonly forcedKill: boolean;
  readonly orphansAfterTerm: number;
}

/** What is different from the scenario as it stands: text in it, and what takes its place. */
export type Variation = readonly [from: string, to: string];

/** Runs a scenario of the side-by-side tools on the built supervisor, so many times. */
export async function runScenario(
  tools: string,
  name: 'A' | 'B' | 'C' | 'D',
  repeats: number,
  variation: Variation | null = null,
): Promise<Measurement[]> {
  const path = join(tools, 'scenario.sh');
  const script = varied(await readFile(path, 'utf8'), variation);
  // The script finds the other tools beside its own name.
  const args = ['-c', script, path, name, String(repeats), process.execPath, BIN];
  const child = spawn('bash', args, {stdio: ['ignore', 'pipe', 'inherit']});
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  const lines = output.split('\n').filter((line) => line.startsWith('{'));
  if (code !== 0 || lines.length !== repeats) {
    throw new Error(`scenario ${name} ended with exit code ${code}:\n${output}`);
  }
  return lines.map((line) => JSON.parse(line) as Measurement);
}

function varied(script: string, variation: Variation | null): string {
  if (variation === null) return script;
  const [from, to] = variation;
  if (!script.includes(from)) throw new Error(`the scenario has no \`${from}\` to vary`);
  return script.replace(from, () => to);
}
