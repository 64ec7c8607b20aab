import type { ChosenFileType } from '../../file-kinds.ts';
import { headerKey } from './cell-values.ts';
import { headersOf } from './header-spellings.ts';
import { parentInWords } from './parent-words.ts';

/** The type of table that a header speaks of, and the columns that say so, as they are written. */
export interface TableType {
  type: Exclude<ChosenFileType, 'GENOTYPE' | 'GENES'>;
  columns: string[];
}

/** Words of a map position with its unit, beside those of `headersOf`. */
const POSITION_WITH_UNIT = /^(?:\D*pos(?:ition)?\D*)?[([]?(?:cm|morgans?|centimorgans?)[)\]]?$/;
const PURDY_HEADERS = ['pedigree', 'purdy', 'purdypedigree', 'pedigreestring', 'purdystring'];

/**
 * The type of a table by its header alone; null when the header tells none, as that of most phenotype files. Two
 * parents and the name of a line make a pedigree, two parents and anything else a crossing table, a chromosome and map
 * positions a linkage map. Plots and replicates are those of a trial, whatever else it tells of its entries.
 */
export function tableTypeOf(names: readonly string[]): TableType | null {
  const columns = names.map((name) => ({ name, key: headerKey(name) }));
  const of = (table: Parameters<typeof headersOf>[0], ...roles: string[]) =>
    columns.filter(({ key }) => key !== '' && roles.some((role) => headersOf(table, role).includes(key)));
  const named = (found: readonly { name: string }[]) => found.map(({ name }) => name);

  const positions = columns.filter(
    ({ key }) =>
      headersOf('linkageMap', 'mapPosition').some((one) => !one.startsWith('pos') && key === one) ||
      POSITION_WITH_UNIT.test(key),
  );
  const chromosomes = of('linkageMap', 'chromosome').filter(({ key }) => key !== 'group');
  if (positions.length > 0 && chromosomes.length > 0)
    return { type: 'LINKAGE_MAP', columns: named([...chromosomes, ...positions]) };

  const parents = columns.filter(
    ({ key, name }) =>
      (['female', 'male'] as const).some((side) => headersOf('crossingTable', side).includes(key)) ||
      isParentInWords(name),
  );
  const strings = columns.filter(({ key }) => PURDY_HEADERS.includes(key));
  const generations = of('germplasm', 'generation');
  const lines = of('germplasm', 'name').filter((column) => !parents.includes(column));
  const oneParentARow = of('germplasm', 'parent');
  const crosses = of('crossingTable', 'name').filter(({ key }) => !LINE_OR_CROSS.includes(key));
  // Parents of the entries of a trial.
  if (of('phenotype', 'replicate', 'block', 'plot').length > 0) return null;
  if (parents.length >= 2) {
    const isPedigree =
      strings.length > 0 ||
      generations.length > 0 ||
      (crosses.length === 0 && columns[0] !== undefined && lines.includes(columns[0]));
    return isPedigree
      ? { type: 'PEDIGREE', columns: named([...lines.slice(0, 1), ...parents, ...strings, ...generations]) }
      : { type: 'CROSSING_TABLE', columns: named(parents) };
  }
  if (oneParentARow.length > 0 && lines.length > 0)
    return { type: 'PEDIGREE', columns: named([...lines.slice(0, 1), ...oneParentARow]) };
  if (strings.length + generations.length > 0 && lines.length > 0)
    return { type: 'PEDIGREE', columns: named([...lines.slice(0, 1), ...strings, ...generations]) };
  return null;
}

/** Headers that name a line in one table and a cross in another: they tell nothing. */
const LINE_OR_CROSS: readonly string[] = headersOf('germplasm', 'name');

/** Headers of few words: `male fertility (%)` is a trait. */
const isParentInWords = (name: string): boolean => {
  const side = parentInWords(name);
  return side !== null && side !== 'either' && /parent|elter|mutter|vater|mère|père|madre|padre|genitor/i.test(name);
};
