import type { GwasRow } from '@heterosis/contracts/work/gwas';
import { describe, expect, it } from 'vitest';
import { apiUnderTest, queryOf } from '../../../testing/api-under-test.ts';
import { installServer, listPage, type SentRequest } from '../../../testing/browser.ts';

const tested = apiUnderTest(() => import('./gwas.api.ts'));

describe('the points of the Manhattan plot', () => {
  const points = () => new Response(new Float32Array([0, 100, 2.5]).buffer);

  it('are three 32-bit numbers each', async () => {
    const requests = installServer(points);
    const data = await tested.client.fetchQuery(tested.api.gwasPlotQuery('p', 'g', 'yield'));
    expect([...data]).toEqual([0, 100, 2.5]);
    expect(queryOf(requests[0] as SentRequest)).toEqual({ trait: 'yield' });
  });

  it('reach a little beyond a region on both sides, but not before its chromosome', async () => {
    const requests = installServer(points);
    const ask = (start: number, end: number) =>
      tested.client.fetchQuery(tested.api.gwasPlotQuery('p', 'g', 'yield', { chr: '3', start, end }));
    await ask(1_000_000, 2_000_000);
    await ask(0, 1_000_000);
    const [inside, atStart] = requests.map(queryOf);
    expect(Number(inside?.start)).toBeLessThan(1_000_000);
    expect(Number(inside?.end)).toBeGreaterThan(2_000_000);
    expect(1_000_000 - Number(inside?.start)).toBe(Number(inside?.end) - 2_000_000);
    expect(atStart).toMatchObject({ chr: '3', start: '0' });
  });

  it('of the genome and of a region are kept apart', () => {
    const whole = tested.api.gwasPlotQuery('p', 'g', 'yield').queryKey;
    expect(tested.api.gwasPlotQuery('p', 'g', 'yield', { chr: '1', start: 0, end: 5 }).queryKey).not.toEqual(whole);
    expect(tested.api.gwasPlotQuery('p', 'g', 'height').queryKey).not.toEqual(whole);
  });
});

describe('findMarkerAt', () => {
  const row = (id: string, neg_log10_p: number): Partial<GwasRow> => ({ id, neg_log10_p });

  it('looks around the place, since positions of the plot are rounded', async () => {
    const requests = installServer(() => listPage([row('M1', 3)]));
    await tested.api.findMarkerAt(tested.client, 'p', 'g', 'yield', {
      chr: '2',
      positionBp: 250_000_016,
      negLog10P: 3,
    });
    const query = queryOf(requests[0] as SentRequest);
    expect(query).toMatchObject({ trait: 'yield', chr: '2' });
    expect(Number(query.start)).toBeLessThan(250_000_016);
    expect(Number(query.end)).toBeGreaterThan(250_000_016);
    // The spacing of 32-bit numbers there: less would miss the marker.
    expect(Number(query.end) - 250_000_016).toBeGreaterThanOrEqual(16);
  });

  it('takes of several markers the one as high as the point', async () => {
    installServer(() => listPage([row('low', 1.2), row('clicked', 6.69), row('high', 9)]));
    const place = { chr: '2', positionBp: 1_000, negLog10P: 6.7 };
    expect(await tested.api.findMarkerAt(tested.client, 'p', 'g', 'yield', place)).toMatchObject({ id: 'clicked' });
  });

  it('finds nothing where there is nothing', async () => {
    installServer(() => listPage([]));
    const place = { chr: '2', positionBp: 10, negLog10P: 1 };
    expect(await tested.api.findMarkerAt(tested.client, 'p', 'g', 'yield', place)).toBeUndefined();
  });
});

describe('the table of markers', () => {
  it('asks for the part, the search and the p-values that are shown', async () => {
    const requests = installServer(() => listPage([]));
    const part = { chr: '3', start: 10, end: 20 };
    const options = { trait: 'yield', sort: 'p', search: 'PZA', part, maxP: 0.01, clump: 'M1' } as const;
    await tested.client.fetchInfiniteQuery(tested.api.gwasResultsQuery('p', 'g', options));
    expect(queryOf(requests[0] as SentRequest)).toMatchObject({
      trait: 'yield',
      sort: 'p',
      search: 'PZA',
      chr: '3',
      start: '10',
      end: '20',
      max_p: '0.01',
      clump: 'M1',
    });
  });

  it('leaves out what does not restrict it', async () => {
    const requests = installServer(() => listPage([]));
    const options = {
      trait: 'yield',
      sort: 'position',
      search: '',
      part: undefined,
      maxP: undefined,
      clump: undefined,
    } as const;
    await tested.client.fetchInfiniteQuery(tested.api.gwasResultsQuery('p', 'g', options));
    expect(Object.keys(queryOf(requests[0] as SentRequest)).sort()).toEqual(['limit', 'sort', 'trait']);
  });
});

describe('a marker', () => {
  it('is asked for by its name, whatever signs that has', async () => {
    const requests = installServer(() => listPage([]));
    await tested.client.fetchQuery(tested.api.gwasMarkerQuery('p', 'g', 'yield', 'S1_100/2#a'));
    expect(requests[0]?.url).toContain('/markers/S1_100%2F2%23a?');
  });
});
