import {isDeepStrictEqual} from 'node:util';
import type {TrackerProfile} from '../tracker-profile.ts';
import type {FileContext} from './context.ts';
import {resolvePath} from './secrets/variables.ts';
import type {Findings} from './text/findings.ts';
import {type KeyPath, spellKey} from './text/key-path.ts';

/** The adapter's settings by provider key, and where in the file each one stands. */
export type ProviderEntries = ReadonlyMap<string, {readonly value: unknown; readonly key: KeyPath}>;

/** Also as `<key>_file`, for a secret. */
export function flatKeysOf(profile: TrackerProfile): ReadonlyMap<string, string> {
  const flat = new Map(Object.entries(profile.flatKeys));
  for (const [name, target] of Object.entries(profile.flatKeys)) {
    if (isSecret(target, profile)) flat.set(`${name}_file`, `${target}_file`);
  }
  return flat;
}

export function providerKeysOf({knownKeys, secrets}: TrackerProfile): readonly string[] {
  return [...knownKeys, ...secrets.flatMap(({key}) => [key, `${key}_file`])];
}

/** Where any of the adapters keeps a secret: such values are never shown, even before the kind is known. */
export function secretKeysOf(profiles: Iterable<TrackerProfile>): readonly KeyPath[] {
  return [...profiles].flatMap((profile) => [
    ...profile.secrets.map(({key}) => ['tracker', 'provider', key]),
    ...Object.entries(profile.flatKeys)
      .filter(([, target]) => isSecret(target, profile))
      .map(([name]) => ['tracker', name]),
  ]);
}

/** Joins the `tracker.provider` map with the flat keys of older files. */
export function gatherProvider(
  provider: Readonly<Record<string, unknown>>,
  tracker: Readonly<Record<string, unknown>>,
  profile: TrackerProfile,
  findings: Findings,
): ProviderEntries {
  const entries = new Map<string, {value: unknown; key: KeyPath}>();
  for (const [name, value] of Object.entries(provider)) {
    if (value !== null) entries.set(name, {value, key: ['tracker', 'provider', name]});
  }
  for (const [flat, target] of flatKeysOf(profile)) {
    const value = tracker[flat] ?? null;
    const key = ['tracker', flat];
    const other = entries.get(target);
    if (value === null) continue;
    if (other === undefined) entries.set(target, {value, key});
    else if (!isDeepStrictEqual(other.value, value)) {
      const both = `${spellKey(key)} and ${spellKey(other.key)} differ`;
      findings.error('invalid_setting', key, `${both}; give only one of them`);
    }
  }
  return entries;
}

/** Paths made absolute, secrets left out, and the rest as it is: what the adapter gets to see. */
export function resolveProvider(
  entries: ProviderEntries,
  profile: TrackerProfile,
  context: FileContext,
  findings: Findings,
): Readonly<Record<string, unknown>> {
  const secrets = new Set(profile.secrets.flatMap(({key}) => [key, `${key}_file`]));
  const provider: Record<string, unknown> = {...profile.defaults};
  for (const [name, {value}] of entries) {
    if (!secrets.has(name)) provider[name] = value;
  }
  for (const name of profile.pathKeys) {
    const path = provider[name];
    const key = entries.get(name)?.key ?? ['tracker', 'provider', name];
    // What is not a path at all is the adapter's to judge, like any of its settings.
    if (typeof path !== 'string' || path.trim() === '') continue;
    provider[name] = resolvePath(path, key, context, findings) ?? path;
  }
  return provider;
}

/** A tool that is only offered because the prompt names it; an explicit setting wins. */
export function withPromptTool(
  provider: Readonly<Record<string, unknown>>,
  {promptTool}: TrackerProfile,
  template: string,
  findings: Findings,
): Readonly<Record<string, unknown>> {
  if (promptTool === undefined || Object.hasOwn(provider, promptTool.key)) return provider;
  const {key, tool} = promptTool;
  if (!new RegExp(`(?<!\\w)${tool}(?!\\w)`).test(template)) return provider;
  const path = ['tracker', 'provider', key];
  findings.warn(
    'tool_by_prompt',
    path,
    `the prompt names ${tool}, so the agent gets it, with all permissions of the key; give ${spellKey(path)}: true to keep it, or false to remove it`,
  );
  return {...provider, [key]: true};
}

/** The adapter's own complaints, told like all others. */
export function checkProvider(
  provider: Readonly<Record<string, unknown>>,
  entries: ProviderEntries,
  profile: TrackerProfile,
  findings: Findings,
): void {
  for (const {key, expected} of profile.checkProvider(provider)) {
    const [name, ...below] = key;
    const entry = entries.get(String(name));
    const path = entry ? [...entry.key, ...below] : ['tracker', 'provider', ...key];
    if (name === undefined || findings.isSound(path)) findings.reject(path, expected);
  }
}

function isSecret(key: string, {secrets}: TrackerProfile): boolean {
  return secrets.some((secret) => secret.key === key);
}
