export async function demo(..._: unknown[]): Promise<0> {
  return 0;
}
