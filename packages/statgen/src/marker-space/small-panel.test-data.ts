import { createRandomStream } from '../random/random-stream.ts';

/** Calls of a seeded panel of families, and a trait of which markers and noise explain about half each. */
export interface SmallPanel {
  n: number;
  m: number;
  packed: Uint8Array;
  y: Float64Array;
}

const FAMILIES = 12;

export function inbredPanel(options: { n: number; m: number; missing: number; seed: number }): SmallPanel {
  const { n, m, missing, seed } = options;
  const random = createRandomStream(seed, 'calls');
  const stride = (n + 3) >> 2;
  const packed = new Uint8Array(m * stride);
  const y = new Float64Array(n);
  for (let j = 0; j < m; j++) {
    const common = 0.15 + 0.7 * random.uniform();
    const frequencies = Float64Array.from({ length: FAMILIES }, () =>
      Math.min(0.95, Math.max(0.05, common + 0.3 * (random.uniform() - 0.5))),
    );
    const effect = random.normal();
    for (let i = 0; i < n; i++) {
      const p = frequencies[i % FAMILIES];
      const dosage = Number(random.uniform() < p) + Number(random.uniform() < p);
      const isMissing = random.uniform() < missing;
      packed[j * stride + (i >> 2)] |= (isMissing ? 1 : dosage === 0 ? 0 : dosage + 1) << (2 * (i & 3));
      y[i] += effect * dosage;
    }
  }
  const mean = y.reduce((sum, value) => sum + value, 0) / n;
  const sd = Math.sqrt(y.reduce((sum, value) => sum + (value - mean) ** 2, 0) / n);
  for (let i = 0; i < n; i++) y[i] += sd * random.normal();
  return { n, m, packed, y };
}

/** Largest difference over the largest value; NaN on both sides counts as equal. */
export function relativeDifference(actual: ArrayLike<number>, expected: ArrayLike<number>): number {
  let difference = actual.length === expected.length ? 0 : Number.POSITIVE_INFINITY;
  let size = 0;
  for (let i = 0; i < expected.length; i++) {
    if (Number.isNaN(actual[i]) && Number.isNaN(expected[i])) continue;
    difference = Math.max(difference, Number.isNaN(actual[i]) ? Infinity : Math.abs(actual[i] - expected[i]));
    size = Math.max(size, Math.abs(expected[i]));
  }
  return difference === 0 ? 0 : difference / size;
}

/** The same with dominance deviations of every marker beside the additive effects. */
export function dominancePanel(options: { n: number; m: number; missing: number; seed: number }): SmallPanel {
  const panel = inbredPanel(options);
  const random = createRandomStream(options.seed, 'dominance');
  const stride = (panel.n + 3) >> 2;
  for (let j = 0; j < panel.m; j++) {
    const effect = 1.5 * random.normal();
    for (let i = 0; i < panel.n; i++) {
      const call = (panel.packed[j * stride + (i >> 2)] >> (2 * (i & 3))) & 3;
      panel.y[i] += call === HETEROZYGOUS ? effect : 0;
    }
  }
  return panel;
}

const HETEROZYGOUS = 2;
