import type { Queryable } from '../../../platform/database/database.ts';
import { derivedKey, type FileRow, listReadyFiles } from '../../data/files/index.ts';
import { readCatalogueOfProject } from '../../data/germplasm/index.ts';
import { listProgeny, type ProgenyRow } from '../../data/pedigree/index.ts';
import type { CrossingPlanRow } from './crossing-plans.queries.ts';

/** Where pairs already made are known from, for the compute process. */
export interface FoundCrosses {
  /** Crossing tables, the oldest first, with the key of each packed table. */
  tables: { name: string; key: string }[];
  /** Lines of the germplasm list whose parents are candidates. */
  progeny: ProgenyRow[];
  /** What the germplasm of the crop says of the names of the candidates. */
  catalogue: { names: string[]; synonyms: (readonly [string, string])[] };
}

/** Reads what the plan asks for. The germplasm and the tables are those of the moment at which the plan is computed. */
export async function findMadeCrosses(
  db: Queryable,
  { project_id, parameters }: Pick<CrossingPlanRow, 'project_id' | 'parameters'>,
  { crossing_table, everyone }: { crossing_table?: FileRow | undefined; everyone: () => Promise<string[]> },
): Promise<FoundCrosses> {
  const { made_from = [], candidates } = parameters;
  const isAsked = made_from.length > 0 || crossing_table !== undefined;
  if (!isAsked) return { tables: [], progeny: [], catalogue: { names: [], synonyms: [] } };
  const names = candidates ?? (await everyone());
  const catalogue = await readCatalogueOfProject(db, project_id, names);
  const known = [...catalogue.names, ...catalogue.synonyms.map(([, name]) => name)];
  const files = made_from.includes('crossing_tables')
    ? (await listReadyFiles(db, [project_id])).filter(({ file_type }) => file_type === 'CROSSING_TABLE')
    : [crossing_table].filter((one) => one !== undefined);
  return {
    tables: files.map((file) => ({ name: file.name, key: derivedKey(file, 'table') })),
    progeny: made_from.includes('germplasm') ? await listProgeny(db, project_id, known) : [],
    catalogue,
  };
}
