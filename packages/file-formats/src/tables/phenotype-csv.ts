import { type CsvValue, csvChunks } from './csv-writer.ts';
import type { PhenotypeTable } from './phenotype-table.ts';

/**
 * The values of a phenotype table as CSV text: a row an individual, a column a numeric trait, and beside it `n_<trait>`, the
 * number of observations behind the value, for traits that were reduced to means. Missing values are empty.
 */
export function phenotypeCsv(table: PhenotypeTable): Iterable<string> {
  const columns = table.traits.flatMap((trait, index) => (trait.kind === 'numeric' ? [index] : []));
  const isReduced = (index: number) => table.reductions[index] !== 'as given';
  const header = ['individual'];
  for (const index of columns) {
    const { name, unit } = table.traits[index];
    header.push(unit === null || name.endsWith(`(${unit})`) ? name : `${name} (${unit})`);
    if (isReduced(index)) header.push(`n_${name}`);
  }
  function* rows(): Generator<CsvValue[]> {
    for (let individual = 0; individual < table.individuals.length; individual++) {
      const row: CsvValue[] = [table.individuals[individual]];
      for (const index of columns) {
        row.push(table.values[index][individual]);
        if (isReduced(index)) row.push(table.observations[index][individual]);
      }
      yield row;
    }
  }
  return csvChunks(header, rows());
}
