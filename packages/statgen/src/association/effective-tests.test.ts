import { expect, test } from 'vitest';
import { createRandomStream } from '../random/random-stream.ts';
import { createEffectiveTestsCounter, type EffectiveTestsOptions } from './effective-tests.ts';
import { plainEffectiveTests } from './plain-effective-tests.test-data.ts';

const filter = { maf: 0, callRate: 0 };

/** Packed calls of dosages; NaN is missing. */
function pack(markers: readonly Float64Array[]): Uint8Array {
  const n = markers[0]?.length ?? 0;
  const stride = (n + 3) >> 2;
  const packed = new Uint8Array(markers.length * stride);
  for (const [j, dosages] of markers.entries()) {
    for (const [i, dosage] of dosages.entries()) {
      const code = Number.isNaN(dosage) ? 1 : dosage === 0 ? 0 : dosage + 1;
      packed[j * stride + (i >> 2)] |= code << (2 * (i & 3));
    }
  }
  return packed;
}

/** A chromosome on which neighbours are correlated, copies included. */
function chromosome(n: number, m: number, seed: number): Float64Array[] {
  const random = createRandomStream(seed, 'effective-tests');
  const markers: Float64Array[] = [];
  for (let j = 0; j < m; j++) {
    const before = markers.at(-1);
    const change = j % 5 === 0 ? 0 : 0.3 * random.uniform();
    markers.push(
      Float64Array.from({ length: n }, (_, i) => {
        const kept = before?.[i] ?? Number.NaN;
        if (!Number.isNaN(kept) && random.uniform() > change) return kept;
        return random.uniform() < 0.02 ? Number.NaN : Math.floor(3 * random.uniform());
      }),
    );
  }
  return markers;
}

function count(markers: readonly Float64Array[], options: Partial<EffectiveTestsOptions> = {}) {
  const panelSize = markers[0]!.length;
  const counter = createEffectiveTestsCounter({ panelSize, filter, ...options });
  counter.add(pack(markers), markers.length);
  return { tests: counter.finishChromosome(), blockMarkers: counter.blockMarkers() };
}

test.each([
  ['fewer markers than individuals', 80, 40],
  ['as many', 40, 40],
  ['more markers than individuals', 30, 90],
  ['a single marker', 20, 1],
])('with %s the number is that of the whole correlation matrix', (_, n, m) => {
  for (const seed of [1, 2, 3]) {
    const markers = chromosome(n, m, seed);
    const { tests, blockMarkers } = count(markers);
    expect(tests).toBeCloseTo(plainEffectiveTests(markers), 7);
    expect(blockMarkers).toBeNull();
  }
});

test('more markers than a block are the same chromosome, however they come', () => {
  const markers = chromosome(24, 1300, 4);
  const counter = createEffectiveTestsCounter({ panelSize: 24, filter });
  for (const [first, end] of [
    [0, 1],
    [1, 700],
    [700, 1300],
  ]) {
    counter.add(pack(markers.slice(first, end)), end! - first!);
  }
  const parts = counter.finishChromosome();
  expect(parts).toBeCloseTo(count(markers).tests, 9);
  expect(parts).toBeCloseTo(count([...markers].reverse()).tests, 7);
});

test('chromosomes are counted apart, and an empty one counts nothing', () => {
  const one = chromosome(30, 50, 5);
  const other = chromosome(30, 12, 6);
  const counter = createEffectiveTestsCounter({ panelSize: 30, filter });
  counter.add(pack(one), one.length);
  expect(counter.finishChromosome()).toBeCloseTo(plainEffectiveTests(one), 7);
  expect(counter.finishChromosome()).toBe(0);
  counter.add(pack(other), other.length);
  expect(counter.finishChromosome()).toBeCloseTo(plainEffectiveTests(other), 7);
});

test('where individuals and markers are many, blocks are counted apart, which is said and gives more', () => {
  const markers = chromosome(60, 50, 7);
  const { tests, blockMarkers } = count(markers, { largestSpectrum: 20 });
  const blocks = [markers.slice(0, 20), markers.slice(20, 40), markers.slice(40)];
  expect(tests).toBeCloseTo(
    blocks.reduce((sum, block) => sum + plainEffectiveTests(block), 0),
    7,
  );
  expect(blockMarkers).toBe(20);
  expect(tests).toBeGreaterThan(count(markers).tests);
});

test('copies of a marker are one test; markers that fail the filters are none', () => {
  const [marker] = chromosome(50, 1, 8) as [Float64Array];
  expect(count(Array.from({ length: 30 }, () => marker)).tests).toBeCloseTo(1, 9);
  expect(count(Array.from({ length: 70 }, () => marker)).tests).toBeCloseTo(1, 9);
  const constant = new Float64Array(50).fill(2);
  const heterozygous = new Float64Array(50).fill(1);
  expect(count([marker, constant, heterozygous, marker]).tests).toBeCloseTo(1, 9);
  expect(count([constant]).tests).toBe(0);
});

test('only the individuals chosen count', () => {
  const markers = chromosome(40, 25, 9);
  const individuals = Int32Array.from({ length: 15 }, (_, i) => 2 * i + 1);
  const chosen = markers.map((dosages) => Float64Array.from(individuals, (i) => dosages[i]!));
  expect(count(markers, { individuals }).tests).toBeCloseTo(plainEffectiveTests(chosen), 7);
});
