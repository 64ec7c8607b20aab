import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { installBrowser, installServer, listPage, type SentRequest } from '../../../testing/browser.ts';
import type * as ModelsApi from './models.api.ts';

let api: typeof ModelsApi;
let client: QueryClient;

beforeEach(async () => {
  installBrowser();
  vi.resetModules();
  // As in production, where answers are trusted: here they hold what the code looks at.
  vi.stubEnv('DEV', false);
  api = await import('./models.api.ts');
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
});

afterEach(() => {
  client.clear();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

const queryOf = ({ url }: SentRequest): Record<string, string> =>
  Object.fromEntries(new URL(url, 'http://x').searchParams);

describe('the list of models', () => {
  const model = (...states: string[]) => ({
    status: Object.fromEntries(states.map((state, index) => [`trait ${index}`, state])),
    progress: {},
    error_extras: {},
  });

  const pollOf = async (models: object[]): Promise<unknown> => {
    installServer(() => listPage(models));
    const options = api.modelRuns.list('p');
    await client.fetchQuery({ ...options, staleTime: 0 });
    const query = client.getQueryCache().find({ queryKey: options.queryKey });
    return typeof options.refetchInterval === 'function' ? options.refetchInterval(query as never) : undefined;
  };

  it('is asked for again while one trait of one model is trained or evaluated', async () => {
    expect(await pollOf([model('EVALUATED'), model('EVALUATED', 'TRAINING')])).toBeGreaterThan(0);
    // Trained, and waiting for its evaluation.
    expect(await pollOf([model('TRAINED')])).toBeGreaterThan(0);
    expect(await pollOf([model('EVALUATED', 'ERROR')])).toBe(false);
  });
});

describe('tables of a model that are read page by page', () => {
  it('ask for one trait, in the order that the server knows', async () => {
    const requests = installServer(() => listPage([]));
    await client.fetchInfiniteQuery(api.gebvQuery('p', 'm', { trait: 'yield', sort: '-gebv', search: '' }));
    await client.fetchInfiniteQuery(
      api.markerEffectsQuery('p', 'm', { trait: 'yield', sort: '-abs_effect', search: 'PZA' }),
    );
    expect(requests.map(({ url }) => url.split('?')[0])).toEqual([
      '/api/projects/p/models/m/gebv',
      '/api/projects/p/models/m/effects',
    ]);
    expect(requests.map(queryOf)).toEqual([
      { trait: 'yield', sort: '-gebv', limit: '500' },
      { trait: 'yield', sort: '-abs_effect', search: 'PZA', limit: '500' },
    ]);
  });

  it('keep what was found for one trait apart from what was found for another', () => {
    const key = (trait: string) => api.gebvQuery('p', 'm', { trait, sort: '-gebv', search: '' }).queryKey;
    expect(key('yield')).not.toEqual(key('height'));
    expect(key('yield')).toEqual(key('yield'));
  });

  it('lie below the key of all models, so that an event reaches them', () => {
    const prefix = ['projects', 'p', 'models'];
    const keys = [
      api.modelRuns.list('p').queryKey,
      api.modelRuns.detail('p', 'm').queryKey,
      api.modelEvaluationQuery('p', 'm', 'yield').queryKey,
      api.allMarkerEffectsQuery('p', 'm', 'yield').queryKey,
      api.gebvQuery('p', 'm', { trait: 'yield', sort: 'gebv', search: '' }).queryKey,
    ];
    for (const key of keys) expect(key.slice(0, 3)).toEqual(prefix);
    expect(new Set(keys.map((key) => JSON.stringify(key))).size).toBe(keys.length);
  });
});
