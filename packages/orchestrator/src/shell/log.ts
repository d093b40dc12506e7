/** Static messages, data in fields. */
export type Log = (
  level: 'debug' | 'info' | 'warn' | 'error',
  fields: Readonly<Record<string, unknown>>,
  message: string,
) => void;
