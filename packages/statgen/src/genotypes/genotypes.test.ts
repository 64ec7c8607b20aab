import { someOf } from '@heterosis/test-support/whole';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRandomStream } from '../random/random-stream.ts';
import { createCallBlock } from './call-block.ts';
import { callRate, countCalls, frequencyA2, passesFilter, requireFilter } from './call-counts.ts';
import { centredValues, decodeBlock, dominanceValues, standardizedValues } from './decode-block.ts';
import { MarkerScanBuilder } from './marker-scan.ts';

/** Dosages 0, 1, 2 or −1 (missing), markers × individuals, as packed calls. */
function pack(dosages: number[][]): Uint8Array {
  const n = dosages[0].length;
  const stride = (n + 3) >> 2;
  const packed = new Uint8Array(dosages.length * stride);
  dosages.forEach((row, j) => {
    row.forEach((dosage, i) => {
      const code = dosage < 0 ? 1 : dosage === 0 ? 0 : dosage + 1;
      packed[j * stride + (i >> 2)] |= code << (2 * (i & 3));
    });
  });
  return packed;
}

const panels = fc.integer({ min: 1, max: 40 }).chain((n) =>
  fc.record({
    dosages: fc.array(fc.array(fc.integer({ min: -1, max: 2 }), { minLength: n, maxLength: n }), {
      minLength: 1,
      maxLength: 8,
    }),
    individuals: fc.array(fc.integer({ min: 0, max: n - 1 }), { minLength: 1, maxLength: 50 }),
  }),
);

test('counts and decoded dosages equal those of the unpacked calls, for whole panels and for any choice of individuals', () => {
  fc.assert(
    fc.property(panels, ({ dosages, individuals }) => {
      const n = dosages[0].length;
      const packed = pack(dosages);
      const all = Int32Array.from({ length: dosages.length }, (_, j) => j);
      for (const chosen of [undefined, Int32Array.from(individuals)]) {
        const selection = chosen === undefined ? { panelSize: n } : { panelSize: n, individuals: chosen };
        const rows = dosages.map((row) => (chosen === undefined ? row : [...chosen].map((i) => row[i])));
        const counts = countCalls(packed, dosages.length, selection);
        const out = new Float64Array(rows.length * rows[0].length);
        decodeBlock(packed, dosages.length, selection, all, centredValues(counts), out);
        rows.forEach((row, j) => {
          const called = row.filter((dosage) => dosage >= 0);
          const mean = called.length === 0 ? 0 : called.reduce((sum, dosage) => sum + dosage, 0) / called.length;
          expect(counts.missing[j]).toBe(row.length - called.length);
          expect(counts.heterozygous[j]).toBe(row.filter((dosage) => dosage === 1).length);
          expect(counts.homozygousA2[j]).toBe(row.filter((dosage) => dosage === 2).length);
          expect(callRate(counts, j)).toBe(called.length / row.length);
          const decoded = [...out.subarray(j * row.length, (j + 1) * row.length)];
          decoded.forEach((value, i) => expect(value).toBeCloseTo(row[i] < 0 ? 0 : row[i] - mean, 12));
        });
      }
    }),
    { seed: 1, numRuns: someOf(60) },
  );
});

/** Packed calls of every code, with random spare bits in each marker's last byte. */
function randomCalls(n: number, markers: number): Uint8Array {
  const random = createRandomStream(n, 'calls', markers);
  return Uint8Array.from({ length: markers * ((n + 3) >> 2) }, () => random.nextInt(256));
}

test('a block of calls counts and decodes as the plain loops do, block after block, up to every edge of its vectors', () => {
  const capacity = 7;
  for (const n of [1, 2, 3, 4, 5, 15, 16, 17, 31, 33, 63, 64, 65, 67, 128, 129, 1000, 1003]) {
    const backwards = Int32Array.from({ length: Math.ceil(n / 3) }, (_, i) => n - 1 - 3 * i);
    for (const selection of [{ panelSize: n }, { panelSize: n, individuals: backwards }]) {
      const block = createCallBlock(selection, capacity);
      for (const markers of [capacity, 3]) {
        const packed = randomCalls(n, markers);
        const plain = countCalls(packed, markers, selection);
        const counts = block.load(packed, markers);
        expect(counts, `${n} individuals`).toEqual(plain);
        for (const chosen of [
          Int32Array.from({ length: markers }, (_, j) => j),
          Int32Array.of(2, 0),
          Int32Array.of(1),
        ]) {
          const decoded = block.decode(chosen, standardizedValues(counts));
          const expected = new Float64Array(decoded.rows * chosen.length);
          decodeBlock(packed, markers, selection, chosen, standardizedValues(plain), expected);
          expect(decoded.data, `${n} individuals`).toEqual(expected);
        }
      }
    }
  }
});

test('a block that would not fit into 4 GB is refused with its size', () => {
  expect(() => createCallBlock({ panelSize: 1_000_000 }, 1024)).toThrow(
    /take 7\.9 GB in one piece, and 4 are possible/,
  );
});

test('long panels count past the limit of the packed counters', () => {
  const n = 5003;
  const dosages = [Array.from({ length: n }, () => 2), Array.from({ length: n }, (_, i) => (i % 3) - 1)];
  const counts = countCalls(pack(dosages), 2, { panelSize: n });
  expect([...counts.homozygousA2]).toEqual([n, 0]);
  expect([...counts.heterozygous]).toEqual([0, 1667]);
  expect([...counts.missing]).toEqual([0, 1668]);
});

test('the codings equal their formulas, and missing calls take the mean', () => {
  // p = 5/8, one heterozygote, one missing.
  const packed = pack([[0, 2, 1, 2, -1]]);
  const selection = { panelSize: 5 };
  const counts = countCalls(packed, 1, selection);
  const p = frequencyA2(counts, 0);
  expect(p).toBe(5 / 8);
  const decode = (values: Float64Array): number[] => {
    const out = new Float64Array(5);
    decodeBlock(packed, 1, selection, Int32Array.of(0), values, out);
    return [...out];
  };
  expect(decode(centredValues(counts))).toEqual([-1.25, 0.75, -0.25, 0.75, 0]);
  const scale = Math.sqrt(2 * p * (1 - p));
  decode(standardizedValues(counts)).forEach((value, i) => {
    expect(value).toBeCloseTo([-1.25, 0.75, -0.25, 0.75, 0][i] / scale, 14);
  });
  const deviations = [-2 * p * p, -2 * (1 - p) ** 2, 2 * p * (1 - p), -2 * (1 - p) ** 2];
  const mean = deviations.reduce((sum, value) => sum + value, 0) / 4;
  decode(dominanceValues(counts)).forEach((value, i) => {
    expect(value).toBeCloseTo(i < 4 ? deviations[i] : mean, 14);
  });
});

test('the limits of the filter are inclusive and monomorphic markers never pass', () => {
  const row = (copies: number, missing: number, n = 20) =>
    Array.from({ length: n }, (_, i) => (i < missing ? -1 : i < missing + copies ? 1 : 0));
  const fixedForA2 = Array.from({ length: 20 }, (_, i) => (i === 0 ? -1 : 2));
  const rows = [row(2, 0), row(1, 0), row(2, 2), row(2, 3), row(0, 0), row(0, 20), fixedForA2];
  const counts = countCalls(pack(rows), rows.length, { panelSize: 20 });
  const pass = (maf: number, rate: number) => rows.map((_, j) => passesFilter(counts, j, { maf, callRate: rate }));
  expect(pass(0.05, 0.9)).toEqual([true, false, true, false, false, false, false]);
  expect(pass(0, 0)).toEqual([true, true, true, true, false, false, false]);
  expect(() => requireFilter({ maf: 0.6, callRate: 0.5 })).toThrow(expect.objectContaining({ code: 'bad-option' }));
  expect(() => requireFilter({ maf: 0.1, callRate: Number.NaN })).toThrow(
    expect.objectContaining({ code: 'bad-option' }),
  );
});

test('a scan joins its blocks in order and counts the calls that will be imputed', () => {
  const scan = new MarkerScanBuilder(4);
  scan.add(countCalls(pack([[0, 1, -1, 2]]), 1, { panelSize: 4 }), Uint8Array.of(1));
  scan.add(
    countCalls(
      pack([
        [0, 0, -1, -1],
        [-1, -1, -1, -1],
      ]),
      2,
      { panelSize: 4 },
    ),
    Uint8Array.of(0, 0),
  );
  const { kept, keptCount, frequencyA2: p, callRate: rate, heterozygosity, imputedCalls } = scan.finish();
  expect([...kept]).toEqual([1, 0, 0]);
  expect([keptCount, imputedCalls]).toEqual([1, 1]);
  expect([...p]).toEqual([0.5, 0, Number.NaN]);
  expect([...rate]).toEqual([0.75, 0.5, 0]);
  expect(heterozygosity[0]).toBeCloseTo(1 / 3, 15);
});

test('packed data that is too short and individuals outside the panel are refused', () => {
  expect(() => countCalls(new Uint8Array(3), 2, { panelSize: 5 })).toThrow(
    /2 markers of 5 individuals take 4 bytes, not 3/,
  );
  expect(() => countCalls(new Uint8Array(4), 2, { panelSize: 5, individuals: Int32Array.of(5) })).toThrow(
    expect.objectContaining({ code: 'shape-mismatch' }),
  );
});
