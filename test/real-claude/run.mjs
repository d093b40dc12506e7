// The suite against the real Claude Code.
//   node test/real-claude/run.mjs [file.test.ts …]
import {fileURLToPath} from 'node:url';
import {runSuite, testFilesIn} from '../rig/real-suite.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));

runSuite(here, testFilesIn(here));
