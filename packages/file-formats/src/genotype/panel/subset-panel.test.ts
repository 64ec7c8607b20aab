import { expect, test } from 'vitest';
import type { GenotypePanel } from './genotype-panel.ts';
import { packCalls, packedLength, unpackCalls } from './packed-calls.ts';
import { subsetPanel } from './subset-panel.ts';

const SAMPLES = 11;
const MARKERS = 30;
const codeOf = (marker: number, sample: number) => (7 * marker + 3 * sample + marker * sample) % 4;

function panel(): GenotypePanel {
  const stride = packedLength(SAMPLES);
  const bed = new Uint8Array(MARKERS * stride);
  const codes = new Uint8Array(SAMPLES);
  for (let j = 0; j < MARKERS; j++) {
    for (let i = 0; i < SAMPLES; i++) codes[i] = codeOf(j, i);
    packCalls(codes, bed, j * stride);
  }
  return {
    samples: Array.from(codes, (_, i) => `s${i}`),
    markers: {
      id: Array.from({ length: MARKERS }, (_, j) => `m${j}`),
      chromosome: Array.from({ length: MARKERS }, (_, j) => String(1 + (j >> 3))),
      positionBp: Float64Array.from({ length: MARKERS }, (_, j) => 100 * j),
      a1: Array(MARKERS).fill('A'),
      a2: Array.from({ length: MARKERS }, (_, j) => (j % 2 === 0 ? 'C' : 'G')),
    },
    readPacked: async (first, count) => bed.slice(first * stride, (first + count) * stride),
    close: async () => {},
  };
}

test.each([
  ['samples and markers', [0, 3, 4, 9, 10], [1, 2, 3, 8, 20, 21, 29]],
  ['all samples', null, [0, 5, 6]],
  ['all markers', [2], null],
  ['everything', null, null],
])('holds the calls and places of the chosen %s, read in any blocks', async (_, samples, markers) => {
  const chosen = subsetPanel(panel(), { samples, markers });
  const columns = samples ?? Array.from({ length: SAMPLES }, (_value, i) => i);
  const rows = markers ?? Array.from({ length: MARKERS }, (_value, j) => j);
  expect(chosen.samples).toEqual(columns.map((i) => `s${i}`));
  expect(chosen.markers.id).toEqual(rows.map((j) => `m${j}`));
  expect([...chosen.markers.positionBp]).toEqual(rows.map((j) => 100 * j));
  expect(chosen.markers.a2).toEqual(rows.map((j) => (j % 2 === 0 ? 'C' : 'G')));
  const codes = new Uint8Array(columns.length);
  for (const size of [1, 2, rows.length]) {
    for (let first = 0; first + size <= rows.length; first += size) {
      const packed = await chosen.readPacked(first, size);
      expect(packed).toHaveLength(size * packedLength(columns.length));
      for (let k = 0; k < size; k++) {
        unpackCalls(packed, codes, k * packedLength(columns.length));
        expect([...codes]).toEqual(columns.map((i) => codeOf(rows[first + k]!, i)));
      }
    }
  }
});
