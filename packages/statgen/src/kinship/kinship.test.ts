import { createMatrix, type Matrix } from '@heterosis/linalg/matrix';
import { multiply } from '@heterosis/linalg/products';
import { readReferencePanel } from '@heterosis/test-support/reference-data';
import { expect, test } from 'vitest';
import { callRate, countCalls, frequencyA2 } from '../genotypes/call-counts.ts';
import { createRandomStream } from '../random/random-stream.ts';
import { createKinshipAccumulator, type KinshipMethod, positionsOf } from './accumulate-kinship.ts';
import { principalComponents } from './principal-components.ts';
import { createSinglePrecisionAccumulator } from './single-precision-kinship.ts';

const MAIZE = new URL('../../reference/maize-mdp/genotypes.vcf.gz', import.meta.url);
const METHODS: KinshipMethod[] = ['standardized', 'vanraden1', 'dominance'];
const filter = { maf: 0.05, callRate: 0.9 };

function randomPanel(n: number, markers: number, seed: number): Uint8Array {
  const random = createRandomStream(seed, 'kinship');
  const stride = (n + 3) >> 2;
  const packed = new Uint8Array(markers * stride);
  for (let j = 0; j < markers; j++) {
    for (let i = 0; i < n; i++) packed[j * stride + (i >> 2)] |= [0, 0, 2, 3, 3, 1][random.nextInt(6)] << (2 * (i & 3));
  }
  return packed;
}

/** The definitions, written out call by call. */
function definedKinship(packed: Uint8Array, n: number, markers: number, method: KinshipMethod): Matrix {
  const stride = (n + 3) >> 2;
  const kinship = createMatrix(n, n);
  let divisor = 0;
  for (let j = 0; j < markers; j++) {
    const codes = Array.from({ length: n }, (_, i) => (packed[j * stride + (i >> 2)] >> (2 * (i & 3))) & 3);
    const called = codes.filter((code) => code !== 1);
    const p = called.reduce((sum, code) => sum + (code === 0 ? 0 : code - 1), 0) / (2 * called.length);
    const q = 1 - p;
    const coded = (code: number): number => {
      const dosage = code === 0 ? 0 : code - 1;
      if (method === 'vanraden1') return dosage - 2 * p;
      if (method === 'standardized') return (dosage - 2 * p) / Math.sqrt(2 * p * q);
      return [-2 * p * p, 2 * p * q, -2 * q * q][dosage];
    };
    const mean = called.reduce((sum, code) => sum + coded(code), 0) / called.length;
    const z = codes.map((code) => (code === 1 ? mean : coded(code)));
    for (let a = 0; a < n; a++) for (let b = 0; b < n; b++) kinship.data[a + b * n] += z[a] * z[b];
    divisor += method === 'standardized' ? 1 : method === 'vanraden1' ? 2 * p * q : (2 * p * q) ** 2;
  }
  const divideBy = method === 'standardized' ? divisor - 1 : divisor;
  return { rows: n, columns: n, data: kinship.data.map((value) => value / divideBy) };
}

const largestDifference = (a: Matrix, b: Matrix): number =>
  a.data.reduce((largest, value, i) => Math.max(largest, Math.abs(value - b.data[i])), 0);

test('every method equals its definition, however the markers are cut into blocks', () => {
  const n = 23;
  const markers = 1100;
  const packed = randomPanel(n, markers, 1);
  const stride = 6;
  for (const cuts of [[markers], [1, 600, 499]]) {
    const accumulator = createKinshipAccumulator({ panelSize: n, filter: { maf: 0, callRate: 0 }, methods: METHODS });
    let first = 0;
    for (const count of cuts) {
      accumulator.add(packed.subarray(first * stride, (first + count) * stride), count);
      first += count;
    }
    const { kernels, scan } = accumulator.finish();
    expect(scan.keptCount).toBe(markers);
    const counts = countCalls(packed, markers, { panelSize: n });
    for (let j = 0; j < markers; j++) {
      expect(scan.frequencyA2[j]).toBe(frequencyA2(counts, j));
      expect(scan.callRate[j]).toBe(callRate(counts, j));
      expect(scan.heterozygosity[j]).toBe(counts.heterozygous[j] / (n - counts.missing[j]));
    }
    for (const method of METHODS) {
      const kernel = kernels[method] as Matrix;
      expect(largestDifference(kernel, definedKinship(packed, n, markers, method))).toBeLessThan(1e-12);
      for (let a = 0; a < n; a++)
        for (let b = 0; b < a; b++) expect(kernel.data[a + b * n]).toBe(kernel.data[b + a * n]);
    }
  }
});

test('permuting individuals permutes the kinship, and exchanging alleles leaves it', () => {
  const n = 21;
  const packed = randomPanel(n, 200, 2);
  const of = (calls: Uint8Array, individuals?: Int32Array) => {
    const accumulator = createKinshipAccumulator({
      panelSize: n,
      ...(individuals === undefined ? {} : { individuals }),
      filter,
      methods: METHODS,
    });
    accumulator.add(calls, 200);
    return accumulator.finish().kernels;
  };
  const plain = of(packed);
  const order = createRandomStream(3).shuffle(Int32Array.from({ length: n }, (_, i) => i));
  const permuted = of(packed, order);
  const swapped = of(
    packed.map((byte) => {
      let result = 0;
      for (let shift = 0; shift < 8; shift += 2) {
        const code = (byte >> shift) & 3;
        result |= (code === 1 || code === 2 ? code : 3 - code) << shift;
      }
      return result;
    }),
  );
  for (const method of METHODS) {
    const expected = createMatrix(n, n);
    const kernel = plain[method] as Matrix;
    for (let a = 0; a < n; a++)
      for (let b = 0; b < n; b++) expected.data[a + b * n] = kernel.data[order[a] + order[b] * n];
    expect(largestDifference(permuted[method] as Matrix, expected)).toBeLessThan(1e-12);
    expect(largestDifference(swapped[method] as Matrix, kernel)).toBeLessThan(1e-12);
  }
});

test('the maize panel keeps the markers and has the mean diagonal that rrBLUP reports', () => {
  const panel = readReferencePanel(MAIZE);
  const accumulator = createKinshipAccumulator({ panelSize: panel.samples.length, filter, methods: METHODS });
  accumulator.add(panel.packed, panel.markerIds.length);
  const { kernels, scan } = accumulator.finish();
  const n = panel.samples.length;
  const meanDiagonal = (kernel: Matrix) =>
    Array.from({ length: n }, (_, i) => kernel.data[i * (n + 1)]).reduce((a, b) => a + b) / n;
  expect(scan.keptCount).toBe(2386);
  // rrBLUP::A.mat, column meandiagA of reference/maize-mdp/gp/varcomp.csv.
  expect(meanDiagonal(kernels.vanraden1 as Matrix)).toBeCloseTo(1.9001303176952, 10);
});

test('principal components are the leading eigenvectors with their share of the variance', () => {
  const packed = randomPanel(40, 300, 4);
  const accumulator = createKinshipAccumulator({ panelSize: 40, filter, methods: ['standardized'] });
  accumulator.add(packed, 300);
  const kinship = accumulator.finish().kernels.standardized as Matrix;
  const before = kinship.data.slice();
  const { axes, eigenvalues, shares } = principalComponents(kinship, 5);
  expect(kinship.data).toEqual(before);
  const image = multiply(kinship, axes);
  for (let j = 0; j < 5; j++) {
    for (let i = 0; i < 40; i++) expect(image.data[i + j * 40]).toBeCloseTo(eigenvalues[j] * axes.data[i + j * 40], 10);
  }
  expect([...eigenvalues]).toEqual([...eigenvalues].sort((a, b) => b - a));
  const all = principalComponents(kinship, 40).shares.reduce((sum, share) => sum + share, 0);
  expect(all).toBeCloseTo(1, 10);
  expect(shares[0]).toBeGreaterThan(shares[4]);
  expect(() => principalComponents(kinship, 41)).toThrow(expect.objectContaining({ code: 'bad-option' }));
});

test('in single precision the kinship has the same bits however the markers are cut, and is the double one up to rounding', () => {
  const n = 37;
  const markers = 700;
  const packed = randomPanel(n, markers, 5);
  const stride = 10;
  const individuals = Int32Array.from({ length: 33 }, (_, i) => (i * 5) % n);
  const selection = { panelSize: n, individuals };
  const double = createKinshipAccumulator({ ...selection, filter, methods: ['standardized'] });
  double.add(packed, markers);
  const { kernels, scan } = double.finish();
  // A sixth of the calls is missing: the call-rate filter drops some markers.
  expect(scan.keptCount).toBeLessThan(markers);
  const of = (cuts: number[]): Matrix => {
    const single = createSinglePrecisionAccumulator({ ...selection, filter, markersKept: scan.keptCount });
    let first = 0;
    for (const count of cuts) {
      single.add(packed.subarray(first * stride, (first + count) * stride), count);
      first += count;
    }
    return single.finish();
  };
  const kinship = of([markers]);
  expect(kinship.data.every((value) => value === Math.fround(value))).toBe(true);
  expect(of([1, 300, 399]).data).toEqual(kinship.data);
  const difference = largestDifference(kinship, kernels.standardized as Matrix);
  expect(difference).toBeGreaterThan(0);
  expect(difference).toBeLessThan(1e-5);
  expect(() => of([markers - 100])).toThrow(expect.objectContaining({ code: 'shape-mismatch' }));
});

test('positions of flags', () => {
  expect([...positionsOf(Uint8Array.of(0, 1, 1, 0, 1))]).toEqual([1, 2, 4]);
});
