import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';

/**
 * The set-up script installs the first: the engine without the windows of a desktop. It unpacks the last for users who
 * may not install packages.
 */
const CHROMIUM_PATHS = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  join(import.meta.dirname, '../node_modules/.cache/debian/chromium/bin/chromium'),
];
const executablePath = process.env.CHROMIUM_PATH ?? CHROMIUM_PATHS.find((path) => existsSync(path));

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  // Journeys with this tag repeat what others walk, at length or in another way; see `npm run test:all`.
  ...(process.env.TEST_ALL === '1' ? {} : { grepInvert: /@whole/ }),
  outputDir: 'results',
  // Test files run in parallel, each journey with its own account. Two keep two cores busy: with four, journeys took as
  // long and each of them twice.
  workers: 2,
  // A journey of half a minute takes four when others use the machine.
  timeout: 240_000,
  expect: { timeout: 20_000 },
  globalSetup: './support/start-product.ts',
  reporter: [['list'], ['json', { outputFile: process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ?? 'results/report.json' }]],
  use: {
    viewport: { width: 1440, height: 900 },
    // Nothing fades or slides: frames of animations are drawn by the CPU here.
    contextOptions: { reducedMotion: 'reduce' },
    // Traces of passing journeys would cost 40 % of the CPU time; use `--trace on` for a failing one.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      // Debian's Chromium as root, without its background connections.
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // Pages live for seconds: making their code faster took an eighth of the CPU time of the renderers.
        '--js-flags=--no-opt --no-maglev',
      ],
    },
  },
});
