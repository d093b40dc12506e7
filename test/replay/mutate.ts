import type {Random} from '../rig/fixtures/random.ts';
import type {Entry, Message, Session} from './recording.ts';

/** One way in which what Codex says may differ from what it ever said. */
export interface Mutation {
  /** It is noise: the run must come to the same as without it. */
  readonly isHarmless: boolean;
  readonly apply: (session: Session, random: Random) => Entry[];
}

type Said = Extract<Entry, {is: 'said'}>;

/** A line longer than any that we read. */
const TOO_LONG = 11 * 1024 * 1024;

const GARBAGE = [
  'thread panicked at src/main.rs:1:1',
  '{"method":"item/started","params":{"item":',
  '[]',
  'null',
  '42',
  '{}',
  '{"id":null,"method":"turn/started","params":{}}',
  '{"method":7,"params":{}}',
  '{"id":77,"result":{}}',
  '{"id":"seventy-seven","error":{"code":-1,"message":"nobody asked"}}',
  '\u0000\u001b[2J',
];

/** Unknown ones, and known ones that are not what they should be. */
const STRANGE_NOTIFICATIONS: readonly Message[] = [
  {method: 'future/thing/happened', params: {threadId: 'x', deep: {er: [1, null]}}},
  {method: 'future/thing/happened'},
  {method: 'turn/completed', params: {}},
  {method: 'turn/completed', params: {threadId: 'of-a-helper', turn: {id: 'x', status: 'failed'}}},
  {method: 'turn/started', params: null},
  {method: 'thread/tokenUsage/updated', params: {threadId: 5, tokenUsage: {total: -1}}},
  {method: 'account/rateLimits/updated', params: {rateLimits: null}},
  {method: 'account/rateLimits/updated', params: {rateLimits: {primary: {usedPercent: 'all'}}}},
  {method: 'item/started', params: {item: {type: 'fileChange', changes: [null, 3]}}},
  {method: 'item/completed', params: {item: null}},
  {method: 'item/agentMessage/delta', params: {delta: 5}},
  {method: 'error', params: {error: 'no object', willRetry: 'perhaps'}},
];

/** Every one of them must be answered, if only with an error; none is a question that can be asked. */
const STRANGE_REQUESTS: readonly Message[] = [
  {id: 9001, method: 'future/question', params: {}},
  {id: 'nine thousand', method: 'future/question'},
  {id: 9002, method: 'item/tool/call', params: null},
  {id: 9003, method: 'item/tool/call', params: {tool: 'no_such_tool', arguments: [1]}},
  {id: 9004, method: 'item/commandExecution/requestApproval', params: 'please'},
  {id: 9005, method: 'item/tool/requestUserInput', params: {questions: 'many'}},
  {id: 9006, method: 'mcpServer/elicitation/request', params: {message: 7}},
  {id: 9007, method: 'account/chatgptAuthTokens/refresh', params: {}},
  {id: -1, method: 'item/permissions/requestApproval', params: null},
];

export const MUTATIONS: Readonly<Record<string, Mutation>> = {
  'a line is missing': {
    isHarmless: false,
    apply: (session, random) => {
      const [index] = pick(session, random, isSaid);
      return session.toSpliced(index, 1);
    },
  },
  'a line is cut off': {
    isHarmless: false,
    apply: (session, random) => {
      const [index, {message}] = pick(session, random, isSaid);
      const line = JSON.stringify(message);
      return session.with(index, {is: 'raw', line: line.slice(0, 1 + random(line.length - 2))});
    },
  },
  'two notifications change places': {
    isHarmless: false,
    apply: (session, random) => {
      const [one, first] = pick(session, random, isNotification);
      const [other, second] = pick(session, random, isNotification);
      return session.with(one, second).with(other, first);
    },
  },
  'a notification comes twice': {
    isHarmless: true,
    apply: (session, random) => {
      const [index, entry] = pick(session, random, isNotification);
      return session.toSpliced(index, 0, entry);
    },
  },
  'there is garbage in between': {
    isHarmless: true,
    apply: (session, random) => inTurn(session, random, {is: 'raw', line: random.of(GARBAGE)}),
  },
  'a line is far too long': {
    isHarmless: true,
    apply: (session, random) =>
      inTurn(session, random, {is: 'raw', line: `{"method":"${'x'.repeat(TOO_LONG)}"}`}),
  },
  'there is a strange notification': {
    isHarmless: true,
    apply: (session, random) =>
      inTurn(session, random, {is: 'said', message: random.of(STRANGE_NOTIFICATIONS)}),
  },
  'there is a strange request': {
    isHarmless: true,
    apply: (session, random) =>
      inTurn(session, random, {is: 'said', message: random.of(STRANGE_REQUESTS)}),
  },
};

/** Somewhere between the beginning of the first turn and its end. */
function inTurn(session: Session, random: Random, entry: Entry): Entry[] {
  const begin = session.findIndex((said) => isSaid(said) && said.message.method === 'turn/started');
  const end = session.findIndex((said) => isSaid(said) && said.message.method === 'turn/completed');
  return session.toSpliced(begin + 1 + random(Math.max(1, end - begin)), 0, entry);
}

function pick(
  session: Session,
  random: Random,
  fits: (entry: Entry) => entry is Said,
): [number, Said] {
  const found = session.flatMap((entry, index): [number, Said][] =>
    fits(entry) ? [[index, entry]] : [],
  );
  return random.of(found);
}

function isSaid(entry: Entry): entry is Said {
  return entry.is === 'said';
}

function isNotification(entry: Entry): entry is Said {
  return isSaid(entry) && entry.message.id === undefined;
}
