import {join} from 'node:path';
import {type Environment, hookEnvironment} from '../../job/environment.ts';
import {bareEnvironment} from '../git/private-git.ts';
import type {Credential} from './askpass.ts';
import {BY_HOOK, Refusal} from './refusal.ts';

/** Where to push to and fetch from, and as whom. */
export type Remote =
  /** As the operator: global git configuration, credential helpers, ssh. */
  | {readonly url: string; readonly push_with: 'git'}
  /** With a credential that is asked for just before it is used. */
  | {
      readonly url: string;
      readonly push_with: 'token';
      readonly credential: () => Promise<Credential>;
    };

/** `ext::` and other helpers run programs that the address names. */
export const PROTOCOLS = 'file:git:http:https:ssh';
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
const URL_WITH_SCHEME = /^(?:file|git|https?|ssh):\/\//i;
/** `user@host:path`; `host::path` would name a helper, and `/` or `-` come first in paths and options. */
const SCP_LIKE = /^[^/:\s-][^/:\s]*:(?!:)\S/;

/** Throws unless git is sure to take the address as we do. */
export function assertAddress({url, push_with}: Remote): void {
  const isKnown = URL_WITH_SCHEME.test(url) || SCP_LIKE.test(url) || url.startsWith('/');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  if (!isKnown || /[\u0000-\u001f\u007f]/.test(url)) {
    throw new Refusal(
      'not_allowed',
      `the remote must be an address of file, git, http, https or ssh, or an absolute path. ${BY_HOOK}`,
    );
  }
  if (push_with === 'token' && !isSafeForToken(url)) {
    throw new Refusal(
      'not_allowed',
      '`push_with: token` needs a remote that begins with https:// and has no password in it. ' +
        'Use `push_with: git` for ssh',
    );
  }
}

/** Unencrypted, a token may travel on this machine only. */
function isSafeForToken(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const {protocol, hostname, username, password} = new URL(url);
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
}

/** Of git's own variables, those by which an operator says how to connect. All others could lead git elsewhere. */
const OF_THE_OPERATOR = new Set([
  ...['GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'GIT_CONFIG_NOSYSTEM', 'GIT_ASKPASS'],
  ...['GIT_SSH', 'GIT_SSH_COMMAND', 'GIT_SSH_VARIANT', 'GIT_SSL_CAINFO', 'GIT_SSL_CAPATH'],
  ...['GIT_SSL_NO_VERIFY', 'GIT_SSL_CERT', 'GIT_SSL_KEY', 'GIT_SSL_VERSION'],
]);
/** What a network needs that is not a credential. */
const OF_THE_NETWORK =
  /^(?:(?:https?|all|no)_proxy|SSL_CERT_(?:FILE|DIR)|GIT_SSL_(?:CAINFO|CAPATH))$/i;

/** For `push_with: git`: all that the operator has, except the tracker's secrets and what could redirect git. */
export function operatorEnvironment(
  base: Environment,
  secretNames: readonly string[],
  dir: string,
): Environment {
  const kept = Object.entries(hookEnvironment(base, secretNames, {})).filter(
    ([name]) => !name.startsWith('GIT_') || OF_THE_OPERATOR.has(name),
  );
  return {
    ...Object.fromEntries(kept),
    ...common(dir),
    // A question would wait for an answer until the time limit.
    ...{SSH_ASKPASS_REQUIRE: 'never', GCM_INTERACTIVE: 'never'},
  };
}

/** For `push_with: token`: nothing of the operator's, so that no other credential is used (`~/.netrc` is one). */
export function tokenEnvironment(base: Environment, dir: string, askpass: string): Environment {
  const network = Object.entries(base).filter(([name]) => OF_THE_NETWORK.test(name));
  return {...localEnvironment(base, dir), ...Object.fromEntries(network), GIT_ASKPASS: askpass};
}

/** For questions about objects, which need neither network nor configuration. */
export function localEnvironment(base: Environment, dir: string): Environment {
  return {...bareEnvironment(base), ...common(dir), HOME: join(dir, 'no-home')};
}

function common(dir: string): Environment {
  return {
    GIT_DIR: dir,
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ALLOW_PROTOCOL: PROTOCOLS,
    ...{GIT_NO_LAZY_FETCH: '1', GIT_NO_REPLACE_OBJECTS: '1', GIT_ATTR_NOSYSTEM: '1'},
  };
}
