// The suite against the real opencode.
//   node test/real-opencode/run.mjs [file.test.ts …]
import {fileURLToPath} from 'node:url';
import {runSuite, testFilesIn} from '../rig/real-suite.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));

// Its program is a package for each platform, and this is the one that is pinned.
const platform = `${process.platform}-${process.arch}`;
if (platform === 'linux-x64') runSuite(here, testFilesIn(here));
else console.log(`skipped: the pinned opencode is for linux-x64, and this is ${platform}`);
