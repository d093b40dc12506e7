import {createMask} from '../../mask.ts';
import type {SecretProfile, SecretRef, TrackerProfile} from '../../tracker-profile.ts';
import type {FileContext} from '../context.ts';
import type {ProviderEntries} from '../provider.ts';
import type {Findings} from '../text/findings.ts';
import {spellKey} from '../text/key-path.ts';
import {isSet, reportUnset, resolvePath, variableIn, warnOfPartVariable} from './variables.ts';

/** References to the adapter's secrets, by provider key. */
export function resolveSecrets(
  entries: ProviderEntries,
  profile: TrackerProfile,
  context: FileContext,
  findings: Findings,
): Readonly<Record<string, SecretRef>> {
  const found: Record<string, SecretRef> = {};
  for (const secret of profile.secrets) {
    const ref = resolveSecret(secret, entries, context, findings);
    if (ref !== null) found[secret.key] = ref;
  }
  return found;
}

/**
 * Every variable that could hold a secret: those of the adapter, used or not, and those of the
 * file.
 */
export function secretNames(
  profile: TrackerProfile,
  secrets: Readonly<Record<string, SecretRef>>,
): readonly string[] {
  const own = profile.secrets.flatMap(({env}) => env ?? []);
  const used = Object.values(secrets).flatMap((ref) => (ref.from === 'env' ? ref.name : []));
  return [...new Set([...own, ...used])];
}

function resolveSecret(
  secret: SecretProfile,
  entries: ProviderEntries,
  context: FileContext,
  findings: Findings,
): SecretRef | null {
  const given = entries.get(secret.key);
  const file = entries.get(`${secret.key}_file`);
  if (given && file) {
    const both = `${spellKey(given.key)} and ${spellKey(file.key)} are both given`;
    findings.error('invalid_setting', file.key, `${both}; give only one of them`);
    return null;
  }
  if (file) {
    if (typeof file.value !== 'string' || file.value.trim() === '') {
      findings.reject(file.key, 'the path of a file that holds the secret');
      return null;
    }
    const path = resolvePath(file.value.trim(), file.key, context, findings);
    if (path === null) return null;
    const report = (problem: string): void => {
      // A common mistake: the secret itself in place of its path.
      const shown = createMask({values: []})(path);
      findings.error('missing_secret', file.key, `${spellKey(file.key)}: ${shown} ${problem}`);
    };
    findings.secretFiles.push({path, report});
    return {from: 'file', path};
  }
  if (!given) return fromOwnVariable(secret, context, findings);
  if (typeof given.value !== 'string' || given.value.trim() === '') {
    findings.reject(given.key, 'a string, or better $NAME for a variable that holds the secret');
    return null;
  }
  const name = variableIn(given.value);
  if (name === null) {
    warnOfPartVariable(given.value, given.key, findings);
    return {from: 'value', value: given.value.trim()};
  }
  if (!isSet(name, context)) reportUnset('missing_secret', name, given.key, findings);
  return {from: 'env', name};
}

function fromOwnVariable(
  {key, env, required}: SecretProfile,
  context: FileContext,
  findings: Findings,
): SecretRef | null {
  if (env !== null && isSet(env, context)) return {from: 'env', name: env};
  if (!required) return null;
  const path = ['tracker', 'provider', key];
  const missing =
    env === null
      ? `${spellKey(path)} is missing; give`
      : `${spellKey(path)} is missing, and ${env} is not set; set ${env}, or give`;
  findings.error('missing_secret', path, `${missing} ${key} or ${key}_file`);
  return null;
}
