import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, vi } from 'vitest';
import { installBrowser, type SentRequest } from './browser.ts';

/** A module of queries, imported anew for each test, with a client that tries everything once. */
export function apiUnderTest<Api>(load: () => Promise<Api>): { readonly api: Api; readonly client: QueryClient } {
  let current: { api: Api; client: QueryClient };
  beforeEach(async () => {
    installBrowser();
    vi.resetModules();
    // As in production, where answers are trusted: here they hold what the code looks at.
    vi.stubEnv('DEV', false);
    current = { api: await load(), client: new QueryClient({ defaultOptions: { queries: { retry: false } } }) };
  });
  afterEach(() => {
    current.client.clear();
    vi.unstubAllEnvs();
    vi.unstubAllGlobals();
  });
  return {
    get api() {
      return current.api;
    },
    get client() {
      return current.client;
    },
  };
}

export const queryOf = ({ url }: SentRequest): Record<string, string> =>
  Object.fromEntries(new URL(url, 'http://x').searchParams);
