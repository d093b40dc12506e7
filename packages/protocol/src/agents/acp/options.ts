import * as z from 'zod/mini';
import {ACP_PRESET_NAMES} from './presets.ts';

/** What only agents of the Agent Client Protocol are told. */
export const AcpOptions = z.object({
  kind: z.literal('acp'),
  /** null: an agent of which nothing but the protocol is known. */
  preset: z.nullable(z.enum(ACP_PRESET_NAMES)),
  /** The agent's own word; null: the one that it starts in. */
  mode: z.nullable(z.string()),
  permissions: z.enum(['allow', 'ask']),
  /** Whether configuration that the repository brings may run code. */
  trust_repository: z.boolean(),
  /** The longest wait for each answer until there is a conversation. */
  start_timeout_ms: z.int().check(z.minimum(1)),
});
export type AcpOptions = z.infer<typeof AcpOptions>;
