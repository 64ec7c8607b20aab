import { createRandomStream } from '../random/random-stream.ts';
import { CLONE, type Descent, FULLY_INBRED } from './pedigree.ts';

/**
 * A by its tabular definition (Emik & Terrill 1949), row after row, with selfing generation by generation: for
 * individuals whose parents come before them. `Infinity` is taken as 60 generations.
 */
export function tabularRelationships({ maternal, paternal, selfings }: Descent): number[][] {
  const n = maternal.length;
  const a = Array.from({ length: n }, () => Array.from({ length: n }, () => 0));
  for (let i = 0; i < n; i++) {
    const [p, q] = [maternal[i], paternal[i]];
    const of = (parent: number, j: number): number => (parent < 0 ? 0 : a[parent][j]);
    for (let j = 0; j < i; j++) a[i][j] = a[j][i] = 0.5 * (of(p, j) + of(q, j));
    const t = selfings?.[i] ?? 0;
    let own = 1 + (q < 0 ? 0 : 0.5 * of(p, q));
    // A plant selfed: A_ii = 1 + ½A_pp.
    for (let generation = 0; generation < Math.min(t, 60); generation++) own = 1 + 0.5 * own;
    a[i][i] = t === CLONE ? of(p, p) : own;
  }
  return a;
}

/** A pedigree of n individuals, parents first, with every kind of descent. */
export function randomDescent(n: number, seed: number, founders = 6): Required<Descent> {
  const random = createRandomStream(seed, 'pedigree');
  const below = (limit: number): number => random.nextInt(limit);
  const maternal = new Int32Array(n).fill(-1);
  const paternal = new Int32Array(n).fill(-1);
  const selfings = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    if (i < founders) {
      selfings[i] = below(2) === 0 ? FULLY_INBRED : 0;
      continue;
    }
    maternal[i] = below(i);
    const kind = below(8);
    if (kind === 0) paternal[i] = -1;
    else if (kind === 1) paternal[i] = maternal[i];
    else paternal[i] = below(i);
    if (kind === 2) selfings[i] = below(5);
    if (kind === 3) selfings[i] = FULLY_INBRED;
    if (kind === 4) {
      paternal[i] = maternal[i];
      selfings[i] = below(2) === 0 ? CLONE : FULLY_INBRED;
    }
  }
  return { maternal, paternal, selfings };
}
