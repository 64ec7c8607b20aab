import { createHash } from 'node:crypto';
import type { MappedTable } from '@heterosis/contracts/data/table-mapping';
import { sql } from 'kysely';
import type { Queryable } from '../../../../platform/database/database.ts';
import type { KeptMapping } from '../../../../platform/tables/kept-mapping.ts';

/** More headers than an organization writes; each is compared with every table that is checked. */
const MOST_MAPPINGS = 50;

/** The header of a table, for comparison. */
const signatureOf = (header: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(header)).digest('hex');

export async function listKeptMappings(
  db: Queryable,
  organizationId: string,
  fileType: MappedTable,
): Promise<KeptMapping[]> {
  const rows = await db
    .selectFrom('table_mappings')
    .where('organization_id', '=', organizationId)
    .where('file_type', '=', fileType)
    .orderBy('updated_at', 'desc')
    .limit(MOST_MAPPINGS)
    .select(['header', 'mapping', 'missing_codes'])
    .execute();
  return rows as KeptMapping[];
}

export async function hasKeptMapping(
  db: Queryable,
  organizationId: string,
  fileType: MappedTable,
  header: readonly string[],
): Promise<boolean> {
  const row = await db
    .selectFrom('table_mappings')
    .where('organization_id', '=', organizationId)
    .where('file_type', '=', fileType)
    .where('signature', '=', signatureOf(header))
    .select('signature')
    .executeTakeFirst();
  return row !== undefined;
}

export async function upsertKeptMapping(
  db: Queryable,
  { organizationId, fileType, createdBy }: { organizationId: string; fileType: MappedTable; createdBy: string },
  { header, mapping, missing_codes }: KeptMapping,
): Promise<void> {
  const values = {
    header: sql<string[]>`${header}::text[]`,
    mapping: sql<object>`${JSON.stringify(mapping)}::jsonb`,
    missing_codes: sql<string[]>`${missing_codes}::text[]`,
    updated_at: sql<string>`now()`,
  };
  await db
    .insertInto('table_mappings')
    .values({
      organization_id: organizationId,
      file_type: fileType,
      signature: signatureOf(header),
      created_by: createdBy,
      ...values,
    })
    .onConflict((conflict) => conflict.columns(['organization_id', 'file_type', 'signature']).doUpdateSet(values))
    .execute();
}

export async function deleteKeptMapping(
  db: Queryable,
  organizationId: string,
  fileType: MappedTable,
  header: readonly string[],
): Promise<void> {
  await db
    .deleteFrom('table_mappings')
    .where('organization_id', '=', organizationId)
    .where('file_type', '=', fileType)
    .where('signature', '=', signatureOf(header))
    .execute();
}
