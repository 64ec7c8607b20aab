import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contrastVariances, priorVariances } from './allocation-contrasts.ts';
import { entriesOf, requestOf } from './design-request.test-data.ts';
import type { DesignRequest } from './design-types.ts';
import { makeDesign } from './make-design.ts';

/** n × n: entries of a family are related by half. */
const familyKinship = (families: readonly (string | undefined)[]): Float64Array =>
  Float64Array.from({ length: families.length ** 2 }, (_, k) => {
    const [i, j] = [k % families.length, Math.floor(k / families.length)];
    return i === j ? 1 : families[i] === families[j] ? 0.5 : 0;
  });

/** Mean CD of the contrasts of lines with their mean, by the definition var(c′ĝ)/var(c′g) with a dense V. */
function denseCdMean(places: readonly number[][], kinship: Float64Array, ratio: number): number {
  const n = Math.sqrt(kinship.length);
  const plots = places.flatMap((lines, place) => lines.map((line) => ({ line, place })));
  const v = plots.map((a, i) => plots.map((b, j) => (kinship[a.line + b.line * n] ?? 0) + (i === j ? ratio : 0)));
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
  const zk = plots.map(({ line }) => Array.from({ length: n }, (_, i) => kinship[line + i * n] ?? 0));
  const covariance = product(product(transposed(zk), p), zk);
  let sum = 0;
  for (let i = 0; i < n; i++) {
    const c = Array.from({ length: n }, (_, k) => (k === i ? 1 : 0) - 1 / n);
    const quadratic = (of: (a: number, b: number) => number) =>
      c.reduce((total, a, k) => total + a * c.reduce((inner, b, l) => inner + b * of(k, l), 0), 0);
    sum += quadratic((k, l) => covariance[k]?.[l] ?? 0) / quadratic((k, l) => kinship[k + l * n] ?? 0) / n;
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

test('every line grows at as many places as it asks for, once at each, and checks at all', () => {
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
    { numRuns: 30, seed: 1 },
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
  expect(allocation?.cdMean ?? 0).toBeCloseTo(denseCdMean(placesOf(request), kinship, 1.7), 3);
  const unrelated = requestOf({ design: 'sparse', entries: entriesOf(9), places: 4, replicates: 2 });
  const identity = Float64Array.from({ length: 81 }, (_, k) => (k % 10 === 0 ? 1 : 0));
  const found = makeDesign(unrelated).allocation;
  const dense = denseCdMean(placesOf(unrelated), identity, 1);
  expect(found?.cdMean ?? 0).toBeCloseTo(dense, 10);
  expect(found?.pevMean ?? 0).toBeCloseTo((1 - dense) * (1 - 1 / 9), 10);
});

test.each([
  ['unrelated lines', 8, 2, 1, 0],
  ['two families', 8, 2, 1, 2],
  ['three families', 9, 3, 1, 3],
  ['families of several sizes', 14, 2, 1, 4],
  ['two of three places', 6, 3, 2, 2],
] as const)('CDmean of %s is the largest of all allocations', (_, lines, places, replicates, families) => {
  const entries = entriesOf(lines).map((entry, i) => ({
    ...entry,
    ...(families === 0 ? {} : { family: `F${Math.floor(Math.sqrt(i)) % families}` }),
  }));
  const request = requestOf({ design: 'sparse', entries, places, replicates, effort: 0.1, varianceRatio: 0.8 });
  const kinship =
    families === 0
      ? Float64Array.from({ length: lines ** 2 }, (_value, k) => (k % (lines + 1) === 0 ? 1 : 0))
      : familyKinship(entries.map(({ family }) => family));
  let best = 0;
  const prior = priorVariances(kinship);
  for (const allocation of allAllocations({ lines, places, replicates })) {
    const variances = contrastVariances({
      ...allocation,
      lines,
      kinship: families === 0 ? null : kinship,
      varianceRatio: 0.8,
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
}): Generator<{ lineOf: Int32Array; placeOf: Int32Array }> {
  const { lines, places, replicates } = size;
  const subsets = Array.from({ length: 2 ** places }, (_, mask) =>
    [...Array(places).keys()].filter((place) => (mask >> place) % 2 === 1),
  ).filter(({ length }) => length === replicates);
  const most = (lines * replicates) / places;
  function* from(line: number, chosen: number[][], sizes: number[]): Generator<number[][]> {
    if (line === lines) yield chosen;
    else
      for (const subset of subsets) {
        // Places are alike: the first line takes the first subset.
        if (line === 0 && subset !== subsets[0]) continue;
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
