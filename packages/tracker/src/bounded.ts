/** `Promise.all` over a map with at most `limit` calls in flight. Keeps the order. */
export async function mapBounded<In, Out>(
  items: readonly In[],
  limit: number,
  work: (item: In) => Promise<Out>,
): Promise<Out[]> {
  const results = new Array<Out>(items.length);
  // All workers draw from one iterator, so each item is taken once.
  const queue = items.entries();
  const worker = async () => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({length: Math.min(limit, items.length)}, worker));
  return results;
}
