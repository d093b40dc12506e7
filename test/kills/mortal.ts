import {fileURLToPath} from 'node:url';
import {endOnSigterm, startHere} from '../rig/embedded.ts';

// A supervisor whose tracker thread dies when it is told to. Argument: folder.

const [folder = ''] = process.argv.slice(2);
const dist = fileURLToPath(new URL('../../packages/orchestrator/dist', import.meta.url));
const trackerThreadPath = fileURLToPath(new URL('../kills/mortal-thread.mjs', import.meta.url));
const supervisor = await startHere(folder, dist, {
  trackerThreadPath,
  log: (level, fields, message) => console.log(JSON.stringify({level, ...fields, msg: message})),
});
endOnSigterm(supervisor);
