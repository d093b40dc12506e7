#!/usr/bin/env node
try {
  await import('../dist/main.js');
} catch (error) {
  if (!/^Cannot find module .*dist\/main\.js'/.test(error?.message)) throw error;
  console.error('symphony-supervisor has not been built yet: run `npm run build`');
  process.exitCode = 1;
}
