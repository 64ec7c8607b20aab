import { unpackRecord } from '@heterosis/analysis/results/binary-record';
import type { FileType } from '@heterosis/contracts/data/files';
import { foldName, normalizeName } from '@heterosis/file-formats/names/normalize-name';
import { type Cross, parentsOfCross } from '@heterosis/file-formats/tables/crossing-table/crossing-table';
import type { PedigreeTable } from '@heterosis/file-formats/tables/pedigree/pedigree-table';
import { sql } from 'kysely';
import type { Queryable } from '../../../platform/database/database.ts';
import type { Services } from '../../../platform/http/app.ts';
import type { ObjectStorage } from '../../../platform/object-storage/object-storage.ts';
import { readObject } from '../../../platform/object-storage/stored-panel.ts';
import { derivedKey, readPhenotypeTable, readSampleNames } from './checked-file.ts';
import { type FileRow, findFile } from './files.queries.ts';

type ReadNames = (storage: Pick<ObjectStorage, 'open'>, file: FileRow) => Promise<string[]>;

/** How the individuals of a checked file are read; null: it names none. */
const INDIVIDUALS: Record<FileType, ReadNames | null> = {
  GENOTYPE: readSampleNames,
  PHENOTYPE: async (storage, file) => (await readPhenotypeTable(storage, file)).individuals,
  CROSSING_TABLE: async (storage, file) => {
    const crosses = unpackRecord<Cross[]>(await readObject(storage, derivedKey(file, 'table')));
    return crosses.flatMap(parentsOfCross);
  },
  LINKAGE_MAP: null,
  GENES: null,
  PEDIGREE: async (storage, file) =>
    unpackRecord<Pick<PedigreeTable, 'names'>>(await readObject(storage, derivedKey(file, 'table'))).names,
};

/** The names of the individuals of a checked file, as written, each once. */
export async function readIndividuals(storage: Pick<ObjectStorage, 'open'>, file: FileRow): Promise<string[]> {
  const read = file.file_type === null ? null : INDIVIDUALS[file.file_type];
  return read === null ? [] : [...new Set((await read(storage, file)).map(normalizeName))].filter(Boolean);
}

/** Notes which individuals a checked file has, so that a germplasm is found in it. */
export async function indexIndividuals(
  { db, storage }: Pick<Services, 'db' | 'storage'>,
  projectId: string,
  fileId: string,
): Promise<void> {
  const file = await findFile(db, projectId, fileId);
  if (file === undefined || !file.status.startsWith('READY')) return;
  const names = await readIndividuals(storage, file);
  await db.transaction().execute((trx) => replaceIndividuals(trx, fileId, names));
}

const CHUNK = 10_000;

async function replaceIndividuals(db: Queryable, fileId: string, names: readonly string[]): Promise<void> {
  await db.deleteFrom('file_individuals').where('file_id', '=', fileId).execute();
  for (let first = 0; first < names.length; first += CHUNK) {
    const chunk = names.slice(first, first + CHUNK);
    await sql`
      insert into file_individuals (file_id, name, folded_name)
      select ${fileId}::uuid, given.* from unnest(${chunk}::text[], ${chunk.map(foldName)}::text[]) as given
      on conflict do nothing
    `.execute(db);
  }
}

/** Files of an older version, or whose worker died between the check and the index. */
export async function sweepUnindexedFiles(services: Pick<Services, 'db' | 'storage' | 'logger'>): Promise<void> {
  const withIndividuals = Object.entries(INDIVIDUALS).flatMap(([type, read]) => (read === null ? [] : [type]));
  const { rows } = await sql<{ id: string; project_id: string }>`
    select id, project_id from files
    where status in ('READY', 'READY_WITH_WARNINGS') and deleted_at is null
      and file_type = any(${withIndividuals}::text[])
      and not exists (select from file_individuals where file_id = files.id)
  `.execute(services.db);
  for (const { id, project_id: projectId } of rows)
    await indexIndividuals(services, projectId, id).catch((error: unknown) =>
      services.logger.error({ err: error, file_id: id }, 'listing the individuals of a file'),
    );
}
