import {openTerminalView} from '../../src/terminal/index.ts';
import {aRunning, aSnapshot} from '../view/a-snapshot.ts';

// A process with a terminal view over an API that never changes. Its argument says how it is to end.

const snapshot = aSnapshot({running: [aRunning('問題-1', {last_message: 'busy \u001b[2J 🚀'})]});
const view = openTerminalView({
  api: {snapshot, watch: () => ({[Symbol.dispose]: () => {}})},
  stream: process.stdout,
  hasColour: false,
});
if (view === null) console.log('no terminal');
view?.warn('the disk is nearly full');
const alive = setInterval(() => {}, 1000);
process.stdout.on('resize', () => {
  clearInterval(alive);
  if (process.argv[2] === 'crash') throw new Error('it broke');
  view?.[Symbol.dispose]();
  console.log('back');
});
if (!process.stdout.isTTY) clearInterval(alive);
