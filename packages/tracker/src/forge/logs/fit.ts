import type {CheckLog} from '../forge.ts';

/** Of all logs of one reaction together, in bytes. */
export const LOGS_BYTES = 32 * 1024;

/**
 * Gives each log an equal share; what a short log leaves goes to those after it. A log is cut at its
 * beginning, because the failure stands at its end.
 */
export function fitLogs(logs: readonly CheckLog[], limit = LOGS_BYTES): CheckLog[] {
  // The short ones first, so that what they leave is known.
  const order = logs
    .map((log, index) => ({index, size: sizeOf(log)}))
    .sort((a, b) => a.size - b.size);
  const fitted = [...logs];
  let left = limit;
  for (const [position, {index, size}] of order.entries()) {
    const share = Math.floor(left / (order.length - position));
    const log = logs[index];
    if (log === undefined) continue;
    const kept = size <= share ? log : cut(log, share);
    fitted[index] = kept;
    left -= sizeOf(kept);
  }
  return fitted;
}

function sizeOf({text}: CheckLog): number {
  return Buffer.byteLength(text ?? '');
}

function cut(log: CheckLog, bytes: number): CheckLog {
  const end = Buffer.from(log.text ?? '').subarray(bytes === 0 ? Infinity : -bytes);
  // Whole lines, so that no character is cut in two; the last line alone may be too long.
  const line = end.indexOf('\n');
  const whole = line === -1 ? end.subarray(firstCharacter(end)) : end.subarray(line + 1);
  return {...log, text: whole.toString()};
}

/** Bytes 10xxxxxx continue a character. */
function firstCharacter(bytes: Buffer): number {
  const start = bytes.findIndex((byte) => (byte & 0xc0) !== 0x80);
  return start === -1 ? bytes.length : start;
}
