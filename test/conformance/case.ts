import {type TestContext, test} from 'node:test';
import {RULES} from './rules/index.ts';

const KNOWN = new Set(RULES.map(({id}) => id));

/**
 * A case of the suite: what it shows stands in its name, so that whoever reads the results of the tests
 * knows the rules they are about.
 */
export function shows(
  rules: readonly string[],
  name: string,
  body: (t: TestContext) => Promise<void>,
): void {
  const unknown = rules.filter((id) => !KNOWN.has(id));
  if (unknown.length > 0) throw new Error(`no such rule: ${unknown.join(', ')}`);
  void test(`${name} [${rules.join(' ')}]`, body);
}

/** The rules in the name of a case. */
export function rulesOf(name: string): string[] {
  return /\[([^\]]+)\]$/.exec(name)?.[1]?.split(' ') ?? [];
}
