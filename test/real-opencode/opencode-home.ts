import {writeFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {join} from 'node:path';

/** The program itself; opencode's own package is a launcher for it. */
const PROGRAM = createRequire(import.meta.url).resolve('opencode-linux-x64/bin/opencode');

/** The command of an opencode whose model is a stub. It keeps its conversations below `HOME`. */
export async function opencodeCommand(
  folder: string,
  baseUrl: string,
  more: object = {},
): Promise<string> {
  const path = join(folder, 'opencode-config.json');
  const config = {
    provider: {anthropic: {options: {baseURL: `${baseUrl}/v1`}}},
    ...{model: 'anthropic/claude-sonnet-4-5', share: 'disabled', ...more},
  };
  await writeFile(path, JSON.stringify(config));
  const variables = {
    ...{OPENCODE_CONFIG: path, ANTHROPIC_API_KEY: 'sk-of-a-stub'},
    // It would ask the internet which models there are.
    OPENCODE_DISABLE_MODELS_FETCH: '1',
  };
  const assigned = Object.entries(variables).map(([name, value]) => `${name}='${value}'`);
  return `${assigned.join(' ')} exec '${PROGRAM}' acp`;
}
