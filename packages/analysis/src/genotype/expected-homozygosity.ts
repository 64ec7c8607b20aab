import { packedLength } from '@heterosis/file-formats/genotype/panel/packed-calls';
import type { GenotypeStats } from '@heterosis/file-formats/genotype/panel/panel-writer';
import { expectedHomozygosity, inbreedingCoefficient } from '@heterosis/statgen/marker-quality/inbreeding';

/** Accumulates, block by block, the sums for the inbreeding coefficients of all individuals. */
export interface InbreedingBuilder {
  /** Adds packed calls of `count` markers, starting at `first`. */
  add(packed: Uint8Array, first: number, count: number): void;
  /** F of each individual by the method of moments; NaN where no polymorphic marker is called. */
  finish(): Float64Array;
}

/** Inbreeding coefficients of `samples` individuals, over all polymorphic markers of the panel. */
export function createInbreeding(samples: number, stats: GenotypeStats): InbreedingBuilder {
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
