import { foldName } from '@heterosis/file-formats/names/normalize-name';
import type { GermplasmContent } from '@heterosis/file-formats/tables/germplasm/germplasm-table';
import { sql } from 'kysely';
import type { Queryable } from '../../../platform/database/database.ts';

/** A germplasm to write; parents by id. */
export interface WrittenGermplasm {
  id: string;
  name: string;
  isDistinct: boolean;
  maternalId: string | null;
  paternalId: string | null;
  content: GermplasmContent;
}

interface Place {
  organizationId: string;
  cropId: string;
  userId: string;
}

export async function insertGermplasm(
  db: Queryable,
  { organizationId, cropId, userId }: Place,
  rows: readonly WrittenGermplasm[],
): Promise<void> {
  await sql`
    insert into germplasm (organization_id, crop_id, created_by, id, name, folded_name, is_distinct, collection,
      maternal_id, paternal_id, cross_type, selfing_generations, attributes)
    select ${organizationId}::uuid, ${cropId}::uuid, ${userId}::uuid, given.* from unnest(
      ${rows.map(({ id }) => id)}::uuid[],
      ${rows.map(({ name }) => name)}::text[],
      ${rows.map(({ name }) => foldName(name))}::text[],
      ${rows.map(({ isDistinct }) => isDistinct)}::boolean[],
      ${rows.map(({ content }) => content.collection)}::text[],
      ${rows.map(({ maternalId }) => maternalId)}::uuid[],
      ${rows.map(({ paternalId }) => paternalId)}::uuid[],
      ${rows.map(({ content }) => content.crossType)}::text[],
      ${rows.map(({ content }) => content.selfingGenerations)}::smallint[],
      ${rows.map(({ content }) => JSON.stringify(content.attributes))}::jsonb[]
    ) as given
  `.execute(db);
}

export async function updateContents(
  db: Queryable,
  { cropId }: Place,
  rows: readonly WrittenGermplasm[],
): Promise<void> {
  await sql`
    update germplasm as stored
    set collection = given.collection, maternal_id = given.maternal_id, paternal_id = given.paternal_id,
      cross_type = given.cross_type, selfing_generations = given.selfing_generations, attributes = given.attributes,
      updated_at = now()
    from unnest(
      ${rows.map(({ id }) => id)}::uuid[],
      ${rows.map(({ content }) => content.collection)}::text[],
      ${rows.map(({ maternalId }) => maternalId)}::uuid[],
      ${rows.map(({ paternalId }) => paternalId)}::uuid[],
      ${rows.map(({ content }) => content.crossType)}::text[],
      ${rows.map(({ content }) => content.selfingGenerations)}::smallint[],
      ${rows.map(({ content }) => JSON.stringify(content.attributes))}::jsonb[]
    ) as given(id, collection, maternal_id, paternal_id, cross_type, selfing_generations, attributes)
    where stored.crop_id = ${cropId} and stored.id = given.id
  `.execute(db);
}

export async function addToProject(db: Queryable, projectId: string, ids: readonly string[]): Promise<void> {
  await sql`
    insert into project_germplasm (project_id, germplasm_id)
    select ${projectId}::uuid, id from unnest(${ids}::uuid[]) as given(id)
    on conflict do nothing
  `.execute(db);
}
