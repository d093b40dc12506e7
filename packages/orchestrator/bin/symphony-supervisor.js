#!/usr/bin/env node
try {
  await import('../dist/main.js');
} catch (error) {
  if (error?.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  console.error('symphony-supervisor has not been built yet: run `npm run build`');
  process.exitCode = 1;
}
