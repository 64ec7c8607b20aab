import { headerKey } from './cell-values.ts';

/** Which parent: the female gives the seed. */
export type ParentSide = 'female' | 'male';

/**
 * Headers of the columns of parents, the same in every table. Each word of a side stands alone, or with a word beside
 * it: `female parent accession(s)`, `Mutterlinie`, `parent femelle`. Without accents, as {@link headerKey} compares.
 */
export const PARENT_WORDS = {
  female:
    'female maternal mother dam seed_parent seed_bearer parent1 p1 ind1 ♀ Mutter Samenelter mütterlich mütterlicher weiblich weiblicher Elter1 mère femelle maternel maternelle madre hembra materno materna femenino progenitor1 mãe feminino',
  male: 'male paternal father sire pollen_parent pollen_donor pollinator parent2 p2 ind2 ♂ Vater Pollenelter väterlich väterlicher männlich männlicher Elter2 père mâle paternel paternelle padre macho paterno paterna masculino progenitor2 pai',
  after:
    'name parent parent_name parent_accession parent_accession(s) parent_accession_name parent_line parent_germplasm parent_germplasm_name parent_genotype parent_designation accession accession(s) accession_name line line_name genotype germplasm germplasm_name designation variety cultivar clone plant inbred Linie Stamm Sorte Genotyp Elter Elternteil Pflanze',
  before:
    'parent parental name_of nom_du nom_de_la lignée variété parent_de_la nombre_del nombre_de_la línea variedad progenitor genitor linhagem nome_do nome_da',
  /** Numbers that other programs give their entries: names where there are no others. */
  ids: 'femaleDbId femaleObsUnitDbId maleDbId maleObsUnitDbId',
} as const;

const words = (text: string): string[] => text.split(' ').map(headerKey);

const keysBySide = new Map<ParentSide, readonly string[]>();

/** Keys of the headers of a parent, words that stand alone first. */
export function parentKeys(side: ParentSide): readonly string[] {
  let keys = keysBySide.get(side);
  if (keys === undefined) {
    const [alone, after, before] = [PARENT_WORDS[side], PARENT_WORDS.after, PARENT_WORDS.before].map(words);
    // The more telling header first: `femaleName` beside `female`.
    keys = [
      ...new Set([
        ...alone.map((word) => `${word}name`),
        ...alone,
        ...alone.flatMap((word) => after.map((more) => word + more)),
        ...alone.flatMap((word) => before.map((more) => more + word)),
      ]),
    ];
    keysBySide.set(side, keys);
  }
  return keys;
}

/** Keys of the columns with the number of a parent in another program. */
export const parentIdKeys = (side: ParentSide): readonly string[] =>
  words(PARENT_WORDS.ids).filter((key) => key.startsWith(side));

/** Words of a header, without accents: `Vater-Stamm (neu)` and `vaterStamm` begin with `vater`. */
const tokensOf = (header: string): string[] =>
  header
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^a-z♀♂]+/)
    .filter(Boolean);

const SIDE_WORDS: Record<ParentSide, RegExp> = {
  female:
    /^(?:female.*|maternal.*|mother.*|dam|mutter.*|samenelter.*|weiblich.*|mere|femelle|maternel.*|madre|hembra|matern[oa]|femenin[oa]|mae|feminin[oa]|♀)$/,
  male: /^(?:male|paternal.*|father.*|sire|pollinator|pollen|vater.*|pollenelter.*|mannlich.*|pere|paternel.*|padre|macho|patern[oa]|masculin[oa]|pai|♂)$/,
};
const EITHER = /^(?:parent(?:s|al)?|elter(?:n|nteil)?|eltern.*|progenitor(?:a|es)?|genitor(?:a|es)?)$/;

/**
 * The parent that the words of a header speak of, for headers that {@link parentKeys} does not know; `either` when they
 * do not say which. Null for all others.
 */
export function parentInWords(header: string): ParentSide | 'either' | null {
  if (header.length > 200) return null;
  const tokens = tokensOf(header);
  const sides = (['female', 'male'] as const).filter((side) => tokens.some((token) => SIDE_WORDS[side].test(token)));
  if (sides.length === 1) return sides[0];
  return sides.length === 0 && tokens.some((token) => EITHER.test(token)) ? 'either' : null;
}

/** Whether a header says that it is about a parent, and not about something of one sex, such as its fertility. */
export const namesParents = (header: string): boolean => tokensOf(header).some((token) => EITHER.test(token));
