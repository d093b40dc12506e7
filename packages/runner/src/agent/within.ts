/** Waits for something, but no longer than this. */
export async function within(limitMs: number, awaited: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([awaited, limit]);
  clearTimeout(timer);
}
