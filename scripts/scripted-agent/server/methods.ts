import {arch, platform, release} from 'node:os';
import {isUuid, uuidV7} from '../ids.ts';
import {type Fields, fieldsOf} from '../json.ts';
import type {Options} from '../options.ts';
import type {Script} from '../script/script.ts';
import type {CodexHost} from './codex-host.ts';
import {textOf, threadSandbox} from './params.ts';
import {AGENT_VERSION, newThread, Thread} from './thread.ts';
import {ThreadStore} from './thread-store.ts';
import {tokenUsage} from './tokens.ts';
import {turnMethods} from './turn-methods.ts';
import {Refusal} from './wire.ts';

/** Answers a request; what is to follow the response goes into `afterwards`. */
export type Method = (params: Fields) => {result: object; afterwards?: () => void};

/** Every request that a client may make. */
export function methodsOf(
  host: CodexHost,
  options: Options,
  script: Script,
): {readonly [name: string]: Method} {
  const {wire} = host;
  const store = new ThreadStore(host.home);
  let originator = 'unknown';
  let isExperimental = false;

  /** The real server has some methods and params only for clients that asked for the experimental API. */
  const experimental = (feature: string): void => {
    if (!isExperimental) throw new Refusal(`${feature} requires experimentalApi capability`);
  };

  const settingsOf = (thread: Thread) => {
    const settings = thread.settings();
    const {'echo-policy': approvalPolicy, 'echo-sandbox': type} = options;
    return {
      ...settings,
      ...(approvalPolicy === undefined ? {} : {approvalPolicy}),
      ...(type === undefined ? {} : {sandbox: {type}}),
    };
  };

  return {
    initialize: (params) => {
      if (options['fail-initialize']) throw new Refusal('scripted to fail');
      const client = fieldsOf(params.clientInfo);
      const capabilities = fieldsOf(params.capabilities);
      originator = String(client.name);
      isExperimental = capabilities.experimentalApi === true;
      const unwanted = capabilities.optOutNotificationMethods;
      wire.optOut(Array.isArray(unwanted) ? unwanted : []);
      return {
        result: {
          userAgent: `scripted-agent/${AGENT_VERSION} (${platform()} ${release()}; ${arch()}) unknown (${originator}; ${client.version})`,
          codexHome: host.home,
          platformFamily: 'unix',
          platformOs: platform(),
        },
        afterwards: () =>
          wire.notify('remoteControl/status/changed', {
            status: 'disabled',
            serverName: 'scripted',
            installationId: uuidV7(),
            environmentId: null,
          }),
      };
    },

    'account/read': () => {
      const loggedIn = !options['not-logged-in'];
      const account = loggedIn ? {type: 'apiKey'} : null;
      return {result: {account, requiresOpenaiAuth: !loggedIn, workspaceRouting: null}};
    },

    'thread/start': (params) => {
      if (params.dynamicTools !== undefined) experimental('thread/start.dynamicTools');
      const thread = newThread(params, originator, store);
      host.threads.set(thread.id, thread);
      return {
        result: settingsOf(thread),
        afterwards: () => wire.notify('thread/started', {thread: thread.describe()}),
      };
    },

    'thread/resume': (params) => {
      const threadId = textOf(params, 'threadId');
      const record = options['refuse-resume'] ? null : store.load(threadId);
      if (record === null) throw new Refusal(`no rollout found for thread id ${threadId}`);
      const thread = host.threads.get(threadId) ?? new Thread(record, store);
      thread.configure(params, threadSandbox(params.sandbox, thread.record.sandbox));
      host.threads.set(threadId, thread);
      wire.notify('thread/status/changed', {threadId, status: {type: 'idle'}});
      const {total, last, lastTurnId: turnId} = thread.record;
      return {
        result: {
          ...settingsOf(thread),
          collaborationMode: {mode: 'default', settings: {model: 'scripted'}},
          initialTurnsPage: null,
          turnsBackwardsCursor: null,
          itemsBackwardsCursor: null,
        },
        afterwards: () => {
          // Replayed under the old turn's id: a client that adds up totals counts these twice.
          const usage = tokenUsage(total, last);
          wire.notify('thread/tokenUsage/updated', {threadId, turnId, tokenUsage: usage});
          wire.notify('thread/goal/cleared', {threadId});
        },
      };
    },

    'thread/name/set': (params) => {
      const thread = loaded(host, params);
      const threadName = textOf(params, 'name');
      thread.record.name = threadName;
      thread.save();
      return {
        result: {},
        afterwards: () => wire.notify('thread/name/updated', {threadId: thread.id, threadName}),
      };
    },

    'thread/backgroundTerminals/clean': (params) => {
      experimental('thread/backgroundTerminals/clean');
      const thread = loaded(host, params);
      return {result: {}, afterwards: () => thread.killTerminals()};
    },

    'thread/backgroundTerminals/list': (params) => {
      experimental('thread/backgroundTerminals/list');
      const data = [...loaded(host, params).terminals].map(({shell, ...terminal}) => ({
        ...terminal,
        processId: String(shell.pid),
        osPid: null,
        cpuPercent: null,
        rssKb: null,
      }));
      return {result: {data, nextCursor: null}};
    },

    ...turnMethods(host, options, script),
  };
}

export function loaded(host: CodexHost, params: Fields): Thread {
  const id = textOf(params, 'threadId');
  const thread = host.threads.get(id);
  if (thread !== undefined) return thread;
  throw new Refusal(isUuid(id) ? `thread not found: ${id}` : `invalid thread id: ${id}`);
}
