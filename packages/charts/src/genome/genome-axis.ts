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
  // Assemblies have more contigs than a function takes arguments.
  const longest = lengthsBp.reduce((most, length) => Math.max(most, length), 1);
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

/** A part of the genome axis; `chromosome` when it lies on one. */
export interface GenomeView {
  start: number;
  end: number;
  chromosome?: number;
}

/** Narrower than this nothing more is to be seen. */
const NARROWEST_BP = 1000;

export function wholeChromosome(genome: GenomeAxis, chromosome: number): GenomeView {
  const start = genome.offsets[chromosome] ?? 0;
  return { start, end: start + lengthOf(genome, chromosome), chromosome };
}

/**
 * What a range chosen on the axis shows: a part of one chromosome when both ends lie on it, else the chosen chromosomes
 * whole; undefined when that is the whole genome.
 */
export function viewOf(genome: GenomeAxis, from: number, to: number): GenomeView | undefined {
  const first = locate(genome, from).chromosome;
  const last = locate(genome, to).chromosome;
  if (first === last) {
    const whole = wholeChromosome(genome, first);
    const middle = (from + to) / 2;
    const half = Math.max(to - from, NARROWEST_BP) / 2;
    const start = Math.max(whole.start, middle - half);
    return { start, end: Math.max(start + NARROWEST_BP, Math.min(whole.end, middle + half)), chromosome: first };
  }
  if (first === 0 && last === genome.names.length - 1) return undefined;
  return { start: wholeChromosome(genome, first).start, end: wholeChromosome(genome, last).end };
}

/** Indices of the first and the last chromosome that a view shows. */
export function rangeOf(genome: GenomeAxis, view: GenomeView): { first: number; last: number } {
  if (view.chromosome !== undefined) return { first: view.chromosome, last: view.chromosome };
  return { first: locate(genome, view.start).chromosome, last: locate(genome, view.end).chromosome };
}

/** The same place seen from nearer (`factor` below 1) or from farther; undefined for the whole genome. */
export function zoom(genome: GenomeAxis, view: GenomeView | undefined, factor: number): GenomeView | undefined {
  if (view === undefined) {
    const quarter = (genome.total * (1 - factor)) / 2;
    return factor < 1 ? viewOf(genome, quarter, genome.total - quarter) : undefined;
  }
  const whole = view.chromosome === undefined ? undefined : wholeChromosome(genome, view.chromosome);
  const isWhole = whole && view.start <= whole.start && view.end >= whole.end;
  if (factor > 1 && (!whole || isWhole)) return undefined;
  const middle = (view.start + view.end) / 2;
  const half = ((view.end - view.start) * factor) / 2;
  const bounds = whole ?? { start: 0, end: genome.total };
  return viewOf(genome, Math.max(bounds.start, middle - half), Math.min(bounds.end, middle + half));
}

/**
 * The neighbouring part of the same chromosome, or the neighbouring chromosome at its ends; several chromosomes move by
 * one, as far as the genome reaches.
 */
export function shift(genome: GenomeAxis, view: GenomeView, direction: -1 | 1): GenomeView {
  if (view.chromosome === undefined) {
    const first = rangeOf(genome, view).first + direction;
    const last = rangeOf(genome, view).last + direction;
    if (first < 0 || last >= genome.names.length) return view;
    return { start: wholeChromosome(genome, first).start, end: wholeChromosome(genome, last).end };
  }
  const whole = wholeChromosome(genome, view.chromosome);
  const width = view.end - view.start;
  const isAtEnd = direction < 0 ? view.start <= whole.start : view.end >= whole.end;
  if (!isAtEnd) {
    const start = Math.min(whole.end - width, Math.max(whole.start, view.start + (direction * width) / 2));
    return { start, end: start + width, chromosome: view.chromosome };
  }
  const next = wholeChromosome(genome, (view.chromosome + direction + genome.names.length) % genome.names.length);
  if (width >= whole.end - whole.start) return next;
  const end = Math.min(next.end, next.start + width);
  return direction > 0 ? { ...next, end } : { ...next, start: Math.max(next.start, next.end - width) };
}

function lengthOf(genome: GenomeAxis, chromosome: number): number {
  return Math.max(NARROWEST_BP, 2 * ((genome.middles[chromosome] ?? 0) - (genome.offsets[chromosome] ?? 0)));
}
