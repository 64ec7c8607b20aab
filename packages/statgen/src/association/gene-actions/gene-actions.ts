import { NO_CLASS } from '../../genotypes/dosage-classes.ts';

/**
 * How a dosage x = 0 … k acts (Rosyara et al. 2016, Plant Genome 9, doi:10.3835/plantgenome2015.08.0073; the names are
 * those of GWASpoly):
 * - `additive`: x;
 * - `1-dom-alt`, `2-dom-alt`: one, or two, copies of A2 do what all do, x ≥ 1, x ≥ 2;
 * - `1-dom-ref`, `2-dom-ref`: one, or two, copies of A1 do what all do, x = k, x ≥ k − 1;
 * - `general`: an effect for each class of dosage but the lowest;
 * - `diplo-additive`: 0, 1 and 2 for no copy, some and all;
 * - `diplo-general`: an effect for each of these but the lowest.
 */
export const GENE_ACTIONS = [
  'additive',
  '1-dom-alt',
  '1-dom-ref',
  '2-dom-alt',
  '2-dom-ref',
  'general',
  'diplo-additive',
  'diplo-general',
] as const;
export type GeneAction = (typeof GENE_ACTIONS)[number];

/** Individuals that must not be in the largest class, the default of GWASpoly. */
const FEWEST_OTHERS = 5;

/** Dosages of one marker among n individuals, none missing. */
export interface MarkerDosages {
  /** Copies of A2. */
  copies: Float64Array;
  /** The nearest whole numbers. */
  classes: Uint8Array;
  ploidy: number;
}

/**
 * Columns of a gene action at a marker, n values each; null where all but four individuals are in one class, so that
 * nothing can be learnt.
 */
export function geneActionColumns(
  action: GeneAction,
  { copies, classes, ploidy }: MarkerDosages,
): Float64Array[] | null {
  const codes = classes.map((x) => CODE_OF[action](x, ploidy));
  const counts = new Int32Array(NO_CLASS + 1);
  for (const code of codes) counts[code]++;
  const largest = counts.reduce((most, count) => Math.max(most, count), 0);
  if (largest > codes.length - FEWEST_OTHERS) return null;
  if (action === 'additive') return [copies];
  if (action !== 'general' && action !== 'diplo-general') return [Float64Array.from(codes)];
  const present = Array.from(counts.keys()).filter((code) => counts[code] > 0);
  return present.slice(1).map((one) => Float64Array.from(codes, (code) => Number(code === one)));
}

/** The class of a whole dosage under each gene action. */
const CODE_OF: { [action in GeneAction]: (x: number, ploidy: number) => number } = {
  additive: (x) => x,
  '1-dom-alt': (x) => Number(x >= 1),
  '1-dom-ref': (x, ploidy) => Number(x === ploidy),
  '2-dom-alt': (x) => Number(x >= 2),
  '2-dom-ref': (x, ploidy) => Number(x >= ploidy - 1),
  general: (x) => x,
  'diplo-additive': diploid,
  'diplo-general': diploid,
};

function diploid(x: number, ploidy: number): number {
  return x === 0 ? 0 : x === ploidy ? 2 : 1;
}
