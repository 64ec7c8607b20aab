/** `maize-ear-height.json`: one GWAS, packed so that the first page can load it in a blink. */
export interface PackedGwas {
  trait: string;
  lines: number;
  markers: number;
  chromosomes: {
    name: string;
    /** Steps from marker to marker, in units of 10 kb; the first from the start of the chromosome. */
    position_steps: number[];
    /** In hundredths. */
    neg_log10_p: number[];
  }[];
  top: { id: string; chr: string; pos: number; p: number }[];
}

const STEP_BP = 10_000;

export interface ManhattanPoints {
  /** 0–1 from the start of the first chromosome to the end of the last. */
  x: Float32Array;
  negLog10P: Float32Array;
  /** Index into `chromosomes`. */
  chromosome: Uint8Array;
  chromosomes: { name: string; start: number; end: number }[];
  /** Top of the axis: the largest value or the threshold, rounded up. */
  largest: number;
  /** −log10 of 0.05 / markers. */
  bonferroni: number;
}

/** Chromosomes side by side with a small gap, as long as their last marker. */
export function layOutManhattan(gwas: PackedGwas): ManhattanPoints {
  const lengths = gwas.chromosomes.map((one) => one.position_steps.reduce((sum, step) => sum + step, 0) * STEP_BP);
  const gap = lengths.reduce((sum, length) => sum + length, 0) * 0.006;
  const total = lengths.reduce((sum, length) => sum + length + gap, -gap);
  const count = gwas.chromosomes.reduce((sum, one) => sum + one.position_steps.length, 0);
  const points: ManhattanPoints = {
    x: new Float32Array(count),
    negLog10P: new Float32Array(count),
    chromosome: new Uint8Array(count),
    chromosomes: [],
    largest: 0,
    bonferroni: -Math.log10(0.05 / Math.max(1, count)),
  };
  let next = 0;
  let start = 0;
  for (const [index, one] of gwas.chromosomes.entries()) {
    let positionBp = 0;
    for (const [marker, step] of one.position_steps.entries()) {
      positionBp += step * STEP_BP;
      points.x[next] = (start + positionBp) / total;
      points.negLog10P[next] = (one.neg_log10_p[marker] ?? 0) / 100;
      points.chromosome[next] = index;
      next++;
    }
    const end = start + (lengths[index] ?? 0);
    points.chromosomes.push({ name: one.name, start: start / total, end: end / total });
    start = end + gap;
  }
  const top = points.negLog10P.reduce((most, value) => Math.max(most, value), points.bonferroni);
  points.largest = Math.ceil(top + 0.2);
  return points;
}
