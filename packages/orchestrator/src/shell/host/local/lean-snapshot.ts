/** Names of Node's modules are short. */
const LONGEST_NAME = 200;
/** Node has hundreds; fewer in a row may be a coincidence. */
const LEAST_MODULES = 100;
const LENGTH_BYTES = 8;

/**
 * A snapshot that ends without what Node has compiled of all its modules: every process would keep a copy of that,
 * 3 MB, and what a runner uses of them is compiled in its heap already. Node can be asked to leave that out, but
 * then leaves out what it has compiled of the heap's functions, too. In the file it is the last part: a count,
 * then for each module its name and its code, both with their length before them. A file that does not end
 * exactly so is returned as it is.
 */
export function leanSnapshot(snapshot: Buffer): Buffer {
  const start = lastPartOf(snapshot);
  if (start === null) return snapshot;
  const lean = Buffer.from(snapshot.subarray(0, start + LENGTH_BYTES));
  lean.writeBigUInt64LE(0n, start);
  return lean;
}

/** From the end: where a module may begin, and how many follow up to the end if one does. */
function lastPartOf(snapshot: Buffer): number | null {
  const following = new Map([[snapshot.length, 0]]);
  for (let at = snapshot.length - 2 * LENGTH_BYTES; at >= LENGTH_BYTES; at--) {
    // No length of a name begins like that: quickly passed over, for everybody waits meanwhile.
    if (snapshot[at] === 0 || snapshot[at + 1] !== 0) continue;
    const nameBytes = lengthAt(snapshot, at);
    if (nameBytes === 0 || nameBytes > LONGEST_NAME) continue;
    const codeAt = at + LENGTH_BYTES + nameBytes;
    const next = codeAt + LENGTH_BYTES + lengthAt(snapshot, codeAt);
    const after = following.get(next);
    if (after === undefined) continue;
    const count = after + 1;
    following.set(at, count);
    const start = at - LENGTH_BYTES;
    if (count >= LEAST_MODULES && lengthAt(snapshot, start) === count) return start;
  }
  return null;
}

/** No part of a snapshot has 4 GB: a number that needs its upper half is none of a length. */
function lengthAt(snapshot: Buffer, at: number): number {
  if (at + LENGTH_BYTES > snapshot.length || snapshot.readUInt32LE(at + 4) !== 0) return Infinity;
  return snapshot.readUInt32LE(at);
}
