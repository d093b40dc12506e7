import type {AgentJobOf, AgentKind} from '@symphony-supervisor/protocol';
import {recordedAcp} from './acp.ts';
import {recordedClaude} from './claude.ts';
import type {RecordedKind} from './recorded-kind.ts';

/**
 * The kinds whose recordings are replayed against their session; those of Codex go through a whole runner. A new kind does
 * not compile until it is here.
 */
const RECORDED: {
  readonly [Kind in Exclude<AgentKind, 'codex'>]: RecordedKind<AgentJobOf<Kind>>;
} = {claude: recordedClaude, acp: recordedAcp};

export const RECORDED_KINDS: readonly RecordedKind[] = Object.values(RECORDED);
