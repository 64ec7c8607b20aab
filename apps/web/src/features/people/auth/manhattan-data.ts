/** `maize-known-loci.json`: one GWAS, packed so that the first page loads it in a blink (scripts/home-figure.mjs). */
export interface PackedGwas {
  lines: number;
  markers: number;
  chromosomes: {
    name: string;
    /** Steps from marker to marker, in units of 10 kb; the first from the start of the chromosome. */
    position_steps: number[];
    /** In hundredths. */
    neg_log10_p: number[];
  }[];
  /** The loci that the trait was simulated with, and their shares of its variance. */
  loci: { id: string; chr: string; pos: number; share: number }[];
  top: { id: string; chr: string; pos: number; p: number }[];
}

const STEP_BP = 10_000;
/** A locus is found when a marker beyond the threshold lies within this distance of it. */
const NEAR_BP = 1_000_000;

export interface ManhattanPoints {
  /** 0–1 from the start of the first chromosome to the end of the last. */
  x: Float32Array;
  negLog10P: Float32Array;
  /** bp from the start of the chromosome, to within 10 kb. */
  position: Float64Array;
  /** Index into `chromosomes`. */
  chromosome: Uint8Array;
  chromosomes: { name: string; start: number; end: number }[];
  /** The true loci from left to right: where they are, and whether a marker beyond the threshold is near. */
  loci: { x: number; chr: string; pos: number; share: number; isFound: boolean }[];
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
    position: new Float64Array(count),
    chromosome: new Uint8Array(count),
    chromosomes: [],
    loci: [],
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
      points.position[next] = positionBp;
      points.negLog10P[next] = (one.neg_log10_p[marker] ?? 0) / 100;
      points.chromosome[next] = index;
      next++;
    }
    for (const locus of gwas.loci.filter(({ chr }) => chr === one.name))
      points.loci.push({ ...locus, x: (start + locus.pos) / total, isFound: isFound(points, index, locus.pos) });
    const end = start + (lengths[index] ?? 0);
    points.chromosomes.push({ name: one.name, start: start / total, end: end / total });
    start = end + gap;
  }
  points.loci.sort((one, other) => one.x - other.x);
  const top = points.negLog10P.reduce((most, value) => Math.max(most, value), points.bonferroni);
  points.largest = Math.ceil(top + 0.2);
  return points;
}

const isFound = (points: ManhattanPoints, chromosome: number, pos: number): boolean =>
  points.x.some(
    (_, index) =>
      points.chromosome[index] === chromosome &&
      (points.negLog10P[index] ?? 0) > points.bonferroni &&
      Math.abs((points.position[index] ?? 0) - pos) <= NEAR_BP,
  );

/** The point nearest to a place of the plot within `reach` pixels; undefined where there is none. */
export function nearestPoint(
  points: ManhattanPoints,
  place: { x: number; y: number },
  toPixel: (index: number) => { x: number; y: number },
  reach: number,
): number | undefined {
  let nearest: number | undefined;
  let least = reach * reach;
  for (let index = 0; index < points.x.length; index++) {
    const { x, y } = toPixel(index);
    const distance = (x - place.x) ** 2 + (y - place.y) ** 2;
    if (distance > least) continue;
    least = distance;
    nearest = index;
  }
  return nearest;
}
