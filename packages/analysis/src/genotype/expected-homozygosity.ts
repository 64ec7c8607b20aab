import { calledChromosomes, type GenotypeStats } from '@heterosis/file-formats/genotype/genotype-stats';
import { type BlockDosages, MISSING_POLYPLOID, POLYPLOID_UNITS } from '@heterosis/file-formats/genotype/panel/dosages';
import { packedLength } from '@heterosis/file-formats/genotype/panel/packed-calls';
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
  if (stats.ploidy !== undefined) {
    const ploidies = stats.mixed?.ploidies ?? new Uint8Array(samples).fill(stats.ploidy);
    return createPolyploidInbreeding(samples, stats, ploidies);
  }
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
 * F of polyploids, 1 − Σ H_obs / Σ H_exp over the called markers of a plant of ploidy p: H_obs = x(p − x)/(p choose 2)
 * is the chance that two of its alleles drawn without replacement differ, H_exp = 2f(1 − f) that two drawn from the
 * panel do.
 */
function createPolyploidInbreeding(samples: number, stats: GenotypeStats, ploidies: Uint8Array): InbreedingBuilder {
  const { markerMissing, markerDosage } = stats;
  // As above: Σ H_exp over all markers, minus those at markers where a plant has no call.
  let total = 0;
  const notCalled = new Float64Array(samples);
  const observed = new Float64Array(samples);
  const perUnit = 1 / POLYPLOID_UNITS;
  return {
    add(_packed, first, count, dosages) {
      if (dosages === undefined || markerDosage === null) return;
      const { rows, values } = dosages;
      for (let k = 0; k < count; k++) {
        if (markerMissing[first + k] === samples) continue;
        const f = markerDosage[first + k] / calledChromosomes(stats, samples, first + k);
        const expected = 2 * f * (1 - f);
        total += expected;
        const from = rows[k] * samples;
        for (let i = 0; i < samples; i++) {
          const units = values[from + i];
          if (units === MISSING_POLYPLOID) {
            notCalled[i] = notCalled[i] + expected;
            continue;
          }
          const x = units * perUnit;
          observed[i] = observed[i] + x * (ploidies[i] - x);
        }
      }
    },
    finish: () =>
      observed.map((sum, i) => {
        const expected = total - notCalled[i];
        const pairs = (ploidies[i] * (ploidies[i] - 1)) / 2;
        return expected > 1e-9 ? 1 - sum / (pairs * expected) : Number.NaN;
      }),
  };
}
