import type {Declaration} from '../player.ts';

const NO_LOGIN = 'the protocol does not say whether a user is logged in';
const ONE_CODE =
  'the protocol has a code for a missing login and for nothing else, and prose is not read';
const RETRIES = 'it tries again for more than a minute, in silence; recordings show how it ends';
const NEVER_ASKS = 'it asks for permissions, and has no other questions';

export const acpPlayers = {
  scripted: {
    player: 'scripted',
    cannot: {'launch.logged-out': NO_LOGIN},
    otherCodes: {
      'failures.forbidden': {code: 'turn_failed', because: ONE_CODE},
      'failures.context': {code: 'turn_failed', because: ONE_CODE},
    },
  },
  opencode: {
    player: 'opencode',
    cannot: {
      'launch.logged-out': NO_LOGIN,
      'launch.refusing': 'nothing makes it refuse the handshake',
      'launch.probe-refused': 'nothing makes it refuse the handshake',
      'questions.held': NEVER_ASKS,
      'questions.answered': NEVER_ASKS,
      'failures.rate-limited': RETRIES,
      'failures.server-error': RETRIES,
      'failures.overloaded': RETRIES,
      'failures.connection-refused': RETRIES,
      'failures.stream-cut': RETRIES,
      'failures.context': 'it compacts the conversation by itself and goes on',
      'stream.flood': 'it would take minutes to pass on so many pieces',
      'stream.garbage': 'the real program sends no broken lines',
      'stream.huge-line': 'the real program cuts long output itself',
    },
    otherCodes: {
      'failures.unauthorized': {code: 'turn_failed', because: ONE_CODE},
      'failures.forbidden': {code: 'turn_failed', because: ONE_CODE},
    },
  },
} satisfies Record<string, Declaration>;
