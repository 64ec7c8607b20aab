import { type BlockDosages, MISSING_POLYPLOID, POLYPLOID_UNITS } from '@heterosis/file-formats/genotype/panel/dosages';
import { packedLength } from '@heterosis/file-formats/genotype/panel/packed-calls';
import type { GenotypeStats } from '@heterosis/file-formats/genotype/panel/panel-writer';
import { expectedHomozygosity, inbreedingCoefficient } from '@heterosis/statgen/marker-quality/inbreeding';

/** Accumulates, block by block, the sums for the inbreeding coefficients of all individuals. */
export interface InbreedingBuilder {
  /** Adds packed calls of `count` markers, starting at `first`. */
  add(packed: Uint8Array, first: number, count: number, dosages?: BlockDosages): void;
  /** F of each individual by the method of moments; NaN where no polymorphic marker is called. */
  finish(): Float64Array;
}

/** Inbreeding coefficients of `samples` individuals, over all polymorphic markers of the panel. */
export function createInbreeding(samples: number, stats: GenotypeStats): InbreedingBuilder {
  if (stats.ploidy !== undefined) return createPolyploidInbreeding(samples, stats.ploidy);
  const { markerMissing, markerA2Copies, sampleMissing, sampleHet } = stats;
  const rowBytes = packedLength(samples);
  // Expected homozygotes over all markers, minus those at markers where an individual has no call.
  let total = 0;
  const notCalled = new Float64Array(samples);
  return {
    add(packed, first, count) {
      for (let k = 0; k < count; k++) {
        const missing = markerMissing[first + k];
        const expected = expectedHomozygosity(samples - missing, markerA2Copies[first + k]);
        total += expected;
        if (missing > 0) addToMissing(packed, k * rowBytes, samples, expected, notCalled);
      }
    },
    finish() {
      const coefficients = new Float64Array(samples);
      for (let i = 0; i < samples; i++) {
        const called = markerMissing.length - sampleMissing[i];
        coefficients[i] = inbreedingCoefficient(called - sampleHet[i], total - notCalled[i], called);
      }
      return coefficients;
    },
  };
}

function addToMissing(packed: Uint8Array, start: number, samples: number, value: number, into: Float64Array): void {
  for (let i = 0, at = start; i < samples; i += 4, at++) {
    // The low bits of missing calls (01): set where the low bit is 1 and the high bit is 0.
    const missing = packed[at] & ~(packed[at] >> 1) & 0x55;
    if (missing === 0) continue;
    for (let k = 0; k < 4 && i + k < samples; k++) {
      if ((missing & (1 << (2 * k))) !== 0) into[i + k] = into[i + k] + value;
    }
  }
}

/**
 * F of polyploids, 1 − Σ H_obs / Σ H_exp over the called markers of a plant: H_obs = x(p − x)/(p choose 2) is the
 * chance that two of its alleles drawn without replacement differ, H_exp = 2f(1 − f) that two drawn from the panel do.
 */
function createPolyploidInbreeding(samples: number, ploidy: number): InbreedingBuilder {
  const observed = new Float64Array(samples);
  const expected = new Float64Array(samples);
  const pairs = (ploidy * (ploidy - 1)) / 2;
  return {
    add(_packed, _first, count, dosages) {
      if (dosages === undefined) return;
      for (let k = 0; k < count; k++) {
        const row = dosages.values.subarray(dosages.rows[k] * samples, (dosages.rows[k] + 1) * samples);
        let sum = 0;
        let called = 0;
        for (const units of row) {
          if (units === MISSING_POLYPLOID) continue;
          sum += units;
          called++;
        }
        if (called === 0) continue;
        const f = sum / (ploidy * POLYPLOID_UNITS * called);
        const h = 2 * f * (1 - f);
        for (let i = 0; i < samples; i++) {
          if (row[i] === MISSING_POLYPLOID) continue;
          const x = row[i] / POLYPLOID_UNITS;
          observed[i] = observed[i] + (x * (ploidy - x)) / pairs;
          expected[i] = expected[i] + h;
        }
      }
    },
    finish: () => expected.map((h, i) => (h > 1e-9 ? 1 - observed[i] / h : Number.NaN)),
  };
}
