#!/usr/bin/env node
// Starts the command line. It is TypeScript run as it is, which Node does from 22.18 on; under an older Node this file
// hands over to the Node of the project (node_modules/.bin/node) with the same arguments, streams and exit code.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { constants, homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

if (process.features.typescript) {
  // What Node makes of the TypeScript files is kept for the next start, below the user's own cache folder: nobody
  // else can write there. Where that is not possible either, it is made again.
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE || join(cache, 'heterosis', 'compiled'));
  await import('../src/start.ts');
} else {
  const node = findProjectNode(dirname(fileURLToPath(import.meta.url)));
  if (node === null) {
    process.stderr.write(
      `error E-CLI-NODE: heterosis needs Node 24, and this is ${process.version}. Run npm install in the project, or use a newer Node.\n`,
    );
    process.exit(2);
  }
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
  });
}

function findProjectNode(start) {
  for (let folder = start; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', '.bin', 'node');
    if (existsSync(candidate)) return candidate;
    if (folder === dirname(folder)) return null;
  }
}
