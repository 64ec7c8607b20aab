import { memorySource } from '@heterosis/file-formats/byte-source';
import { createRandomStream } from '@heterosis/statgen/random/random-stream';
import { describe, expect, test } from 'vitest';
import { readPhenotype } from '../inputs/read-phenotype.ts';
import { type TraitMeans, traitMeans } from './trait-means.ts';

const CONTEXT = { threads: 1 };

interface Plot {
  line: string;
  env: string;
  rep: string;
  yield: number | null;
}

async function meansOf(header: string, rows: readonly string[]): Promise<TraitMeans[]> {
  const source = memorySource(Buffer.from(`${[header, ...rows].join('\n')}\n`), 'trial.csv');
  const reading = await readPhenotype(source, CONTEXT);
  if (reading.table === null) throw new Error(JSON.stringify(reading.report.problems));
  return [...traitMeans(reading, CONTEXT)];
}

async function meansOfPlots(plots: readonly Plot[]): Promise<TraitMeans> {
  const rows = plots.map(({ line, env, rep, yield: value }) => `${line},${env},${rep},${value ?? 'NA'}`);
  const [trait] = await meansOf('line,env,rep,Yield', rows);
  if (trait === undefined) throw new Error('no trait');
  return trait;
}

/** 25 lines × 4 environments × 2 replicates, a third of the plots missing. */
function trial(): Plot[] {
  const stream = createRandomStream(77);
  const plots: Plot[] = [];
  const environments = [0, 1, 2, 3].map(() => 6 * stream.normal());
  for (let line = 0; line < 25; line++) {
    const effect = 2 * stream.normal();
    for (const [env, level] of environments.entries()) {
      const interaction = 1.2 * stream.normal();
      for (const rep of [1, 2]) {
        const value = 60 + effect + level + interaction + 2 * rep + stream.normal();
        if (stream.uniform() > 1 / 3) plots.push({ line: `L${line}`, env: `E${env}`, rep: `${rep}`, yield: value });
      }
    }
  }
  return plots;
}

const BASE = trial();
/** Tolerance for sums of a few hundred terms in another order, and a REML search that ends at a step of 1e-11. */
const TOLERANCE = 1e-8;

/** Asserts that means and errors are `scale` · base + `shift`, and shares those of the base. */
function expectSame(
  found: TraitMeans,
  base: TraitMeans,
  { scale = 1, shift = 0, rename = (name: string) => name } = {},
) {
  const place = new Map(found.individuals.map((name, i) => [name, i]));
  const sd = Math.sqrt(base.residual?.variance ?? 1) * Math.abs(scale);
  base.individuals.forEach((name, i) => {
    const at = place.get(rename(name)) ?? -1;
    expect(Math.abs(found.means[at]! - (scale * base.means[i]! + shift)) / sd).toBeLessThan(TOLERANCE);
    expect(Math.abs(found.standardErrors[at]! - Math.abs(scale) * base.standardErrors[i]!) / sd).toBeLessThan(
      TOLERANCE,
    );
    expect(found.observations[at]).toBe(base.observations[i]);
    expect(found.flags[at]).toBe(base.flags[i]);
  });
  expect(found.h2EntryMean).toBeCloseTo(base.h2EntryMean!, 8);
  expect(found.h2Cullis).toBeCloseTo(base.h2Cullis!, 8);
  const components = ({ line, lineByEnvironment, residual }: NonNullable<TraitMeans['components']>) => [
    line.variance,
    lineByEnvironment?.variance ?? 0,
    residual.variance,
  ];
  const expected = components(base.components!);
  components(found.components!).forEach((variance, k) =>
    expect(variance / scale ** 2 / expected[k]!).toBeCloseTo(1, 7),
  );
}

describe('what must not change the adjusted means', () => {
  test('the order of the rows, and with it of lines, environments and replicates', async () => {
    const base = await meansOfPlots(BASE);
    expect(base.components?.converged).toBe(true);
    const stream = createRandomStream(3);
    const keys = new Map(BASE.map((plot) => [plot, stream.uniform()]));
    expectSame(await meansOfPlots(BASE.toSorted((a, b) => keys.get(a)! - keys.get(b)!)), base);
    expectSame(await meansOfPlots(BASE.toReversed()), base);
  });

  test('the names of lines, environments and replicates', async () => {
    const base = await meansOfPlots(BASE);
    const renamed = BASE.map(({ line, env, rep, yield: value }) => ({
      line: `Zuchtlinie-${line}`,
      env: `site ${9 - Number(env.slice(1))}`,
      rep: rep === '1' ? 'west' : 'east',
      yield: value,
    }));
    expectSame(await meansOfPlots(renamed), base, { rename: (name) => `Zuchtlinie-${name}` });
  });

  test('replicate labels that are exchanged in one environment only', async () => {
    const base = await meansOfPlots(BASE);
    const exchanged = BASE.map((plot) => (plot.env === 'E2' ? { ...plot, rep: plot.rep === '1' ? '2' : '1' } : plot));
    expectSame(await meansOfPlots(exchanged), base);
  });

  test.each([
    [1e-6, 0],
    [1e6, 0],
    [-3, 17],
    [1, 1e4],
  ])('the scale of the trait: × %d + %d', async (scale, shift) => {
    const base = await meansOfPlots(BASE);
    const changed = BASE.map((plot) => ({ ...plot, yield: scale * plot.yield! + shift }));
    expectSame(await meansOfPlots(changed), base, { scale, shift });
  });

  test('the level of an environment', async () => {
    const base = await meansOfPlots(BASE);
    const changed = BASE.map((plot) => (plot.env === 'E1' ? { ...plot, yield: plot.yield! + 40 } : plot));
    // The mean of four environments has a quarter of it.
    expectSame(await meansOfPlots(changed), base, { shift: 10 });
  });

  test('a line without a value, and plots without a value', async () => {
    const base = await meansOfPlots(BASE);
    const found = await meansOfPlots([
      { line: 'Empty', env: 'E1', rep: '1', yield: null },
      ...BASE,
      { line: 'L3', env: 'E9', rep: '1', yield: null },
    ]);
    expectSame(found, base);
    expect(found.individuals[0]).toBe('Empty');
    expect(found.means[0]).toBeNaN();
    expect(found.flags[0]).toBe('missing');
  });

  test('a line seen once leaves the contrasts of the others as they are', async () => {
    const base = await meansOfPlots(BASE);
    const found = await meansOfPlots([...BASE, { line: 'Once', env: 'E2', rep: '1', yield: 55 }]);
    base.means.forEach((value, i) => expect(found.means[i]).toBeCloseTo(value, 8));
    expect(found.residual!.variance).toBeCloseTo(base.residual!.variance, 9);
    expect(found.flags.at(-1)).toBeNull();
    expect(found.standardErrors.at(-1)!).toBeGreaterThan(Math.max(...base.standardErrors));
  });

  test('an environment with one line moves all means alike', async () => {
    const base = await meansOfPlots(BASE);
    const found = await meansOfPlots([...BASE, { line: 'L4', env: 'Alone', rep: '1', yield: 90 }]);
    const moved = found.means[0]! - base.means[0]!;
    base.means.forEach((value, i) => expect(found.means[i]! - value).toBeCloseTo(moved, 8));
    expect(found.residual!.variance).toBeCloseTo(base.residual!.variance, 9);
    expect(found.components!.residual.variance).toBeCloseTo(base.components!.residual.variance, 7);
    expect(found.h2Cullis).toBeCloseTo(base.h2Cullis!, 7);
  });

  test('a replicate that shares no line with the rest', async () => {
    const base = await meansOfPlots(BASE);
    const found = await meansOfPlots([
      ...BASE,
      { line: 'New', env: 'E0', rep: '9', yield: 12 },
      { line: 'Newer', env: 'E0', rep: '9', yield: 14 },
    ]);
    expectSame(found, base);
    expect(found.flags.slice(-2)).toEqual(['not_estimable', 'not_estimable']);
    expect(found.n).toBe(25);
  });

  test('other traits in the file, and the shape of the file', async () => {
    const base = await meansOfPlots(BASE);
    const wide = BASE.map((plot, i) => `${plot.line},${plot.env},${plot.rep},${i % 4},${plot.yield}`);
    const [, yieldOfWide] = await meansOf('line,env,rep,Score,Yield', wide);
    expectSame(yieldOfWide!, base);
    const long = BASE.flatMap((plot, i) => [
      `${plot.rep},Yield,${plot.yield},${plot.line},${plot.env}`,
      `${plot.rep},Score,${i % 4},${plot.line},${plot.env}`,
    ]);
    const [yieldOfLong] = await meansOf('rep,trait,value,line,env', long);
    expectSame(yieldOfLong!, base);
  });
});

describe('traitMeans', () => {
  test('an augmented trial: strong checks change neither H², whatever their values', async () => {
    const stream = createRandomStream(5);
    const plots: Plot[] = [];
    for (let block = 1; block <= 8; block++) {
      const level = 3 * stream.normal();
      for (const check of [1, 2, 3])
        plots.push({ line: `Check${check}`, env: 'E', rep: `${block}`, yield: 6 * check + level + stream.normal() });
      for (let entry = 0; entry < 10; entry++)
        plots.push({
          line: `N${block}-${entry}`,
          env: 'E',
          rep: `${block}`,
          yield: 2 * stream.normal() + level + stream.normal(),
        });
    }
    const base = await meansOfPlots(plots);
    expect(base.checks).toEqual(['Check1', 'Check2', 'Check3']);
    expect(base.components?.lines).toBe(80);
    // Simulated with σ²g = 4 and σ²e = 1 on single plots.
    expect(Math.abs(base.components!.line.variance - 4)).toBeLessThan(3 * base.components!.line.standardError!);
    expect(base.h2Cullis).toBeGreaterThan(0.6);
    expect(base.h2Cullis).toBeLessThan(0.9);
    const stronger = await meansOfPlots(
      plots.map((plot) => (plot.line === 'Check3' ? { ...plot, yield: plot.yield! + 500 } : plot)),
    );
    expect(stronger.h2Cullis).toBeCloseTo(base.h2Cullis!, 7);
    expect(stronger.h2EntryMean).toBeCloseTo(base.h2EntryMean!, 7);
  });

  test('a column that names checks decides, also where replication would not show them', async () => {
    const rows = BASE.map(
      (plot) => `${plot.line},${plot.line === 'L7' ? 'check' : 'test'},${plot.env},${plot.rep},${plot.yield}`,
    );
    const [named] = await meansOf('line,entryType,env,rep,Yield', rows);
    expect(named?.checks).toEqual(['L7']);
    expect(named?.components?.lines).toBe(24);
    expect((await meansOfPlots(BASE)).checks).toEqual([]);
  });

  test('says why there are no components, and describes the values by environment', async () => {
    const rows = Array.from({ length: 24 }, (_, i) => `L${i},Y${i % 2},${i}`);
    const [single] = await meansOf('line,year,T', rows);
    expect(single).toMatchObject({ components: null, withoutComponents: 'single_values', model: null, residual: null });
    expect(single?.flags[0]).toBe('single_value');
    expect(single?.environments).toEqual([
      { name: 'Y0', n: 12, min: 0, lowerQuartile: 5.5, median: 11, upperQuartile: 16.5, max: 22 },
      { name: 'Y1', n: 12, min: 1, lowerQuartile: 6.5, median: 12, upperQuartile: 17.5, max: 23 },
    ]);
  });

  test('groups without a common environment are flagged but for the largest', async () => {
    const plots = [0, 1, 2, 3, 4, 5, 6].flatMap((line) =>
      [1, 2].map((rep) => ({
        line: `L${line}`,
        env: line < 4 ? 'A' : 'B',
        rep: `${rep}`,
        yield: line * 1.5 + rep + ((line * rep) % 3),
      })),
    );
    const found = await meansOfPlots(plots);
    expect(found.groups).toBe(2);
    expect(found.flags).toEqual([null, null, null, null, 'other_group', 'other_group', 'other_group']);
  });
});
