import type {Declaration} from '../player.ts';

export const codexPlayers = {
  scripted: {player: 'scripted', cannot: {}, otherCodes: {}},
} satisfies Record<string, Declaration>;
