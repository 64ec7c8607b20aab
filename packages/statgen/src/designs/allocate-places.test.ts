import { someOf } from '@heterosis/test-support/whole';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contrastVariances, priorVariances } from './allocation-contrasts.ts';
import { AllocationInverse } from './allocation-inverse.ts';
import { entriesOf, requestOf } from './design-request.test-data.ts';
import type { DesignRequest } from './design-types.ts';
import { makeDesign } from './make-design.ts';
import { type PlaceModel, placesAlike, placesOfSeries, standardized } from './place-model.ts';

/** n × n: entries of a family are related by half. */
const familyKinship = (families: readonly (string | undefined)[]): Float64Array =>
  Float64Array.from({ length: families.length ** 2 }, (_, k) => {
    const [i, j] = [k % families.length, Math.floor(k / families.length)];
    return i === j ? 1 : families[i] === families[j] ? 0.5 : 0;
  });

/** Three places in two factors. */
const THREE_PLACES: PlaceModel = {
  loadings: [
    [1.2, 0.3],
    [0.5, -0.6],
    [0.9, 0.2],
  ],
  residual: [0.6, 1.4, 0.9],
};

/** Mean CD of the contrasts of lines with their mean, by the definition var(c′ĝ)/var(c′g) with a dense V. */
function denseCdMean(places: readonly number[][], kinship: Float64Array, model: PlaceModel): number {
  const n = Math.sqrt(kinship.length);
  const loading = (place: number, k: number): number => model.loadings[place]?.[k] ?? 0;
  const factors = [...(model.loadings[0] ?? []).keys()];
  const mean = factors.map((k) => places.reduce((sum, _, place) => sum + loading(place, k) / places.length, 0));
  const between = (p: number, q: number): number => factors.reduce((sum, k) => sum + loading(p, k) * loading(q, k), 0);
  const withMean = (p: number): number => factors.reduce((sum, k) => sum + loading(p, k) * (mean[k] ?? 0), 0);
  const ofMean = mean.reduce((sum, value) => sum + value ** 2, 0);
  const plots = places.flatMap((lines, place) => lines.map((line) => ({ line, place })));
  const v = plots.map((a, i) =>
    plots.map(
      (b, j) =>
        (kinship[a.line + b.line * n] ?? 0) * between(a.place, b.place) +
        (i === j ? (model.residual[a.place] ?? 0) : 0),
    ),
  );
  const x = plots.map(({ place }) => places.map((_, other) => (other === place ? 1 : 0)));
  const inverse = inverseOf(v);
  const product = (a: number[][], b: number[][]) =>
    a.map((row) => (b[0] ?? []).map((_, j) => row.reduce((sum, value, k) => sum + value * (b[k]?.[j] ?? 0), 0)));
  const transposed = (a: number[][]) => (a[0] ?? []).map((_, j) => a.map((row) => row[j] ?? 0));
  const vx = product(inverse, x);
  const middle = inverseOf(product(transposed(x), vx));
  const p = inverse.map((row, i) =>
    row.map((value, j) => value - (product(product([vx[i] ?? []], middle), transposed([vx[j] ?? []]))[0]?.[0] ?? 0)),
  );
  const zk = plots.map(({ line, place }) =>
    Array.from({ length: n }, (_, i) => (kinship[line + i * n] ?? 0) * withMean(place)),
  );
  const covariance = product(product(transposed(zk), p), zk);
  let sum = 0;
  for (let i = 0; i < n; i++) {
    const c = Array.from({ length: n }, (_, k) => (k === i ? 1 : 0) - 1 / n);
    const quadratic = (of: (a: number, b: number) => number) =>
      c.reduce((total, a, k) => total + a * c.reduce((inner, b, l) => inner + b * of(k, l), 0), 0);
    sum += quadratic((k, l) => covariance[k]?.[l] ?? 0) / quadratic((k, l) => (kinship[k + l * n] ?? 0) * ofMean) / n;
  }
  return sum;
}

function inverseOf(matrix: readonly number[][]): number[][] {
  const n = matrix.length;
  const rows = matrix.map((row, i) => [...row, ...Array.from({ length: n }, (_, j) => (i === j ? 1 : 0))]);
  for (let k = 0; k < n; k++) {
    const pivot = rows[k] ?? [];
    const scale = pivot[k] ?? 1;
    rows[k] = pivot.map((value) => value / scale);
    for (let i = 0; i < n; i++) {
      const factor = rows[i]?.[k] ?? 0;
      if (i !== k) rows[i] = (rows[i] ?? []).map((value, j) => value - factor * (rows[k]?.[j] ?? 0));
    }
  }
  return rows.map((row) => row.slice(n));
}

const placesOf = (request: DesignRequest): number[][] => {
  const { plots } = makeDesign(request);
  return Array.from({ length: request.places }, (_, place) =>
    plots.flatMap((plot) => (plot.place === place && plot.kind === 'entry' ? [plot.entry ?? 0] : [])),
  );
};

test('every line grows at as many places as it asks for, once at each, and checks at all', { tags: 'whole' }, () => {
  fc.assert(
    fc.property(
      ...[fc.integer({ min: 2, max: 25 }), fc.integer({ min: 2, max: 6 }), fc.nat(), fc.boolean()],
      (lines, places, seed, hasFamilies) => {
        const entries = entriesOf(lines + 1).map((entry, i) => ({
          ...{ ...entry, replicates: 1 + ((i * 7 + seed) % places) },
          ...(hasFamilies ? { family: `F${i % 3}` } : {}),
        }));
        const [check, ...others] = entries;
        const checked = [{ name: check?.name ?? '' }, ...others];
        const { plots, allocation } = makeDesign(
          requestOf({ design: 'sparse', entries: checked, checks: ['E1'], places, seed, effort: 0.005 }),
        );
        const at = Map.groupBy(
          plots.filter(({ entry }) => entry !== null),
          ({ entry }) => entry,
        );
        expect(at.get(0)).toHaveLength(places);
        others.forEach((entry, i) => {
          expect(at.get(i + 1)).toHaveLength(entry.replicates);
          expect(new Set(at.get(i + 1)?.map(({ place }) => place)).size).toBe(entry.replicates);
        });
        const sizes = allocation?.lines ?? [];
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
      },
    ),
    { numRuns: someOf(30), seed: 1 },
  );
});

test('seven lines at three of seven places make a balanced incomplete block design', () => {
  const { allocation } = makeDesign(requestOf({ design: 'sparse', entries: entriesOf(7), places: 7, replicates: 3 }));
  expect(allocation).toMatchObject({
    lineConcurrences: { min: 1, max: 1, counts: [0, 21] },
    placeConcurrences: { min: 1, max: 1 },
  });
});

test('places share equally many lines, and lines equally many places', () => {
  const { allocation } = makeDesign(
    requestOf({ design: 'sparse', entries: entriesOf(100), places: 10, replicates: 4 }),
  );
  const { placeConcurrences, lines } = allocation ?? { placeConcurrences: { min: 0, max: 9 }, lines: [] };
  expect(placeConcurrences.max - placeConcurrences.min).toBeLessThanOrEqual(1);
  expect(lines).toEqual(Array.from({ length: 10 }, () => 40));
});

test('CDmean and PEV are those of the dense definition', () => {
  const entries = entriesOf(9).map((entry, i) => ({ ...entry, family: `F${i % 3}` }));
  const request = requestOf({ design: 'sparse', entries, places: 4, replicates: 2, varianceRatio: 1.7 });
  const { allocation } = makeDesign(request);
  const kinship = familyKinship(entries.map(({ family }) => family));
  // The relationship has 1e-4 added to its diagonal before it is inverted.
  expect(allocation?.cdMean ?? 0).toBeCloseTo(denseCdMean(placesOf(request), kinship, placesAlike(4, 1.7)), 3);
  const unrelated = requestOf({ design: 'sparse', entries: entriesOf(9), places: 4, replicates: 2 });
  const identity = Float64Array.from({ length: 81 }, (_, k) => (k % 10 === 0 ? 1 : 0));
  const found = makeDesign(unrelated).allocation;
  const dense = denseCdMean(placesOf(unrelated), identity, placesAlike(4, 1));
  expect(found?.cdMean ?? 0).toBeCloseTo(dense, 10);
  expect(found?.pevMean ?? 0).toBeCloseTo((1 - dense) * (1 - 1 / 9), 10);
  const ofFactors = { ...unrelated, places: 3, placeModel: THREE_PLACES };
  expect(makeDesign(ofFactors).allocation?.cdMean ?? 0).toBeCloseTo(
    denseCdMean(placesOf(ofFactors), identity, THREE_PLACES),
    10,
  );
});

test('an exchange between places changes the variances by what it was said to', () => {
  const kinship = familyKinship(Array.from({ length: 10 }, (_, i) => `F${i % 3}`));
  const prior = priorVariances(kinship, 10);
  const weights = prior.map((variance) => 1 / variance);
  const lineOf = Int32Array.from({ length: 15 }, (_, plot) => (plot < 10 ? plot : 2 * (plot - 10)));
  const placeOf = Int32Array.from({ length: 15 }, (_, plot) => Math.floor(plot / 5));
  const allocated = { lineOf, placeOf, lines: 10, kinship, model: THREE_PLACES };
  const criterion = (): number =>
    contrastVariances(allocated)?.reduce((sum, value, i) => sum + value * (weights[i] ?? 0), 0) ?? 0;
  const inverse = new AllocationInverse(allocated, weights);
  const restore = inverse.save();
  const first = [...lineOf];
  let made = 0;
  for (let k = 0; k < 60; k++) {
    const [a, b] = [(k * 7) % 15, (k * 4 + 1) % 15];
    const change = inverse.change(a, b);
    const isTwice = lineOf.some(
      (line, plot) =>
        (line === lineOf[a] && placeOf[plot] === placeOf[b]) || (line === lineOf[b] && placeOf[plot] === placeOf[a]),
    );
    expect(change === Number.POSITIVE_INFINITY).toBe(isTwice);
    if (isTwice) continue;
    const before = criterion();
    inverse.exchange(a, b);
    // Places have a ridge of 1e-7 in the search.
    expect(Math.abs(criterion() - before - change)).toBeLessThan(1e-6);
    made++;
  }
  expect(made).toBeGreaterThan(10);
  restore();
  expect([...lineOf]).toEqual(first);
});

test('places are those of a series by their names, and its average environment elsewhere', () => {
  const series = {
    environments: ['Kiel', 'Ulm'],
    geneticCovariance: [
      [5, 3],
      [3, 11],
    ],
    loadings: [[2], [3]],
    specific: [1, 2],
    residualLines: [0.5, 0],
    plots: [4, undefined],
  };
  expect(placesOfSeries(series, ['Ulm', 'Halle', 'Kiel'])).toEqual({
    loadings: [[3], [2.5], [2]],
    // Halle: the mean of 5.5 and 6, and the variance of the loadings.
    residual: [6, 5.75 + 0.25, 5.5],
  });
  const years = { ...series, environments: ['Yield 2024 Kiel', 'Yield 2025, Kiel'] };
  expect(placesOfSeries(years, ['kiel'])).toEqual({ loadings: [[2.5]], residual: [6] });
  // Compound symmetry has no factors, and one covariance.
  expect(placesOfSeries({ ...series, loadings: null }, ['Kiel']).loadings).toEqual([[Math.sqrt(3)]]);
  expect(() => placesOfSeries({ ...series, plots: [undefined, undefined] }, ['Kiel'])).toThrow('variance of plots');
  const turned = standardized(THREE_PLACES);
  const mean = [0, 1].map((k) => turned.loadings.reduce((sum, row) => sum + (row[k] ?? 0) / 3, 0));
  expect(mean[0]).toBeCloseTo(1, 12);
  expect(mean[1]).toBeCloseTo(0, 12);
  expect(() => standardized({ loadings: [[1], [-1]], residual: [1, 1] })).toThrow('nothing in common');
});

test.each([
  ['unrelated lines', 8, 2, 1, 0],
  ['two families', 8, 2, 1, 2],
  ['three families', 9, 3, 1, 3],
  ['families of several sizes', 14, 2, 1, 4],
  ['two of three places', 6, 3, 2, 2],
  ['lines at three places in two factors', 9, 3, 1, 0, THREE_PLACES],
  ['families at three places in two factors', 6, 3, 2, 2, THREE_PLACES],
] as const)('CDmean of %s is the largest of all allocations', (_, lines, places, replicates, families, model?) => {
  const entries = entriesOf(lines).map((entry, i) => ({
    ...entry,
    ...(families === 0 ? {} : { family: `F${Math.floor(Math.sqrt(i)) % families}` }),
  }));
  const request = requestOf({ design: 'sparse', entries, places, replicates, effort: 0.1, varianceRatio: 0.8 });
  if (model) request.placeModel = model;
  const kinship = families === 0 ? null : familyKinship(entries.map(({ family }) => family));
  let best = 0;
  const prior = priorVariances(kinship, lines);
  for (const allocation of allAllocations({ lines, places, replicates, areAlike: !model })) {
    const variances = contrastVariances({
      ...allocation,
      ...{ lines, kinship, model: model ?? placesAlike(places, 0.8) },
    });
    const cd = variances?.reduce((sum, value, i) => sum + (1 - value / (prior[i] ?? 1)) / lines, 0) ?? 0;
    best = Math.max(best, cd);
  }
  expect(makeDesign(request).allocation?.cdMean ?? 0).toBeGreaterThan(best - 1e-9);
});

/** All allocations of lines to equally many places each, with places of equal size. */
function* allAllocations(size: {
  lines: number;
  places: number;
  replicates: number;
  areAlike: boolean;
}): Generator<{ lineOf: Int32Array; placeOf: Int32Array }> {
  const { lines, places, replicates, areAlike } = size;
  const subsets = Array.from({ length: 2 ** places }, (_, mask) =>
    [...Array(places).keys()].filter((place) => (mask >> place) % 2 === 1),
  ).filter(({ length }) => length === replicates);
  const most = (lines * replicates) / places;
  function* from(line: number, chosen: number[][], sizes: number[]): Generator<number[][]> {
    if (line === lines) yield chosen;
    else
      for (const subset of subsets) {
        // Of places that are alike the first line takes the first subset.
        if (areAlike && line === 0 && subset !== subsets[0]) continue;
        if (subset.some((place) => (sizes[place] ?? 0) >= most)) continue;
        yield* from(
          line + 1,
          [...chosen, subset],
          sizes.map((count, place) => count + Number(subset.includes(place))),
        );
      }
  }
  for (const chosen of from(
    0,
    [],
    Array.from({ length: places }, () => 0),
  )) {
    const pairs = chosen.flatMap((subset, line) => subset.map((place) => [line, place] as const));
    yield {
      lineOf: Int32Array.from(pairs, ([line]) => line),
      placeOf: Int32Array.from(pairs, ([, place]) => place),
    };
  }
}
