import type { DesignOfRow } from '@heterosis/file-formats/tables/phenotype/phenotype-records';
import type { TraitColumn } from '@heterosis/file-formats/tables/phenotype/phenotype-table';
import { sql } from 'kysely';
import type { DatabaseTransaction, Queryable } from '../../../platform/database/database.ts';
import { preparedRows } from '../../../platform/database/prepared-query.ts';
import { sharedRead } from '../../../platform/database/shared-read.ts';
import { type FileRow, selectReadyFiles } from '../../data/files/index.ts';
import type { Json } from '../envelope.ts';

/** A file as BrAPI answers it. */
export interface BrapiFile extends FileRow {
  /** How often clients wrote to its studies. */
  revision: number;
  /** It stands for this trial: its content is rows, not bytes. */
  trial_id?: string;
}

/** A unit that a client made, or changed: then its place is below the number of units of the file itself. */
export interface CollectedUnit {
  place: number;
  environment: number;
  individual: string;
  design: DesignOfRow;
  external_references: Json[];
}

export interface CollectedObservation {
  id: string;
  /** Place of the unit. */
  unit: number;
  variable_id: string;
  trait: TraitColumn;
  /** Null: nothing could be observed. */
  value: string | null;
  observed_at: string | null;
  collector: string | null;
  external_references: Json[];
  /** Place of the observation of the file that this one changes. */
  replaces: number | null;
}

export interface Collection {
  file_id: string;
  revision: number;
}

/** Ready files of projects but for crossing tables that were made of a crossing project, the oldest first. */
export const listBrapiFiles: (db: Queryable, projectIds: readonly string[]) => Promise<BrapiFile[]> = sharedRead(
  preparedRows(
    (db, projectIds) =>
      selectReadyFiles(db, projectIds)
        .leftJoin('collections', 'collections.file_id', 'files.id')
        .where(sql<boolean>`not exists (select from crossing_project_files as filed where filed.file_id = files.id)`)
        // What was frozen of a trial is a study as that trial.
        .where(
          sql<boolean>`not exists (select from trials where trials.file_id = files.id and trials.deleted_at is null)`,
        )
        .select(sql<number>`coalesce(collections.revision, 0)`.as('revision'))
        .$castTo<BrapiFile>(),
    ['projects'],
  ),
);

/** Makes the collection of a file if need be, and locks it until the end of the transaction. */
export async function lockCollection(
  trx: DatabaseTransaction,
  file: { id: string; project_id: string },
): Promise<Collection> {
  await trx
    .insertInto('collections')
    .values({ file_id: file.id, project_id: file.project_id })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return await trx
    .selectFrom('collections')
    .select(['file_id', 'revision'])
    .where('project_id', '=', file.project_id)
    .where('file_id', '=', file.id)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

export async function raiseRevision(trx: DatabaseTransaction, fileId: string, userId: string): Promise<void> {
  await trx
    .updateTable('collections')
    .set({ revision: sql<number>`revision + 1`, changed_at: sql<string>`now()`, changed_by: userId })
    .where('file_id', '=', fileId)
    .execute();
}

export async function listUnits(db: Queryable, fileId: string): Promise<CollectedUnit[]> {
  return await db
    .selectFrom('collected_units')
    .select(['place', 'environment', 'individual', 'design', 'external_references'])
    .where('file_id', '=', fileId)
    .orderBy('place')
    .$castTo<CollectedUnit>()
    .execute();
}

/** Those of some units, or all. */
export async function listObservations(
  db: Queryable,
  fileId: string,
  units?: readonly number[],
): Promise<CollectedObservation[]> {
  return await db
    .selectFrom('collected_observations')
    .select([
      'id',
      'unit',
      'variable_id',
      'trait',
      'value',
      'observed_at',
      'collector',
      'external_references',
      'replaces',
    ])
    .where('file_id', '=', fileId)
    .$if(units !== undefined, (query) => query.where(sql<boolean>`unit = any(${units ?? []}::int[])`))
    .orderBy('id')
    .$castTo<CollectedObservation>()
    .execute();
}

const ROWS_PER_INSERT = 1_000;

export async function insertObservations(
  trx: DatabaseTransaction,
  fileId: string,
  rows: readonly CollectedObservation[],
): Promise<void> {
  for (let first = 0; first < rows.length; first += ROWS_PER_INSERT)
    await trx
      .insertInto('collected_observations')
      .values(
        rows.slice(first, first + ROWS_PER_INSERT).map((row) => ({
          ...row,
          file_id: fileId,
          trait: JSON.stringify(row.trait),
          external_references: JSON.stringify(row.external_references),
        })),
      )
      .execute();
}

export async function updateObservation(
  trx: DatabaseTransaction,
  fileId: string,
  { id, trait, external_references, ...row }: CollectedObservation,
): Promise<void> {
  await trx
    .updateTable('collected_observations')
    .set({ ...row, trait: JSON.stringify(trait), external_references: JSON.stringify(external_references) })
    .where('file_id', '=', fileId)
    .where('id', '=', id)
    .execute();
}

export async function storeUnits(
  trx: DatabaseTransaction,
  fileId: string,
  rows: readonly CollectedUnit[],
): Promise<void> {
  for (const row of rows) {
    const values = {
      ...row,
      design: JSON.stringify(row.design),
      external_references: JSON.stringify(row.external_references),
    };
    await trx
      .insertInto('collected_units')
      .values({ ...values, file_id: fileId })
      .onConflict((conflict) => conflict.columns(['file_id', 'place']).doUpdateSet(values))
      .execute();
  }
}
