import type { Factorial } from '@heterosis/contracts/work/predictions';
import { readVcfParents, type SampleParents } from '@heterosis/file-formats/genotype/vcf-parents';
import { normalizeName } from '@heterosis/file-formats/names/normalize-name';
import type { Services } from '../../../platform/http/app.ts';
import { hasColumn, numberOrNull } from '../../../platform/result-tables/read-table-page.ts';
import { findFile } from '../../data/files/index.ts';
import type { PredictionRow } from './predictions.queries.ts';

type Reading = Pick<Services, 'db' | 'storage' | 'tables'>;

/** The hybrids among the individuals of a prediction with a table, by the trait in this place of it. */
export async function readFactorial(
  services: Reading,
  row: PredictionRow,
  trait: string,
  place: number,
): Promise<Factorial> {
  const { tables } = services;
  const key = row.result_keys.table ?? '';
  const parents = await readParents(services, row);
  if (parents.length === 0) return { trait, females: [], males: [], hybrids: [] };
  const gebv = `gebv_${place}`;
  const genotypic = `genotypic_${place}`;
  const columns = (await hasColumn(tables, key, genotypic)) ? ['individual', gebv, genotypic] : ['individual', gebv];
  const rows = await tables.query<Record<string, number | string | null>>(
    key,
    (table) => `select ${columns.map((column) => `"${column}"`).join(', ')} from ${table}`,
  );
  const valueOf = new Map(rows.map((one) => [normalizeName(String(one['individual'])), one]));
  const females = [...new Set(parents.map(({ female }) => female))];
  const males = [...new Set(parents.map(({ male }) => male))];
  const rowOf = new Map(females.map((name, at) => [name, at]));
  const columnOf = new Map(males.map((name, at) => [name, at]));
  return {
    trait,
    females,
    males,
    hybrids: parents.flatMap(({ name, female, male }) => {
      const found = valueOf.get(normalizeName(name));
      const value = numberOrNull(found?.[gebv]);
      if (value === null) return [];
      return [
        {
          name,
          female: rowOf.get(female) ?? 0,
          male: columnOf.get(male) ?? 0,
          gebv: value,
          genotypic: numberOrNull(found?.[genotypic]),
        },
      ];
    }),
  };
}

async function readParents({ db, storage }: Reading, row: PredictionRow): Promise<SampleParents[]> {
  const file = row.genotype_id === null ? undefined : await findFile(db, row.project_id, row.genotype_id);
  if (file?.format !== 'vcf') return [];
  const source = await storage.open(file.storage_key, file.name);
  try {
    return await readVcfParents(source);
  } finally {
    await source.close();
  }
}
