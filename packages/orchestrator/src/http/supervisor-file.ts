import {readFile, rm} from 'node:fs/promises';
import {join} from 'node:path';
import * as z from 'zod/mini';
import {writeForOwner} from './owner-file.ts';

/** `<state dir>/supervisor.json`: how clients find the running supervisor of this folder. */
export const SupervisorFile = z.object({
  pid: z.int(),
  started_at: z.string(),
  /** The control listener: `unix://<path>`, or `http://127.0.0.1:<port>`. */
  url: z.string(),
  /** The files of the control token and of the read token. */
  token_file: z.string(),
  read_token_file: z.string(),
  /** The fixed listener, with the dashboard; null without one. */
  dashboard_url: z.nullable(z.string()),
  /** The listener for webhooks alone; null without one. */
  webhook_url: z.nullable(z.string()),
});
export type SupervisorFile = z.infer<typeof SupervisorFile>;

export function supervisorFilePath(stateDir: string): string {
  return join(stateDir, 'supervisor.json');
}

export function writeSupervisorFile(stateDir: string, content: SupervisorFile): Promise<void> {
  return writeForOwner(supervisorFilePath(stateDir), `${JSON.stringify(content, null, 2)}\n`);
}

/**
 * null: no supervisor has run here, or it shut down cleanly. A killed one leaves its file behind.
 */
export async function readSupervisorFile(stateDir: string): Promise<SupervisorFile | null> {
  const text = await readFile(supervisorFilePath(stateDir), 'utf8').catch(() => null);
  if (text === null) return null;
  try {
    return SupervisorFile.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Only our own: a successor may have written its file already. */
export async function removeSupervisorFile(stateDir: string, pid: number): Promise<void> {
  const found = await readSupervisorFile(stateDir);
  if (found?.pid === pid) await rm(supervisorFilePath(stateDir), {force: true});
}
