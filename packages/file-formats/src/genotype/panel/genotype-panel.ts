import type { PanelDosages } from './dosages.ts';

/**
 * Markers of a panel, one entry a marker, in the order of the `.bed`.
 * A1 is the reference allele, A2 the alternative; every dosage counts copies of A2.
 */
export interface MarkerTable {
  id: string[];
  chromosome: string[];
  /** Base pairs, 1-based; 0 when unknown. */
  positionBp: Float64Array;
  a1: string[];
  a2: string[];
}

/**
 * A genotype matrix: individuals × markers, marker by marker, 2 bits a call, ceil(n/4) bytes a marker. Codes 00 = two
 * copies of A1, 10 = heterozygous, 11 = two copies of A2, 01 = missing.
 */
export interface GenotypePanel {
  /** Individual names (IID of the `.fam`; FID_IID where the IID repeats). */
  readonly samples: string[];
  readonly markers: MarkerTable;
  /** Packed calls of `count` markers from marker `first` (0-based): count × ceil(n/4) bytes. */
  readPacked(first: number, count: number): Promise<Uint8Array>;
  /**
   * Dosages of the markers that have fractions, of which the packed calls are the nearest whole numbers; undefined
   * where none has.
   */
  readonly dosages?: PanelDosages | undefined;
  close(): Promise<void>;
}
