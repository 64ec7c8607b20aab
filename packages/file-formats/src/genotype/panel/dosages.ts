import { HET, HOM_A1, HOM_A2, MISSING } from './packed-calls.ts';

/** Units in one copy of A2 of a diploid: dosages are kept to 2⁻¹⁴ of a copy, as in PLINK 2's `.pgen`. */
export const DOSAGE_UNITS = 16_384;
/** A missing dosage of a diploid. */
export const MISSING_DOSAGE = 65_535;

/**
 * Units in one copy of A2 of a polyploid, which has 32 bits a dosage: decimals of up to eight places, as DS is printed
 * with, are kept exactly.
 */
export const POLYPLOID_UNITS = 100_000_000;
/** A missing dosage of a polyploid. */
export const MISSING_POLYPLOID = 0xffffffff;

/** Ploidies that panels have. */
export const PLOIDIES: readonly number[] = [2, 4, 6, 8];

/** How many calls have a fractional dosage, and how many markers have such calls. */
export interface FractionalCount {
  calls: number;
  markers: number;
}

/**
 * Dosages of those markers of a block that have fractional ones; the packed calls of the block hold the nearest whole
 * numbers. In a panel of polyploids every marker has its dosages, and the packed calls tell only no copy, some and
 * all.
 */
export interface BlockDosages {
  /** By marker of the block: its row in `values`, −1 for a marker of whole numbers. */
  rows: Int32Array;
  /**
   * A row has one entry a sample: copies of A2 × {@link DOSAGE_UNITS}, or {@link MISSING_DOSAGE}; of polyploids copies
   * × {@link POLYPLOID_UNITS}, or {@link MISSING_POLYPLOID}.
   */
  values: DosageValues;
  /** Copies of a homozygote; 2 unless told. */
  ploidy?: number;
}

/** 16 bits a dosage of a diploid, 32 of a polyploid. */
export type DosageValues = Uint16Array | Uint32Array;

/** The fractional dosages of a panel. */
export interface PanelDosages {
  /** Markers and calls with a fraction. */
  readonly markerCount: number;
  readonly callCount: number;
  /** Copies of a homozygote: 4, 6 or 8 for a panel of polyploids, 2 unless told. */
  readonly ploidy?: number;
  /** Of each sample, where they differ; `ploidy` is then the highest. */
  readonly ploidies?: Uint8Array;
  /** Whether a marker has dosages of its own: a fraction, or those of polyploids. */
  has(marker: number): boolean;
  /** Whether a dosage of a marker is a fraction. */
  hasFraction(marker: number): boolean;
  /** Dosages of `count` markers from marker `first` (0-based); undefined where none of them has any. */
  read(first: number, count: number): Promise<BlockDosages | undefined>;
}

/** Copies of A2 in a homozygote of a panel. */
export function ploidyOf({ dosages }: { dosages?: PanelDosages | undefined }): number {
  return dosages?.ploidy ?? 2;
}

/** A dosage of 0 to 2 copies in whole units, to the nearest; NaN is a missing one. */
export function dosageUnits(copies: number): number {
  return Number.isNaN(copies) ? MISSING_DOSAGE : Math.round(DOSAGE_UNITS * copies);
}

/** A dosage of a polyploid in whole units, to the nearest; NaN is a missing one. */
export function polyploidUnits(copies: number): number {
  return Number.isNaN(copies) ? MISSING_POLYPLOID : Math.round(POLYPLOID_UNITS * copies);
}

/** Code of the call that is nearest to a dosage in units; halves go up. */
export function nearestCall(units: number): number {
  if (units === MISSING_DOSAGE) return MISSING;
  return units < DOSAGE_UNITS / 2 ? HOM_A1 : units < (3 * DOSAGE_UNITS) / 2 ? HET : HOM_A2;
}

/** Code of the call that a dosage of a polyploid stands under in the `.bed`: no copy, some, all. */
export function classOfCopies(copies: number, ploidy: number): number {
  if (Number.isNaN(copies)) return MISSING;
  const nearest = Math.round(copies);
  return nearest === 0 ? HOM_A1 : nearest === ploidy ? HOM_A2 : HET;
}

/** Whether a dosage in units is neither a whole number of copies nor missing. */
export function isFraction(units: number): boolean {
  return units !== MISSING_DOSAGE && units % DOSAGE_UNITS !== 0;
}

const texts: string[] = [];

/** As {@link dosageText}, of a panel of any ploidy. */
export function dosageTextOf(units: number, ploidy: number | undefined): string {
  if (ploidy === undefined) return dosageText(units);
  return units === MISSING_POLYPLOID ? '' : String(units / POLYPLOID_UNITS);
}

/**
 * A dosage in units as the shortest decimal number that is read back as the same units; at most five decimals. Empty
 * when missing.
 */
export function dosageText(units: number): string {
  if (units === MISSING_DOSAGE) return '';
  texts[units] ??= shortestText(units);
  return texts[units];
}

function shortestText(units: number): string {
  for (let decimals = 0; ; decimals++) {
    const text = (units / DOSAGE_UNITS).toFixed(decimals);
    if (dosageUnits(Number(text)) === units) return text;
  }
}
