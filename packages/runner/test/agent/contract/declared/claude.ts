import type {Declaration} from '../player.ts';

const NO_SUCH_OUTPUT = 'the real program does not write such lines';

export const claudePlayers = {
  scripted: {player: 'scripted', cannot: {}, otherCodes: {}},
  real: {
    player: 'Claude Code 2.1.326',
    cannot: {
      'stream.flood': NO_SUCH_OUTPUT,
      'stream.garbage': NO_SUCH_OUTPUT,
      'stream.huge-line': NO_SUCH_OUTPUT,
      'failures.stream-cut': 'it asks once more, without streaming, and goes on',
    },
    otherCodes: {},
  },
} satisfies Record<string, Declaration>;
