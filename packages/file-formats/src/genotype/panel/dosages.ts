import { HET, HOM_A1, HOM_A2, MISSING } from './packed-calls.ts';

/** Units in one copy of A2: dosages are kept to 2⁻¹⁴ of a copy, as in PLINK 2's `.pgen`. */
export const DOSAGE_UNITS = 16_384;
/** A missing dosage. */
export const MISSING_DOSAGE = 65_535;

/** How many calls have a fractional dosage, and how many markers have such calls. */
export interface FractionalCount {
  calls: number;
  markers: number;
}

/**
 * Dosages of those markers of a block that have fractional ones; the packed calls of the block hold the nearest whole
 * numbers.
 */
export interface BlockDosages {
  /** By marker of the block: its row in `values`, −1 for a marker of whole numbers. */
  rows: Int32Array;
  /** A row has one entry a sample: copies of A2 × {@link DOSAGE_UNITS}, or {@link MISSING_DOSAGE}. */
  values: Uint16Array;
}

/** The fractional dosages of a panel. */
export interface PanelDosages {
  /** Markers and calls with a fraction. */
  readonly markerCount: number;
  readonly callCount: number;
  /** Whether a marker has a fraction. */
  has(marker: number): boolean;
  /** Dosages of `count` markers from marker `first` (0-based); undefined where none of them has a fraction. */
  read(first: number, count: number): Promise<BlockDosages | undefined>;
}

/** A dosage of 0 to 2 copies in whole units, to the nearest; NaN is a missing one. */
export function dosageUnits(copies: number): number {
  return Number.isNaN(copies) ? MISSING_DOSAGE : Math.round(DOSAGE_UNITS * copies);
}

/** Code of the call that is nearest to a dosage in units; halves go up. */
export function nearestCall(units: number): number {
  if (units === MISSING_DOSAGE) return MISSING;
  return units < DOSAGE_UNITS / 2 ? HOM_A1 : units < (3 * DOSAGE_UNITS) / 2 ? HET : HOM_A2;
}

/** Whether a dosage in units is neither a whole number of copies nor missing. */
export function isFraction(units: number): boolean {
  return units !== MISSING_DOSAGE && units % DOSAGE_UNITS !== 0;
}

const texts: string[] = [];

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
