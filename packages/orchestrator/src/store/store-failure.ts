/** Why the store cannot be read or written. */
export type StoreFailureCode =
  | 'store_full'
  | 'store_read_only'
  | 'store_busy'
  | 'store_corrupt'
  | 'store_io_error'
  | 'store_failed';

/** Nothing of the change was saved; the call may be repeated. */
export class StoreFailure extends Error {
  override readonly name = 'StoreFailure';
  readonly code: StoreFailureCode;

  constructor(code: StoreFailureCode, message: string, options: {cause?: unknown} = {}) {
    super(message, options);
    this.code = code;
  }

  static from(error: unknown, during: string): StoreFailure {
    if (error instanceof StoreFailure) return error;
    const reason = error instanceof Error ? error.message : String(error);
    return new StoreFailure(codeOf(error), `${during}: ${reason}`, {cause: error});
  }
}

/** Written by a newer version. Reading it could lose data that this version does not know. */
export class StoreTooNew extends Error {
  override readonly name = 'StoreTooNew';
  readonly code = 'store_too_new';
  readonly path: string;
  readonly found: number;
  readonly known: number;

  constructor(path: string, found: number, known: number, copy: string | null) {
    const back =
      copy === null
        ? 'restore a backup'
        : `replace it with ${copy}, the copy from before the upgrade`;
    super(
      `${path} has schema version ${found}, but this version supports up to ${known}: ` +
        `install the version that wrote it or a newer one, ${back}, or use another --state-dir`,
    );
    this.path = path;
    this.found = found;
    this.known = known;
  }
}

export function isCorruption(error: unknown): boolean {
  return codeOf(error) === 'store_corrupt';
}

/** SQLite's primary result codes; the upper bits of `errcode` only say where it happened. */
const BY_RESULT: Readonly<Record<number, StoreFailureCode>> = {
  5: 'store_busy',
  6: 'store_busy',
  8: 'store_read_only',
  10: 'store_io_error',
  11: 'store_corrupt',
  13: 'store_full',
  26: 'store_corrupt', // not a database at all
};

/**
 * The binding omits `errcode` if a query fails between two rows; these are SQLite's own messages.
 */
const BY_TEXT: Readonly<Record<string, StoreFailureCode>> = {
  'database is locked': 'store_busy',
  'attempt to write a readonly database': 'store_read_only',
  'disk I/O error': 'store_io_error',
  'database disk image is malformed': 'store_corrupt',
  'database or disk is full': 'store_full',
  'file is not a database': 'store_corrupt',
};

const BY_ERRNO: Readonly<Record<string, StoreFailureCode>> = {
  EACCES: 'store_read_only',
  EPERM: 'store_read_only',
  EROFS: 'store_read_only',
  ENOSPC: 'store_full',
  EDQUOT: 'store_full',
  EIO: 'store_io_error',
};

function codeOf(error: unknown): StoreFailureCode {
  if (error instanceof StoreFailure) return error.code;
  const result = resultCode(error);
  if (result !== null) return BY_RESULT[result & 0xff] ?? 'store_failed';
  if (!(error instanceof Error)) return 'store_failed';
  const errno = 'code' in error ? String(error.code) : '';
  return BY_ERRNO[errno] ?? BY_TEXT[error.message] ?? 'store_failed';
}

/** SQLite's extended result code, if it was SQLite that failed. */
export function resultCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error)) return null;
  return typeof error.errcode === 'number' ? error.errcode : null;
}
