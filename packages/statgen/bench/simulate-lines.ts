import { createRandomStream, type RandomStream } from '../src/random/random-stream.ts';

/** Packed calls of individuals bred from a few founders, so that neighbouring markers are in LD. */
export interface SimulatedLines {
  n: number;
  markers: number;
  packed: Uint8Array;
}

const FOUNDERS = 12;
const CHROMOSOMES = 5;
/** Crossovers between neighbouring markers of a gamete. */
const RECOMBINATION = 0.04;

/**
 * `inbred`: doubled gametes. `mixed`: every other individual is one, the others have two different gametes. Each
 * gamete is a mosaic of one family's four founders.
 */
export function simulateLines(n: number, markers: number, kind: 'inbred' | 'mixed', seed: number): SimulatedLines {
  const random = createRandomStream(seed, 'lines', n, markers, kind);
  const founders = Array.from({ length: FOUNDERS }, () => {
    return Uint8Array.from({ length: markers }, () => Number(random.uniform() < 0.5));
  });
  const stride = (n + 3) >> 2;
  const packed = new Uint8Array(markers * stride);
  for (let i = 0; i < n; i++) {
    const family = Array.from({ length: 4 }, (_, k) => founders[(3 * (i % 6) + 2 * k) % FOUNDERS]);
    const one = gamete(family, markers, random);
    const other = kind === 'inbred' || i % 2 === 0 ? one : gamete(family, markers, random);
    for (let j = 0; j < markers; j++) {
      const dosage = one[j] + other[j];
      const missing = random.uniform() < 0.02;
      packed[j * stride + (i >> 2)] |= (missing ? 1 : dosage === 0 ? 0 : dosage + 1) << (2 * (i & 3));
    }
  }
  return { n, markers, packed };
}

function gamete(family: readonly Uint8Array[], markers: number, random: RandomStream): Uint8Array {
  let from = random.nextInt(family.length);
  return Uint8Array.from({ length: markers }, (_, j) => {
    const isStart = j % Math.ceil(markers / CHROMOSOMES) === 0;
    if (isStart || random.uniform() < RECOMBINATION) from = random.nextInt(family.length);
    return family[from][j];
  });
}
