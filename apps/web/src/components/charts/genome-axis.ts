/** Chromosomes laid end to end on one axis, in the order given. */
export interface GenomeAxis {
  names: readonly string[];
  /** Offset in bp that is added to a position on the chromosome. */
  offsets: Float64Array;
  /** Middle of each chromosome, where its name stands. */
  middles: Float64Array;
  total: number;
}

/** Share of the longest chromosome left empty between two neighbours. */
const GAP_SHARE = 0.02;

/** Lays out chromosomes of these lengths (bp; 0 where a chromosome has no marker). */
export function layoutGenome(names: readonly string[], lengthsBp: readonly number[]): GenomeAxis {
  const longest = Math.max(1, ...lengthsBp);
  const offsets = new Float64Array(names.length);
  const middles = new Float64Array(names.length);
  let total = 0;
  for (let index = 0; index < names.length; index++) {
    const length = lengthsBp[index] ?? 0;
    offsets[index] = total;
    middles[index] = total + length / 2;
    total += length + (index < names.length - 1 ? longest * GAP_SHARE : 0);
  }
  return { names, offsets, middles, total: Math.max(1, total) };
}

/** Fields of one point of the plot data: index of the chromosome, position in bp, −log10 p. */
export const PLOT_FIELDS = 3;

/** The largest position seen on each chromosome. */
export function chromosomeLengths(points: Float32Array, chromosomes: number): number[] {
  const lengths = Array.from<number>({ length: chromosomes }).fill(0);
  for (let at = 0; at + 2 < points.length; at += PLOT_FIELDS) {
    const chromosome = points[at] ?? 0;
    lengths[chromosome] = Math.max(lengths[chromosome] ?? 0, points[at + 1] ?? 0);
  }
  return lengths;
}

/** Plot data as flat x, y pairs along the genome: the even chromosomes and the odd ones, for their two tones. */
export function splitByTone(points: Float32Array, genome: GenomeAxis): [Float64Array, Float64Array] {
  const tones: [number[], number[]] = [[], []];
  for (let at = 0; at + 2 < points.length; at += PLOT_FIELDS) {
    const chromosome = points[at] ?? 0;
    const tone = tones[chromosome % 2 === 0 ? 0 : 1];
    tone.push((genome.offsets[chromosome] ?? 0) + (points[at + 1] ?? 0), points[at + 2] ?? 0);
  }
  return [Float64Array.from(tones[0]), Float64Array.from(tones[1])];
}

/** The chromosome and position that a place on the axis belongs to. */
export function locate(genome: GenomeAxis, x: number): { chromosome: number; positionBp: number } {
  let chromosome = 0;
  while (chromosome + 1 < genome.offsets.length && x >= (genome.offsets[chromosome + 1] ?? Number.POSITIVE_INFINITY)) {
    chromosome++;
  }
  return { chromosome, positionBp: x - (genome.offsets[chromosome] ?? 0) };
}
