import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { clientFiles } from './apps/web/client-files.ts';
import { helpPages } from './apps/web/help-pages.ts';

// As `npm start` has it. Hundreds of tests start servers, workers, compute processes and commands, and each would make
// JavaScript of the same TypeScript again.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/node');

// Also of the commands that tests start; compute processes are given their number by the worker. Where more processes
// compute than there are cores, the threads of one spin while they wait for each other: a fit of 0.1 s took 10 s.
process.env.OPENBLAS_NUM_THREADS ??= '1';

/**
 * Tests with this tag vary what others show, or repeat it at length. They run in `npm run test:all`, and wherever
 * TEST_ALL=1 is set.
 */
const WHOLE = { name: 'whole', description: 'Only in npm run test:all.' };
const isWhole = process.env.TEST_ALL === '1';

const node = (name: string, root: string) => ({
  test: {
    name,
    root,
    include: ['src/**/*.test.ts'],
    environment: 'node',
    // To end what hangs. It is no gate: beside others on a busy machine a test takes ten times as long.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // Node strips the types by itself, and keeps what it has compiled. Transforming the same files once more for each
    // project took a quarter of the time from a clean clone to the first test.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // The files of a worker share its process and modules: starting and loading them again took half of the CPU time.
    isolate: false,
    // A test that comes to its end without having compared anything, over an empty list for one, proves nothing.
    expect: {
      requireAssertions: true,
      // Vitest's one second is no time on a busy machine.
      poll: { timeout: 60_000 },
    },
  },
});

const NEW_KIND_OF_RUN = 'product-tests/new-kind-of-run.test.ts';

const server = {
  ...node('server', 'apps/server').test,
  include: ['{src,tools,product-tests}/**/*.test.ts'],
  globalSetup: ['src/platform/database/testing.global-setup.ts'],
  // They wait for queues, heartbeats and processes half of the time, so two files a core keep the cores busy.
  maxWorkers: 4,
  sequence: { groupOrder: 1 },
};

export default defineConfig({
  test: {
    projects: [
      node('contracts', 'packages/contracts'),
      node('charts', 'packages/charts'),
      node('linalg', 'packages/linalg'),
      node('statgen', 'packages/statgen'),
      node('file-formats', 'packages/file-formats'),
      node('analysis', 'packages/analysis'),
      node('cli', 'apps/cli'),
      {
        test: {
          ...server,
          exclude: [NEW_KIND_OF_RUN],
        },
      },
      // It adds a row to the table of kinds, which the other tests have loaded without.
      { test: { ...server, name: 'server-new-kind', isolate: true, include: [NEW_KIND_OF_RUN] } },
      {
        plugins: [helpPages(), clientFiles()],
        test: {
          ...node('web', 'apps/web').test,
          // Its modules import style sheets and are made of JSX.
          experimental: {},
          include: ['src/**/*.test.{ts,tsx}', '*.test.ts'],
          setupFiles: ['src/testing/forget.setup.ts'],
        },
      },
    ],
    maxWorkers: 2,
    // Much is allocated and soon forgotten; with V8's 16 MB the garbage collector takes a sixth of the CPU time, and a
    // fifteenth when it grows from 1 MB by and by.
    execArgv: ['--max-semi-space-size=64', '--min-semi-space-size=64'],
    tags: [WHOLE],
    ...(isWhole ? {} : { tagsFilter: ['!whole'] }),
  },
});
