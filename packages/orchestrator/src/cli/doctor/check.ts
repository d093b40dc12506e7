/** What was checked, what was found, and how to fix it. */
export interface Check {
  readonly name: string;
  /** `skip`: could not be checked here; not an error. */
  readonly status: 'ok' | 'warn' | 'fail' | 'skip';
  readonly found: string;
  readonly remedy: string | null;
}

export function ok(name: string, found: string): Check {
  return {name, status: 'ok', found, remedy: null};
}

export function warn(name: string, found: string, remedy: string): Check {
  return {name, status: 'warn', found, remedy};
}

export function fail(name: string, found: string, remedy: string): Check {
  return {name, status: 'fail', found, remedy};
}

export function skip(name: string, found: string): Check {
  return {name, status: 'skip', found, remedy: null};
}
