import { afterAll, vi } from 'vitest';

/** Test files share one process: none leaves its stand-ins, nor modules that hold them, to the next. */
afterAll(async () => {
  // The page frame loads parts in the background; one that arrives later would meet the next file.
  await vi.dynamicImportSettled();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.resetModules();
});
