import { packedLength } from '@heterosis/file-formats/genotype/panel/packed-calls';
import { createRandomStream } from '@heterosis/statgen/random/random-stream';
import { expect, test } from 'vitest';
import { CONTEXT } from '../maize.test-data.ts';
import { createLdDecay } from './ld-decay.ts';
import { markerFigures } from './panel-counts.ts';
import { createStructure } from './panel-structure.ts';

/** Individuals of two groups with different frequencies of A2, and LD between neighbours. */
function simulated(n: number, markers: number) {
  const random = createRandomStream(5, 'large panel', n);
  const stride = packedLength(n);
  const packed = new Uint8Array(markers * stride);
  const stats = {
    markerMissing: new Int32Array(markers),
    markerHet: new Int32Array(markers),
    markerA2Copies: new Int32Array(markers),
    markerDosage: null,
    sampleMissing: new Int32Array(n),
    sampleHet: new Int32Array(n),
  };
  const codes = new Uint8Array(n);
  for (let j = 0; j < markers; j++) {
    const frequencies = [0.2 + 0.5 * random.uniform(), 0.2 + 0.5 * random.uniform()];
    for (let i = 0; i < n; i++) {
      // Half of the individuals keep the call of the previous marker.
      if (j === 0 || random.nextInt(2) === 0) codes[i] = random.uniform() < frequencies[i % 2] ? 3 : 0;
      packed[j * stride + (i >> 2)] |= codes[i] << (2 * (i & 3));
      stats.markerA2Copies[j] += codes[i] === 3 ? 2 : 0;
    }
  }
  const samples = Array.from({ length: n }, (_, i) => `I${i}`);
  return { packed, stats, samples, figures: markerFigures(n, stats), stride };
}

test('a panel beyond the limit says from how many markers its components come, and all can be asked for', {
  tags: 'whole',
}, () => {
  const n = 2_004;
  const markers = 12_500;
  const { packed, samples, figures, stride } = simulated(n, markers);
  const componentsOf = (wanted: 'auto' | 'all') => {
    const structure = createStructure(samples, figures, wanted, CONTEXT);
    for (let first = 0; first < markers; first += 1000) {
      const count = Math.min(1000, markers - first);
      structure.add(packed.subarray(first * stride, (first + count) * stride), first, count);
    }
    return structure.finish().pca;
  };
  const [some, all] = [componentsOf('auto'), componentsOf('all')];
  expect(some).toMatchObject({ of_markers: figures.passingCount, is_approximate: true });
  expect(some?.markers).toBeGreaterThan(2_200);
  expect(some?.markers).toBeLessThan(2_800);
  expect(all).toMatchObject({ markers: figures.passingCount, of_markers: figures.passingCount, is_approximate: false });
  // The groups separate on the first axis of both.
  for (const pca of [some, all]) {
    const sides = pca?.points.map(({ pc }, i) => Math.sign(pc[0]) === (i % 2 === 0 ? 1 : -1)) ?? [];
    expect([0, n]).toContain(sides.filter(Boolean).length);
  }
});

test('LD of a panel with more pairs than can be listed is sampled at every distance, the same way every time', () => {
  const n = 60;
  const markers = 9_000;
  const { packed, figures, stride } = simulated(n, markers);
  const places = {
    chromosomes: ['1', '2'],
    chromosomeOf: Int32Array.from({ length: markers }, (_, j) => (j < 6_000 ? 0 : 1)),
    positionBp: Float64Array.from({ length: markers }, (_, j) => 1000 * (j % 6_000) + 1),
  };
  const decayOf = (positionCm?: Float64Array) => {
    const decay = createLdDecay({ individuals: n, ploidy: 2 }, places, figures, positionCm);
    for (let first = 0; first < markers; first += 1024) {
      const count = Math.min(1024, markers - first);
      decay.add(packed.subarray(first * stride, (first + count) * stride), first, count, undefined);
    }
    return decay.finish();
  };
  const decay = decayOf();
  if (decay === null) throw new Error('no LD');
  expect(decay.markers).toBeLessThan(decay.of_markers);
  expect(decay.pairs).toBeLessThan(decay.of_pairs);
  // One bin per step of the edges from 1 kb to 5 Mb.
  expect(decay.bins.map(({ from }) => from)).toEqual([
    1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000, 2_000_000, 5_000_000,
  ]);
  for (const bin of decay.bins) expect(bin.pairs).toBeGreaterThan(100);
  // Neighbours share half of the calls, next neighbours a quarter: r² 1/4, 1/16 and so on, plus noise of 1/n.
  expect(decay.bins[0].r2).toBeGreaterThan(0.2);
  expect(decay.bins.at(-1)?.r2).toBeLessThan(0.06);
  expect(decayOf()).toEqual(decay);
  // 1 cM per Mb: the same pairs in other units.
  const mapped = decayOf(places.positionBp.map((bp) => bp / 1e6));
  expect(mapped?.unit).toBe('cM');
  expect(mapped?.markers).toBe(decay.markers);
  expect(mapped?.of_pairs).toBe(decay.of_pairs);
});
