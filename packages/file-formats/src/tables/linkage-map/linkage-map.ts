import type { MarkerTable } from '../../genotype/panel/genotype-panel.ts';
import { isKnownChromosome } from './chromosome-name.ts';

/** A checked linkage map, one entry a marker, in file order. */
export interface LinkageMap {
  markerId: string[];
  chromosome: string[];
  /** Base pairs; NaN where the file has none. */
  positionBp: Float64Array;
  /** centimorgan; NaN where blank. */
  positionCm: Float64Array;
  /** 1-based line of each row, for messages; absent when the map does not come from a file, or was stored before lines were kept. */
  line?: Int32Array;
  /** Name of the file, for messages. */
  file?: string;
}

/**
 * A map that stands in for a measured one: so many base pairs are 1 cM everywhere. Markers without a chromosome or position have no
 * place on it.
 */
export function mapOfPositions({ id, chromosome, positionBp }: MarkerTable, bpPerCm: number): LinkageMap {
  return {
    markerId: [...id],
    chromosome: [...chromosome],
    positionBp: Float64Array.from(positionBp),
    positionCm: Float64Array.from(positionBp, (bp, j) =>
      bp > 0 && isKnownChromosome(chromosome[j]) ? bp / bpPerCm : Number.NaN,
    ),
  };
}
