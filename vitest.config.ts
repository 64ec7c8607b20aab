import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// As `npm start` has it. Hundreds of tests start servers, workers, compute processes and commands, and each would make
// JavaScript of the same TypeScript anew.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/node');

const node = (name: string, root: string) => ({
  test: {
    name,
    root,
    include: ['src/**/*.test.ts'],
    environment: 'node',
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // A test that comes to its end without having compared anything, over an empty list for one, proves nothing.
    expect: { requireAssertions: true },
  },
});

const NEW_KIND_OF_RUN = 'src/entrypoints/new-kind-of-run.test.ts';

const server = {
  ...node('server', 'apps/server').test,
  globalSetup: ['src/platform/database/testing.global-setup.ts'],
};

export default defineConfig({
  test: {
    projects: [
      node('contracts', 'packages/contracts'),
      node('linalg', 'packages/linalg'),
      node('statgen', 'packages/statgen'),
      node('file-formats', 'packages/file-formats'),
      node('analysis', 'packages/analysis'),
      node('cli', 'apps/cli'),
      {
        test: {
          ...server,
          isolate: false,
          exclude: [NEW_KIND_OF_RUN],
        },
      },
      // It replaces the table of kinds, which the other tests have loaded.
      { test: { ...server, name: 'server-new-kind', include: [NEW_KIND_OF_RUN] } },
      { test: { ...node('web', 'apps/web').test, include: ['src/**/*.test.{ts,tsx}'] } },
    ],
    maxWorkers: 2,
  },
});
