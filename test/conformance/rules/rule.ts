/** A test of a lower level that shows a rule: a file, and words of the test's name in it. */
export interface Shown {
  readonly file: string;
  readonly test: string;
}

export interface Rule {
  /** The section of the contract, then words that lead to the place: `3.reconcile.terminal`. */
  readonly id: string;
  readonly says: string;
  /** null: by a case of this suite, or not at all. */
  readonly shown: Shown | null;
}

/** A rule that a case of this suite shows; with none it is open. */
export function rule(id: string, says: string, shown: Shown | null = null): Rule {
  return {id, says, shown};
}

export function core(file: string, test: string): Shown {
  return {file: `packages/orchestrator/test/core/${file}.test.ts`, test};
}

export function shell(file: string, test: string): Shown {
  return {file: `packages/orchestrator/test/shell/${file}.test.ts`, test};
}

export function store(file: string, test: string): Shown {
  return {file: `packages/orchestrator/test/store/${file}.test.ts`, test};
}

export function http(file: string, test: string): Shown {
  return {file: `packages/orchestrator/test/http/${file}.test.ts`, test};
}

export function protocol(file: string, test: string): Shown {
  return {file: `packages/protocol/test/${file}.test.ts`, test};
}

export function tracker(file: string, test: string): Shown {
  return {file: `packages/tracker/test/${file}.test.ts`, test};
}

export function runner(file: string, test: string): Shown {
  return {file: `packages/runner/test/${file}.test.ts`, test};
}

/** Of whole processes: `runner/hooks`, `supervisor/cut-off`, `chaos/daemons`. */
export function whole(file: string, test: string): Shown {
  return {file: `test/${file}.test.ts`, test};
}
