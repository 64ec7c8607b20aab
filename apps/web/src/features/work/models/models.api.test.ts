import { describe, expect, it } from 'vitest';
import { apiUnderTest, queryOf } from '../../../testing/api-under-test.ts';
import { installServer, listPage } from '../../../testing/browser.ts';

const tested = apiUnderTest(() => import('./models.api.ts'));

describe('the list of models', () => {
  const model = (...states: string[]) => ({
    status: Object.fromEntries(states.map((state, index) => [`trait ${index}`, state])),
    progress: {},
    error_extras: {},
  });

  const pollOf = async (models: object[]): Promise<unknown> => {
    installServer(() => listPage(models));
    const options = tested.api.modelRuns.list('p');
    await tested.client.fetchQuery({ ...options, staleTime: 0 });
    const query = tested.client.getQueryCache().find({ queryKey: options.queryKey });
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
    await tested.client.fetchInfiniteQuery(
      tested.api.gebvQuery('p', 'm', { trait: 'yield', sort: '-gebv', search: '' }),
    );
    await tested.client.fetchInfiniteQuery(
      tested.api.markerEffectsQuery('p', 'm', { trait: 'yield', sort: '-abs_effect', search: 'PZA' }),
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
    const key = (trait: string) => tested.api.gebvQuery('p', 'm', { trait, sort: '-gebv', search: '' }).queryKey;
    expect(key('yield')).not.toEqual(key('height'));
    expect(key('yield')).toEqual(key('yield'));
  });

  it('lie below the key of all models, so that an event reaches them', () => {
    const prefix = ['projects', 'p', 'models'];
    const keys = [
      tested.api.modelRuns.list('p').queryKey,
      tested.api.modelRuns.detail('p', 'm').queryKey,
      tested.api.modelEvaluationQuery('p', 'm', 'yield').queryKey,
      tested.api.allMarkerEffectsQuery('p', 'm', 'yield').queryKey,
      tested.api.gebvQuery('p', 'm', { trait: 'yield', sort: 'gebv', search: '' }).queryKey,
    ];
    for (const key of keys) expect(key.slice(0, 3)).toEqual(prefix);
    expect(new Set(keys.map((key) => JSON.stringify(key))).size).toBe(keys.length);
  });
});
