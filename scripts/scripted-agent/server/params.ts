import {type Fields, fieldsOf} from '../json.ts';
import {Refusal} from './wire.ts';

/** Params are checked as far as the real server does, and refused in its words. */
export function textOf(params: Fields, name: string): string {
  const value = params[name];
  if (typeof value === 'string') return value;
  throw new Refusal(
    value === undefined
      ? `Invalid request: missing field \`${name}\``
      : `Invalid request: invalid type: ${typeof value} \`${value}\`, expected a string`,
  );
}

const APPROVALS = ['untrusted', 'on-request', 'granular', 'never'];

// Spelled in kebab case for a thread and tagged in camel case for a turn; the echo is always the latter.
const SANDBOXES: {readonly [name: string]: Fields} = {
  'read-only': {type: 'readOnly', networkAccess: false},
  'workspace-write': {
    type: 'workspaceWrite',
    writableRoots: [],
    networkAccess: false,
    excludeTmpdirEnvVar: false,
    excludeSlashTmp: false,
  },
  'danger-full-access': {type: 'dangerFullAccess'},
};
const SANDBOX_TYPES = ['dangerFullAccess', 'readOnly', 'externalSandbox', 'workspaceWrite'];

/** The policy asked for, or `current` where none was. */
export function approvalPolicy(asked: unknown, current: unknown): unknown {
  if (asked === undefined || asked === null) return current;
  const [variant] = typeof asked === 'string' ? [asked] : Object.keys(fieldsOf(asked));
  return known(variant, APPROVALS) && asked;
}

export function threadSandbox(asked: unknown, current: Fields): Fields {
  if (asked === undefined || asked === null) return current;
  known(asked, Object.keys(SANDBOXES));
  return SANDBOXES[String(asked)] ?? current;
}

export function turnSandbox(asked: unknown, current: Fields): Fields {
  if (asked === undefined || asked === null) return current;
  const policy = fieldsOf(asked);
  known(policy.type, SANDBOX_TYPES);
  return policy.type === 'workspaceWrite' ? {...SANDBOXES['workspace-write'], ...policy} : policy;
}

/** The real server's default in a folder that is not trusted. */
export const UNTRUSTED = {
  approvalPolicy: 'on-request' as unknown,
  sandbox: {type: 'readOnly', networkAccess: false} as Fields,
};

function known(variant: unknown, variants: readonly string[]): true {
  if (variants.includes(String(variant))) return true;
  const list = variants.map((name) => `\`${name}\``).join(', ');
  throw new Refusal(`Invalid request: unknown variant \`${variant}\`, expected one of ${list}`);
}
