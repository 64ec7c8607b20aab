/** A checked linkage map, one entry a marker, in file order. */
export interface LinkageMap {
  markerId: string[];
  chromosome: string[];
  /** Base pairs; NaN where the file has none. */
  positionBp: Float64Array;
  /** centimorgan; NaN where blank. */
  positionCm: Float64Array;
}
