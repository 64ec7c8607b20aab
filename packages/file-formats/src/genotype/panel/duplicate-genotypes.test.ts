import { expect, test } from 'vitest';
import { createRandomStream } from '../random.test-data.ts';
import { type DuplicateGenotypes, findDuplicateGenotypes } from './duplicate-genotypes.ts';
import { packCalls, packedLength } from './packed-calls.ts';

/** Call codes, samples × markers. */
type Calls = Uint8Array[];
const MISSING = 1;

async function search(calls: Calls): Promise<DuplicateGenotypes> {
  const sampleCount = calls.length;
  const markers = calls[0].length;
  const rowBytes = packedLength(sampleCount);
  const packed = new Uint8Array(markers * rowBytes);
  const markerMissing = new Int32Array(markers);
  const markerA2Copies = new Int32Array(markers);
  for (let j = 0; j < markers; j++) {
    const codes = Uint8Array.from(calls, (sample) => sample[j]);
    packCalls(codes, packed, j * rowBytes);
    for (const code of codes) {
      if (code === MISSING) markerMissing[j]++;
      else markerA2Copies[j] += [0, 0, 1, 2][code];
    }
  }
  return findDuplicateGenotypes({
    sampleCount,
    markerMissing,
    markerA2Copies,
    readRows: (marker, count, into) => into.set(packed.subarray(marker * rowBytes, (marker + count) * rowBytes)),
  });
}

/** The definition, pair by pair and call by call. */
function plainSearch(calls: Calls): DuplicateGenotypes['pairs'] {
  const usable = Array.from(calls[0].keys()).filter((j) => {
    const called = calls.flatMap((sample) => (sample[j] === MISSING ? [] : [sample[j]]));
    return called.length >= calls.length / 2 && called.some((code) => code > 0) && called.some((code) => code < 3);
  });
  return calls.flatMap((one, first) =>
    calls.slice(first + 1).flatMap((other, k) => {
      const both = usable.filter((j) => one[j] !== MISSING && other[j] !== MISSING);
      const different = both.filter((j) => one[j] !== other[j]).length;
      const identity = 1 - different / both.length;
      return identity > 0.99 && both.length >= usable.length / 2 ? [{ first, second: first + 1 + k, identity }] : [];
    }),
  );
}

/** Lines in families: copies of a founder with so many calls of a thousand changed, and some missing. */
function families(markers: number, seed: number): Calls {
  const random = createRandomStream(seed);
  const call = (): number => [0, 2, 3][Math.floor(3 * random())];
  return Array.from({ length: 8 }, () => Uint8Array.from({ length: markers }, call)).flatMap((founder) =>
    [0, 2, 6, 9, 11, 30, 60].map((changed) =>
      founder.map((code) => {
        if (random() < 0.04) return MISSING;
        return random() < changed / 1000 ? call() : code;
      }),
    ),
  );
}

test('pairs are those of the definition over all markers, on both sides of the limit', async () => {
  for (const markers of [150, 1024, 1025, 6000]) {
    const calls = families(markers, markers);
    const found = await search(calls);
    expect(found.pairs).toEqual(plainSearch(calls));
    expect(found).toMatchObject({ unverified: 0, skipped: null });
    // Some pairs of a family are the same genotype and some are not, or the test would say nothing.
    expect(found.pairs.length).toBeGreaterThan(8);
    expect(found.pairs.length).toBeLessThan(8 * 21);
  }
});

test('monomorphic markers, the order of markers and the names of alleles change nothing', async () => {
  const calls = families(3000, 5);
  const { pairs } = await search(calls);
  const withConstant = calls.map((sample) => Uint8Array.from([...sample, ...Array<number>(500).fill(3)]));
  expect((await search(withConstant)).pairs).toEqual(pairs);
  expect((await search(calls.map((sample) => sample.toReversed()))).pairs).toEqual(pairs);
  const exchanged = calls.map((sample) => sample.map((code) => [3, 1, 2, 0][code]));
  expect((await search(exchanged)).pairs).toEqual(pairs);
  const turned = (await search(calls.toReversed())).pairs;
  const last = calls.length - 1;
  expect(
    turned.map(({ first, second, identity }) => ({ first: last - second, second: last - first, identity })),
  ).toEqual(expect.arrayContaining(pairs));
  expect(turned).toHaveLength(pairs.length);
});

test('too few polymorphic markers are no reason to call anybody the same', async () => {
  const calls = families(99, 1);
  expect(await search(calls)).toEqual({ pairs: [], markers: 99, unverified: 0, skipped: 'few-markers' });
});

test('samples without enough calls in common are not compared', async () => {
  const calls = families(2000, 3);
  const half = calls[0].map((code, j) => (j % 5 < 3 ? MISSING : code));
  const found = await search([...calls, half]);
  expect(found.pairs.some(({ second }) => second === calls.length)).toBe(false);
});
