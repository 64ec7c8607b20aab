import type { MarkerTable } from '../../genotype/panel/genotype-panel.ts';
import { isKnownChromosome } from './chromosome-name.ts';

/** A checked linkage map, one entry per marker, in file order. */
export interface LinkageMap {
  markerId: string[];
  chromosome: string[];
  /** Base pairs; NaN where the file has none. */
  positionBp: Float64Array;
  /** centimorgan; NaN where blank. */
  positionCm: Float64Array;
  /**
   * 1-based line of each row, for messages; absent if the map is not from a file, or was stored before lines were
   * recorded.
   */
  line?: Int32Array;
  /** Name of the file, for messages. */
  file?: string;
}

/**
 * A substitute for a measured map: a constant number of base pairs per cM. Markers without chromosome or position are
 * unmapped.
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
