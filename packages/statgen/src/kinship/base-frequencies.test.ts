import type { Matrix } from '@heterosis/linalg/matrix';
import { someOf } from '@heterosis/test-support/whole';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMarkerEffectAccumulator } from '../genomic-prediction/marker-effects.ts';
import { createKinshipAccumulator, type KinshipMethod } from './accumulate-kinship.ts';

/** Dosages of individuals (rows) at markers (columns), null = missing; every marker has both alleles. */
const panels = fc
  .record({ n: fc.integer({ min: 6, max: 25 }), markers: fc.integer({ min: 1, max: 12 }) })
  .chain(({ n, markers }) =>
    fc.record({
      n: fc.constant(n),
      rows: fc.array(
        fc
          .array(fc.constantFrom(0, 1, 2, 0, 1, 2, null), { minLength: n, maxLength: n })
          .filter((row) => new Set(row.filter((dosage) => dosage !== null)).size > 1),
        { minLength: markers, maxLength: markers },
      ),
      base: fc.uniqueArray(fc.nat(n - 1), { minLength: 1, maxLength: n }).map((chosen) => Int32Array.from(chosen)),
      weights: fc.array(fc.double({ min: -2, max: 2, noNaN: true }), { minLength: n, maxLength: n }),
    }),
  );

type Row = (number | null)[];

const CODE = { 0: 0, 1: 2, 2: 3, missing: 1 } as const;

function pack(rows: readonly Row[], n: number): Uint8Array {
  const stride = (n + 3) >> 2;
  const packed = new Uint8Array(rows.length * stride);
  for (const [j, row] of rows.entries()) {
    for (const [i, dosage] of row.entries()) {
      packed[j * stride + (i >> 2)] |= CODE[dosage === null ? 'missing' : (dosage as 0 | 1 | 2)] << (2 * (i & 3));
    }
  }
  return packed;
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const called = (row: Row): number[] => row.filter((dosage) => dosage !== null);

/** A marker with missing calls filled by the mean of all individuals, and p among those of the base. */
function filled(row: Row, base: Int32Array): { p: number; dosage: number[]; heterozygous: number[] } {
  const inBase = called([...base].map((i) => row[i]));
  const meanDosage = mean(called(row));
  const meanHeterozygous = mean(called(row).map((dosage) => Number(dosage === 1)));
  return {
    p: (inBase.length > 0 ? mean(inBase) : meanDosage) / 2,
    dosage: row.map((dosage) => dosage ?? meanDosage),
    heterozygous: row.map((dosage) => (dosage === null ? meanHeterozygous : Number(dosage === 1))),
  };
}

/** Values of one marker and its share of the divisor, by the definitions. */
function coded(method: KinshipMethod, row: Row, base: Int32Array): { codes: number[]; divisor: number } {
  const { p, dosage, heterozygous } = filled(row, base);
  const variance = 2 * p * (1 - p);
  const centred = dosage.map((g) => g - 2 * p);
  if (method === 'vanraden1') return { codes: centred, divisor: variance };
  if (method === 'standardized') {
    return { codes: centred.map((z) => (variance > 0 ? z / Math.sqrt(variance) : 0)), divisor: 1 };
  }
  // Where all of the base are heterozygous, the marker says nothing of dominance.
  const inBase = called([...base].map((i) => row[i]));
  if (inBase.length > 0 && inBase.every((g) => g === 1)) return { codes: dosage.map(() => 0), divisor: 0 };
  // −2p², 2pq, −2q² is linear in the dosage and the heterozygosity, and so are their means.
  return { codes: dosage.map((g, i) => heterozygous[i] + (2 * p - 1) * g - 2 * p * p), divisor: variance ** 2 };
}

test('kinships take p from the individuals told and fill missing calls by the means of all', () => {
  fc.assert(
    fc.property(panels, ({ n, rows, base }) => {
      const methods = ['vanraden1', 'standardized', 'dominance'] as const;
      const accumulator = createKinshipAccumulator({
        panelSize: n,
        filter: { maf: 0, callRate: 0 },
        frequenciesOf: base,
        methods,
      });
      accumulator.add(pack(rows, n), rows.length);
      const { kernels, divisors } = accumulator.finish();
      for (const method of methods) {
        const markers = rows.map((row) => coded(method, row, base));
        const sum = markers.reduce((total, { divisor }) => total + divisor, 0);
        const divisor = method === 'standardized' ? Math.max(1, sum - 1) : sum;
        expect(divisors[method]).toBeCloseTo(divisor, 10);
        // The base has no heterozygote at any marker: the scale is undefined.
        if (divisor === 0) continue;
        for (let i = 0; i < n; i++) {
          for (let k = 0; k < n; k++) {
            const expected = markers.reduce((total, { codes }) => total + codes[i] * codes[k], 0) / divisor;
            const actual = (kernels[method] as Matrix).data[i + k * n];
            expect(Math.abs(actual - expected)).toBeLessThan(1e-11 * (1 + Math.abs(expected)));
          }
        }
      }
    }),
    { seed: 3, numRuns: someOf(80) },
  );
});

test.each(['vanraden1', 'standardized'] as const)('marker effects rebuild what the %s kinships predict', (method) => {
  fc.assert(
    fc.property(panels, ({ n, rows, base, weights }) => {
      const packed = pack(rows, n);
      const options = { panelSize: n, frequenciesOf: base };
      const kinship = createKinshipAccumulator({
        ...options,
        filter: { maf: 0, callRate: 0 },
        methods: [method, 'dominance'],
      });
      kinship.add(packed, rows.length);
      const { kernels, divisors, scan } = kinship.finish();
      const [additiveDivisor, dominanceDivisor] = [divisors[method] as number, divisors.dominance as number];
      fc.pre(additiveDivisor > 0 && dominanceDivisor > 0);
      const effects = createMarkerEffectAccumulator({
        ...options,
        method,
        kept: scan.kept,
        traits: [
          {
            mean: 3,
            weights: Float64Array.from(weights),
            additiveScale: 0.7 / additiveDivisor,
            dominanceScale: 0.4 / dominanceDivisor,
          },
        ],
      });
      effects.add(packed, rows.length);
      const [{ intercept, additive, dominance }] = effects.finish();
      for (let i = 0; i < n; i++) {
        let byKernels = 3;
        for (let k = 0; k < n; k++) {
          byKernels += weights[k] * 0.7 * (kernels[method] as Matrix).data[i + k * n];
          byKernels += weights[k] * 0.4 * (kernels.dominance as Matrix).data[i + k * n];
        }
        let byMarkers = intercept;
        for (const [j, row] of rows.entries()) {
          const { dosage, heterozygous } = filled(row, base);
          byMarkers += dosage[i] * additive[j] + heterozygous[i] * (dominance as Float64Array)[j];
        }
        expect(Math.abs(byMarkers - byKernels)).toBeLessThan(1e-9 * (1 + Math.abs(byKernels)));
      }
    }),
    { seed: 4, numRuns: someOf(80) },
  );
});
