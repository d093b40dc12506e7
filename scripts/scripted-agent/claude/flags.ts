/** What the client puts behind the command: the flags of `claude -p`. Those that change nothing here are left out. */
export interface ClientFlags {
  readonly resume: string | null;
  readonly sessionId: string | null;
  readonly model: string;
  readonly permissionMode: string;
}

export function readFlags(args: readonly string[]): ClientFlags {
  const after = (flag: string): string | null => {
    const at = args.indexOf(flag);
    return at === -1 ? null : (args[at + 1] ?? null);
  };
  return {
    resume: after('--resume'),
    sessionId: after('--session-id'),
    model: after('--model') ?? 'scripted',
    permissionMode: after('--permission-mode') ?? 'default',
  };
}
