import type { RandomStream } from '../random/random-stream.ts';
import type { StackLoci } from './gametes.ts';

/** Where a haplotype of a chromosome comes from: `start` at its beginning, the other one after each switch (Morgan). */
export interface Strand {
  start: 0 | 1;
  switches: readonly number[];
}

/** A haplotype of the genome by chromosome; 1 = from a donor, 0 = from the recurrent parent. */
export type Haplotype = readonly Strand[];

export const wholeOf = (origin: 0 | 1, lengths: readonly number[]): Haplotype =>
  lengths.map(() => ({ start: origin, switches: [] }));

/** Crossovers of a meiosis: on each chromosome the haplotype that the gamete starts with, and where it changes. */
export type Meiosis = readonly { first: 0 | 1; crossovers: readonly number[] }[];

/** A meiosis without interference: crossovers are a Poisson process of one per Morgan (Haldane 1919). */
export function drawMeiosis(lengths: readonly number[], random: RandomStream): Meiosis {
  return lengths.map((length) => {
    const first = (random.uint32() >>> 31) as 0 | 1;
    const crossovers = Array.from({ length: random.poisson(length) }, () => length * random.uniform());
    return { first, crossovers: crossovers.sort((a, b) => a - b) };
  });
}

/** Bits of the loci that come from the second haplotype; `chromosome` of the loci counts from 0. */
export function phaseAt({ chromosome, morgan }: StackLoci, meiosis: Meiosis): number {
  let phase = 0;
  for (let i = 0; i < morgan.length; i++) {
    const { first, crossovers } = meiosis[chromosome[i]];
    let bit: number = first;
    for (const at of crossovers) if (at <= morgan[i]) bit ^= 1;
    phase |= bit << i;
  }
  return phase;
}

/** The gamete of a meiosis of two haplotypes. */
export function recombine(haplotypes: readonly [Haplotype, Haplotype], meiosis: Meiosis): Haplotype {
  return meiosis.map(({ first, crossovers }, c) => {
    let side: number = first;
    let origin: number = haplotypes[side][c].start;
    const start = origin as 0 | 1;
    const switches: number[] = [];
    let from = 0;
    for (let k = 0; k <= crossovers.length; k++) {
      const to = crossovers[k] ?? Number.POSITIVE_INFINITY;
      const strand = haplotypes[side][c];
      const here = originAt(strand, from);
      if (here !== origin) switches.push(from);
      origin = here;
      for (const at of strand.switches) {
        if (at <= from || at >= to) continue;
        switches.push(at);
        origin ^= 1;
      }
      from = to;
      side ^= 1;
    }
    return { start, switches };
  });
}

/** 1 where a donor's allele stands at this place. */
export function originAt({ start, switches }: Strand, morgan: number): number {
  let origin: number = start;
  for (const at of switches) if (at <= morgan) origin ^= 1;
  return origin;
}

/** Morgan of a haplotype that come from donors. */
export function donorLength(haplotype: Haplotype, lengths: readonly number[]): number {
  let sum = 0;
  for (const [c, { start, switches }] of haplotype.entries()) {
    let origin: number = start;
    let from = 0;
    for (const at of [...switches, lengths[c]]) {
      if (origin === 1) sum += at - from;
      from = at;
      origin ^= 1;
    }
  }
  return sum;
}

/** Morgan of the donor's segment around a place; 0 where the place is the recurrent parent's. */
export function segmentAround(strand: Strand, morgan: number, length: number): number {
  if (originAt(strand, morgan) === 0) return 0;
  const before = strand.switches.findLast((at) => at <= morgan) ?? 0;
  const after = strand.switches.find((at) => at > morgan) ?? length;
  return after - before;
}
