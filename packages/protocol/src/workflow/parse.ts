import {resolve} from 'node:path';
import type {AgentKind} from '../agents/agent-job.ts';
import type {Workflow} from '../settings.ts';
import type {FileContext} from './context.ts';
import {type SharedSetting, sharedSettings} from './first-file.ts';
import {checkSettings} from './keys/given-settings.ts';
import {reportUnknownKeys} from './keys/known-keys.ts';
import type {GivenSettings} from './keys/schema.ts';
import type {PromptFile} from './prompt-file.ts';
import {flatKeysOf, secretKeysOf} from './provider.ts';
import {resolveSettings} from './resolve.ts';
import {resolveRoles} from './roles.ts';
import type {SecretFile} from './secrets/secret-file.ts';
import type {Complaint, ComplaintCode} from './text/complaint.ts';
import {collectFindings} from './text/findings.ts';
import {readFrontMatter} from './text/front-matter.ts';
import {splitFile} from './text/split-file.ts';
import {findProfile, resolveTracker} from './tracker.ts';

export type WorkflowReading =
  | {
      readonly ok: true;
      readonly workflow: Workflow;
      readonly warnings: readonly Complaint[];
      readonly shared: readonly SharedSetting[];
      /** Further files that it is made of: the prompts of roles. */
      readonly files: readonly string[];
    }
  | {
      readonly ok: false;
      readonly errors: readonly Complaint[];
      readonly warnings: readonly Complaint[];
      /** What could be understood, defaults in the place of the rest: to look at, not to work with. */
      readonly draft: Workflow | null;
      readonly files: readonly string[];
    };

/** Far larger than any prompt: a larger file is the wrong one. */
export const MAX_WORKFLOW_BYTES = 1_000_000;

/** Room for long hooks; the time to check a map grows with the square of its keys. */
const MAX_FRONT_MATTER_CHARACTERS = 100_000;

/** A list of variable names; `NAME=secret` is a common mistake. */
const MEANT_FOR_NAMES = ['agent', 'env'];

/** A workflow file's text, read to its end: all that is wrong with it is told at once. */
export function parseWorkflow(text: string, context: FileContext): WorkflowReading {
  return beginParsing(text, context).conclude();
}

export interface Parsing {
  readonly secretFiles: readonly SecretFile[];
  readonly promptFiles: readonly PromptFile[];
  /** Includes every problem reported so far. */
  readonly conclude: () => WorkflowReading;
}

/** The same in two steps: between them the caller reports problems of the files that the settings name. */
export function beginParsing(text: string, context: FileContext): Parsing {
  const refuse = (reading: WorkflowReading): Parsing => ({
    secretFiles: [],
    promptFiles: [],
    conclude: () => reading,
  });
  if (Buffer.byteLength(text) > MAX_WORKFLOW_BYTES) return refuse(tooLarge(context.path));
  const parts = splitFile(text);
  if (parts === null) {
    const message =
      'the front matter is opened by this "---" and never closed; give a second "---" below it';
    return refuse(unreadable('workflow_parse_error', context.path, message));
  }
  const {frontMatter: yaml, prompt: template} = parts;
  if (yaml.length > MAX_FRONT_MATTER_CHARACTERS) {
    const message = `the front matter is longer than ${MAX_FRONT_MATTER_CHARACTERS} characters`;
    return refuse(unreadable('workflow_parse_error', context.path, message));
  }
  const reading = readFrontMatter(yaml);
  if (!reading.ok) {
    const errors = reading.problems.map((problem) => ({...problem, path: context.path}));
    return refuse({ok: false, errors, warnings: [], draft: null, files: []});
  }

  const {frontMatter} = reading;
  const profiles = Object.values(context.profiles);
  const hidden = [...secretKeysOf(profiles), MEANT_FOR_NAMES];
  const findings = collectFindings(context.path, frontMatter, hidden);
  const given = withAgent(checkSettings(frontMatter.value, findings), context.agentKind);
  const profile = findProfile(given.tracker.kind, context, findings);
  const flatKeys = (profile ? [profile] : profiles).flatMap((each) => [...flatKeysOf(each).keys()]);
  reportUnknownKeys(frontMatter.value, flatKeys, findings);
  const raw = frontMatter.value.tracker;
  const tracker =
    profile && resolveTracker(given.tracker, raw, profile, template, context, findings);
  const settings = resolveSettings(given, tracker, context, findings);

  const prompt = {template, engine: given.prompt.engine};
  const roles = settings && resolveRoles(given, {...settings, prompt}, context, findings);
  const promptFiles = roles?.promptFiles ?? [];
  const files = promptFiles.map((file) => file.path);
  const conclude = (): WorkflowReading => {
    const errors = findings.errors();
    const warnings = findings.warnings();
    const found = roles?.conclude();
    const workflow = settings && {
      ...{path: resolve(context.path), settings, prompt},
      ...(found && {roles: found}),
    };
    if (workflow === null || errors.length > 0) {
      return {ok: false, errors, warnings, draft: workflow, files};
    }
    return {ok: true, workflow, warnings, shared: sharedSettings(frontMatter), files};
  };
  return {secretFiles: findings.secretFiles, promptFiles, conclude};
}

/** The file's command, model and effort are those of its own kind. */
function withAgent(given: GivenSettings, kind: AgentKind | undefined): GivenSettings {
  if (kind === undefined || kind === given.agent.kind) return given;
  return {...given, agent: {...given.agent, kind, command: null, model: null, effort: null}};
}

export function tooLarge(path: string): WorkflowReading {
  const message = `the file is larger than ${MAX_WORKFLOW_BYTES} bytes; give a workflow file`;
  return unreadable('workflow_parse_error', path, message);
}

/** Wrong as a whole: there is no place in the file to point at but its start. */
export function unreadable(code: ComplaintCode, path: string, message: string): WorkflowReading {
  const errors = [{code, message, path, line: 1, column: 1}];
  return {ok: false, errors, warnings: [], draft: null, files: []};
}
