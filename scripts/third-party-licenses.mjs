// The licences of the libraries inside our bundles ask that their text goes where the code goes.
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

const LICENSE_FILE = /^(licen[cs]e|copying)(\.(md|txt))?$/i;

/**
 * @param {readonly string[]} inputs absolute paths of what was bundled
 * @returns {string}
 */
export function licensesOf(inputs) {
  const folders = new Set(
    inputs.flatMap((path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? []),
  );
  const entries = [...folders].map((folder) => {
    const {name, version, license} = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((entry) => LICENSE_FILE.test(entry));
    const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trim();
    return `${name} ${version} (${license})\n\n${text}`.trim();
  });
  const line = '-'.repeat(80);
  return `Symphony Supervisor contains these libraries.\n${entries
    .toSorted()
    .map((entry) => `\n${line}\n${entry}\n`)
    .join('')}`;
}
