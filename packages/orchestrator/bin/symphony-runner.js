#!/usr/bin/env node
try {
  await import('../dist/runner-cli.js');
} catch (error) {
  if (!/^Cannot find module .*dist\/runner-cli\.js'/.test(error?.message)) throw error;
  console.error('symphony-runner has not been built yet: run `npm run build`');
  process.exitCode = 1;
}
