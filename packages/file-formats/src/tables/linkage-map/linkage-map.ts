import type { MarkerTable } from '../../genotype/panel/genotype-panel.ts';

/** A checked linkage map, one entry a marker, in file order. */
export interface LinkageMap {
  markerId: string[];
  chromosome: string[];
  /** Base pairs; NaN where the file has none. */
  positionBp: Float64Array;
  /** centimorgan; NaN where blank. */
  positionCm: Float64Array;
}

/** A map that stands in for a measured one: so many base pairs are 1 cM everywhere. Markers without a position have no place. */
export function mapOfPositions({ id, chromosome, positionBp }: MarkerTable, bpPerCm: number): LinkageMap {
  return {
    markerId: [...id],
    chromosome: [...chromosome],
    positionBp: Float64Array.from(positionBp),
    positionCm: Float64Array.from(positionBp, (bp) => (bp > 0 ? bp / bpPerCm : Number.NaN)),
  };
}
