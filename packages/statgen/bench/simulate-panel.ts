import { createRandomStream } from '../src/random/random-stream.ts';

/** Packed calls of a seeded random panel with families, and a polygenic trait. */
export interface SimulatedPanel {
  n: number;
  markers: number;
  packed: Uint8Array;
  y: Float64Array;
}

/** Markers with an effect on the trait. */
const CAUSAL = 200;
const FAMILIES = 20;

/**
 * Individuals of 20 families over common founders; allele frequencies differ between families, so that the kinship
 * has structure. One in a hundred calls is missing, unless the panel is complete. Frequencies have a resolution of
 * 1/256: four alleles cost one random number.
 */
export function simulatePanel(n: number, markers: number, seed: number, isComplete = false): SimulatedPanel {
  const random = createRandomStream(seed, 'panel', n, markers);
  const stride = (n + 3) >> 2;
  const packed = new Uint8Array(markers * stride);
  const y = new Float64Array(n);
  const effects = createRandomStream(seed, 'effects');
  const frequency = new Int32Array(FAMILIES);
  for (let j = 0; j < markers; j++) {
    const common = 26 + random.nextInt(204);
    for (let f = 0; f < FAMILIES; f++) frequency[f] = Math.max(8, Math.min(248, common + random.nextInt(81) - 40));
    const effect = j % Math.ceil(markers / CAUSAL) === 0 ? effects.normal() : 0;
    for (let i = 0; i < n; i++) {
      const bits = random.uint32();
      const limit = frequency[i % FAMILIES];
      const dosage = Number((bits & 255) < limit) + Number(((bits >>> 8) & 255) < limit);
      const missing = !isComplete && bits >>> 16 < 655;
      packed[j * stride + (i >> 2)] |= (missing ? 1 : dosage === 0 ? 0 : dosage + 1) << (2 * (i & 3));
      y[i] += effect * dosage;
    }
  }
  const mean = y.reduce((sum, value) => sum + value, 0) / n;
  const sd = Math.sqrt(y.reduce((sum, value) => sum + (value - mean) ** 2, 0) / n);
  for (let i = 0; i < n; i++) y[i] += sd * effects.normal();
  return { n, markers, packed, y };
}

/** CPU seconds of `action`: with one thread, its time on an idle machine whatever else is running. */
export function secondsOf(action: () => void): number {
  const start = process.cpuUsage();
  action();
  const used = process.cpuUsage(start);
  return (used.user + used.system) / 1e6;
}
