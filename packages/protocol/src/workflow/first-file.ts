import {keyAt} from './keys/known-keys.ts';
import type {Complaint} from './text/complaint.ts';
import type {FrontMatter} from './text/front-matter.ts';
import {isRecord} from './text/front-matter.ts';
import {spellKey} from './text/key-path.ts';

/** Sections about the supervisor as a whole: with several projects the first file decides. */
const SECTIONS = ['server', 'logs'];

/** A setting of such a section, as a file gives it. */
export interface SharedSetting {
  readonly key: readonly [section: string, name: string];
  readonly value: unknown;
  readonly line: number;
  readonly column: number;
}

export function sharedSettings({value, positionOf}: FrontMatter): SharedSetting[] {
  return SECTIONS.flatMap((section) => {
    const given = value[section];
    if (!isRecord(given)) return [];
    return Object.entries(given).map(([name, each]) => {
      const key = [section, name] as const;
      return {key, value: each, ...positionOf(key)};
    });
  });
}

interface File {
  readonly path: string;
  readonly shared: readonly SharedSetting[];
}

/** Settings of later files that say something else than the first one, which decides. */
export function checkFirstFile([first, ...others]: readonly File[]): Complaint[] {
  if (first === undefined) return [];
  return others.flatMap(({path, shared}) =>
    shared.flatMap(({key, value, line, column}) => {
      const own = first.shared.find((other) => spellKey(other.key) === spellKey(key));
      const inForce = own?.value ?? keyAt(key).note?.fallback ?? null;
      if (value === null || JSON.stringify(value) === JSON.stringify(inForce)) return [];
      const [here, there] = [value, inForce].map((each) => JSON.stringify(each));
      const message = `${spellKey(key)} is ${here} here and ${there} in ${first.path}; the value of the first file applies`;
      return {code: 'first_file_decides', message, path, line, column, key: spellKey(key)} as const;
    }),
  );
}
