import type {Findings} from '../../workflow/text/findings.ts';
import {isRecord} from '../../workflow/text/front-matter.ts';
import type {GivenSections} from '../sections.ts';

type Policy = GivenSections['codex']['approval_policy'];

const KEY = ['codex', 'approval_policy'];

/**
 * Codex once took `{reject: …}`, which named what to refuse; today it takes `{granular: …}`, which
 * names what to ask for. Older files still say the former.
 */
export function resolveApprovalPolicy(given: Policy, findings: Findings): Policy {
  if (typeof given === 'string' || !Object.hasOwn(given, 'reject')) return given;
  const {reject, ...others} = given;
  if (
    !isRecord(reject) ||
    !Object.values(reject).every((refused) => typeof refused === 'boolean')
  ) {
    findings.reject([...KEY, 'reject'], 'a map from names to true or false');
    return given;
  }
  const asked = Object.entries(reject).map(([name, refused]) => [name, !refused]);
  findings.warn(
    'outdated_setting',
    [...KEY, 'reject'],
    'codex.approval_policy.reject is no longer understood by Codex; it is read as "granular" with each value inverted',
  );
  return {...others, granular: Object.fromEntries(asked)};
}
