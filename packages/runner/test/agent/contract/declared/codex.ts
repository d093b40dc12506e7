import type {Declaration} from '../player.ts';

export const codexPlayers = {
  scripted: {player: 'scripted', cannot: {}, otherCodes: {}},
  real: {
    player: 'Codex',
    cannot: {
      'launch.probe-refused': 'it reads its configuration only when a conversation is opened',
      'stream.garbage': 'the real program sends no broken lines',
      'stream.huge-line': 'the real program cuts long output itself',
      'failures.refusal': 'the Responses API tells a refusal as an ordinary message',
    },
    otherCodes: {},
  },
} satisfies Record<string, Declaration>;
