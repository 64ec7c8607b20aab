import type { KernelMemory } from '../kernels/genotype-kernels.ts';
import type { MarkerRecord } from './marker-columns.ts';
import type { SamplePlace } from './panel-findings.ts';

/** Alleles of one row, one entry a sample: 0 = reference, 1 = first alternative …, 255 = missing. */
export interface RowAlleles {
  readonly first: Uint8Array;
  readonly second: Uint8Array;
  /** 1 where nothing says which of two different alleles lies on which homolog. */
  readonly unphased: Uint8Array;
}

/** Calls of one row of polyploids. */
export interface PolyploidCalls {
  readonly ploidy: number;
  /** Of each sample, where they differ; `ploidy` is then the highest. */
  readonly ploidies?: Uint8Array | undefined;
  /**
   * Copies c of the counted allele where all are whole numbers, one entry a sample: 0 for none, 1 when missing, c + 1;
   * null where they stand in `copies`.
   */
  readonly codes: Uint8Array | null;
  /** Copies of the counted allele, NaN when missing; means nothing beside `codes`. */
  readonly copies: Float64Array;
  /**
   * Allele of each homolog, `ploidy` entries a sample, numbered as in {@link RowAlleles}, 255 beyond the homologs of
   * the sample; null where dosages were read.
   */
  readonly alleles: Uint8Array | null;
  /** 1 where nothing says which of different alleles lie on which homolog. */
  readonly unphased: Uint8Array;
}

/** What a reader of genotypes hands its markers to, in file order. */
export interface MarkerSink {
  /** Normalised names, once `start` was called. */
  readonly samples: readonly string[];
  /**
   * Packed calls of the marker about to be added, to be filled by the reader; unused bits of the last byte must be
   * zero.
   */
  readonly row: Uint8Array;
  /** Heterozygous calls of the marker added last. */
  readonly lastHet: number;
  /** Whether `add` needs the alleles of the row; packed calls, which are faster to read, are not used then. */
  readonly needsAlleles: boolean;
  start(names: readonly string[], where: (index: number) => SamplePlace, memory?: KernelMemory): Promise<void>;
  /** Takes a marker that counts the copies of allele `alternative` of the row. */
  add(marker: MarkerRecord, row?: RowAlleles, alternative?: number): void;
  /** Takes a marker by its dosages in units, one a sample; absent where only calls are wanted. */
  addDosages?(marker: MarkerRecord, units: Uint16Array): void;
  /** Takes a marker of polyploids that counts the copies of allele `alternative`; absent where diploids are read. */
  addCopies?(marker: MarkerRecord, calls: PolyploidCalls, alternative: number): void;
  drain(): Promise<void>;
}
