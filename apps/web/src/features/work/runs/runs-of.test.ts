import { predictionsApi } from '@heterosis/contracts/endpoints/work/predictions';
import type { Prediction, PredictionDetail } from '@heterosis/contracts/work/predictions';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { installBrowser, installServer, json, listPage } from '../../../testing/browser.ts';

const PROJECT = '01900000-0000-7000-8000-000000000001';
const AT = '2026-05-04T10:00:00.000Z';

const row = (number: number, status: Prediction['status']): Prediction => ({
  id: `01900000-0000-7000-8000-${String(number).padStart(12, '0')}`,
  name: `Run ${number}`,
  project_id: PROJECT,
  genotype_id: null,
  model_id: null,
  phenotype_id: null,
  genotype_name: null,
  model_name: null,
  phenotype_name: null,
  status,
  error_extra: status === 'ERROR' ? { code: 'x', message: 'm', action: 'a' } : null,
  progress: status === 'PROCESSING' ? { stage: 'predict', done: 1, total: 4, started_at: AT, runs_before: null } : null,
  traits: ['yield'],
  key_figure: null,
  created_by: null,
  created_by_id: null,
  created_at: AT,
  updated_at: AT,
});

const detail = (status: Prediction['status']): PredictionDetail => ({
  ...row(1, status),
  description: null,
  csv_url: null,
  model: null,
  genotype: null,
  phenotype: null,
  report: null,
  left_out: null,
  left_out_csv_url: null,
  provenance: {
    created_by: null,
    seed: null,
    software_version: '1.0.0',
    input_sha256: {},
    parameters: {},
    started_at: null,
    finished_at: null,
    seconds: null,
  },
});

async function load() {
  installBrowser();
  vi.resetModules();
  const { runsOf } = await import('./runs-of.ts');
  const { stateOfWhole } = await import('./run-state.ts');
  return { queries: runsOf('prediction', predictionsApi, stateOfWhole) };
}

let client: QueryClient;

beforeEach(() => {
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
});

afterEach(() => {
  client.clear();
  vi.unstubAllGlobals();
});

describe('the list of a kind of run', () => {
  it('comes from the address of the kind, each run with its state in the one shape', async () => {
    const { queries } = await load();
    const requests = installServer(() => listPage([row(1, 'PROCESSING'), row(2, 'ERROR')]));
    const observer = new QueryObserver(client, queries.list(PROJECT));
    const { data } = await observer.refetch();
    expect(requests.map(({ url }) => url)).toEqual([`/api/projects/${PROJECT}/predictions?limit=500`]);
    expect(data?.map(({ name, state }) => [name, state.status])).toEqual([
      ['Run 1', { '': 'PROCESSING' }],
      ['Run 2', { '': 'ERROR' }],
    ]);
    expect(data?.[1]?.state.errorExtras).toEqual({ '': { code: 'x', message: 'm', action: 'a' } });
  });

  it('keeps in the cache what the server said, which events change', async () => {
    const { queries } = await load();
    installServer(() => listPage([row(1, 'SUCCESS')]));
    await client.fetchQuery(queries.list(PROJECT));
    expect(client.getQueryData(queries.list(PROJECT).queryKey)).toEqual([row(1, 'SUCCESS')]);
  });

  it.each([
    ['while any run is under way', ['SUCCESS', 'PROCESSING'], true],
    ['but not once all have ended', ['SUCCESS', 'ERROR'], false],
    ['and not when there is none', [], false],
  ] as const)('is asked for again %s', async (_, statuses, isPolled) => {
    const { queries } = await load();
    installServer(() => listPage(statuses.map((status, index) => row(index, status))));
    const options = queries.list(PROJECT);
    await client.fetchQuery(options);
    const query = client.getQueryCache().find({ queryKey: options.queryKey });
    const { refetchInterval } = options;
    const interval = typeof refetchInterval === 'function' ? refetchInterval(query as never) : refetchInterval;
    expect(interval !== false).toBe(isPolled);
  });
});

describe('the page of a run', () => {
  it('reads the run, and polls only until it has ended', async () => {
    const { queries } = await load();
    let status: 'PROCESSING' | 'SUCCESS' = 'PROCESSING';
    const requests = installServer(() => json(detail(status)));
    const options = queries.detail(PROJECT, 'r');
    const interval = () => {
      const query = client.getQueryCache().find({ queryKey: options.queryKey });
      return typeof options.refetchInterval === 'function' ? options.refetchInterval(query as never) : undefined;
    };
    await client.fetchQuery(options);
    expect(requests[0]?.url).toBe(`/api/projects/${PROJECT}/predictions/r`);
    expect(interval()).toBeGreaterThan(0);
    status = 'SUCCESS';
    await client.fetchQuery({ ...options, staleTime: 0 });
    expect(interval()).toBe(false);
  });

  it('shares no key with another run, another kind or the list', async () => {
    const { queries } = await load();
    const key = queries.detail(PROJECT, 'a').queryKey;
    expect(key).not.toEqual(queries.detail(PROJECT, 'b').queryKey);
    expect(key).not.toEqual(queries.list(PROJECT).queryKey);
    expect(key.slice(0, 3)).toEqual(['projects', PROJECT, 'predictions']);
  });
});
