/** `nobody`, who is on every system and owns nothing. */
export const ORDINARY_USER = 65_534;

/** Root may write everywhere: what is tested does not exist for it. */
export function asOrdinaryUser(): AsyncDisposable {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(ORDINARY_USER);
  return {
    [Symbol.asyncDispose]: async () => {
      if (isRoot) process.seteuid?.(0);
    },
  };
}
