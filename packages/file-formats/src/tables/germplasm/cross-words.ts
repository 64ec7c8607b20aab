import type { GermplasmCross } from './germplasm-table.ts';

const WORDS: readonly (readonly [RegExp, GermplasmCross])[] = [
  [/^(?:biparental|single cross|cross|f1|2-way|bi-parental)$/, 'BIPARENTAL'],
  [/^(?:backcross|back cross|bc\d*(?:f\d+)?)$/, 'BACKCROSS'],
  [/^(?:self|selfed|selfing|ssd|ril|rils)$/, 'SELF'],
  [/^(?:dh|doubled haploid|double haploid|doubled_haploid|double_haploid|bc\d+dh|f\d+dh|dh0|dh1)$/, 'DH'],
  [/^(?:clone|clonal|vegetative)$/, 'CLONE'],
  [/^(?:open pollinated|open_pollinated|open|op)$/, 'OPEN_POLLINATED'],
];

/** The kind of cross that a cell names, as Breedbase, BrAPI, DeltaBreed and breeders write it; null for other text. */
export function crossOf(text: string): GermplasmCross | null {
  const word = text.trim().toLowerCase();
  return WORDS.find(([pattern]) => pattern.test(word))?.[1] ?? null;
}

/** A recombinant inbred line is selfed until nothing segregates: F8 and later make no difference to coancestry. */
const RIL_SELFINGS = 8;
const MOST_SELFINGS = 100;

/**
 * Generations of selfing since the cross that a cell gives: `F1` is 0, `F5`, `F4:5` and `BC1F5` are 4, `S3` is 3, `RIL`
 * is 8, a plain number is itself. Null for other text.
 */
export function generationsOf(text: string): number | null {
  const word = text.trim().toUpperCase();
  if (/^RILS?$/.test(word)) return RIL_SELFINGS;
  const filial = /^(?:BC\d*)?F(?:\d+:)?(\d+)$/.exec(word)?.[1];
  const selfed = /^S?(\d+)$/.exec(word)?.[1];
  const count = filial !== undefined ? Number(filial) - 1 : selfed !== undefined ? Number(selfed) : Number.NaN;
  return count >= 0 && count <= MOST_SELFINGS ? count : null;
}
