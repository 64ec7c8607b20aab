import { defineConfig } from '@playwright/test';
import usual from '../playwright.config.ts';

/** `npm run test:firebase`: the hosted sign-in, against the emulator that its maker offers. */
const { globalSetup: _, testDir: _dir, ...shared } = usual;

export default defineConfig({
  ...shared,
  use: { ...shared.use, actionTimeout: 20_000, navigationTimeout: 20_000 },
  testDir: '.',
  outputDir: '../results',
  reporter: 'list',
  testMatch: '*.emulated.ts',
  timeout: 420_000,
});
