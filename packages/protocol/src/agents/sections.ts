import type * as z from 'zod/mini';
import {acpSection} from './acp/section.ts';
import {claudeSection} from './claude/section.ts';
import {codexSection} from './codex/section.ts';

/** The front matter's section of each kind of agent. This is the list of kinds that the schema knows. */
export const AGENT_SECTIONS = {codex: codexSection, claude: claudeSection, acp: acpSection};

/** Those sections with every default in place. */
export type GivenSections = {
  readonly [Kind in keyof typeof AGENT_SECTIONS]: z.output<(typeof AGENT_SECTIONS)[Kind]>;
};
