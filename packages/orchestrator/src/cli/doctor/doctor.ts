export async function doctor(..._: unknown[]): Promise<0> {
  return 0;
}
