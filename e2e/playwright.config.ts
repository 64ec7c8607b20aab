import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';

/** The last is what the set-up script unpacks for a user who may not install it. */
const CHROMIUM_PATHS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  join(import.meta.dirname, '../node_modules/.cache/debian/chromium/bin/chromium'),
];
const executablePath = process.env.CHROMIUM_PATH ?? CHROMIUM_PATHS.find((path) => existsSync(path));

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: 'results',
  // Files side by side; each journey has an account of its own. More would only wait for the two cores that are meant.
  workers: 2,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  globalSetup: './start-product.ts',
  reporter: [['list'], ['json', { outputFile: process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ?? 'results/report.json' }]],
  use: {
    viewport: { width: 1440, height: 900 },
    // A trace of every journey, thrown away when it passes, is 40 % of the processor's work: `--trace on` for the one in question.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      // Debian's Chromium as root, without its calls home.
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
