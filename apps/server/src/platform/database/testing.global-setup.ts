import { claimTestServer, releaseTestServer } from './testing.ts';

/** Vitest runs this once around all test files of the server: the PostgreSQL they share is stopped after the last. */
export async function setup(): Promise<void> {
  await claimTestServer();
}

export async function teardown(): Promise<void> {
  await releaseTestServer();
}
