import {fileURLToPath} from 'node:url';
import {endOnSigterm, startHere} from './embedded.ts';

// A supervisor with a tracker thread that a test brings. Arguments: folder, and the thread's path.

const [folder = '', trackerThreadPath = ''] = process.argv.slice(2);
const dist = fileURLToPath(new URL('../../packages/orchestrator/dist', import.meta.url));
const supervisor = await startHere(folder, dist, {
  trackerThreadPath,
  log: (level, fields, message) => console.log(JSON.stringify({level, ...fields, msg: message})),
});
endOnSigterm(supervisor);
