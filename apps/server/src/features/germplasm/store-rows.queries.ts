import { foldName } from '@heterosis/file-formats/names/normalize-name';
import type { GermplasmContent } from '@heterosis/file-formats/tables/germplasm/germplasm-table';
import { sql } from 'kysely';
import type { Queryable } from '../../platform/database/database.ts';
import { chunksOf } from './uploads.queries.ts';

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
  for (const chunk of chunksOf(rows))
    await sql`
      insert into germplasm (organization_id, crop_id, created_by, id, name, folded_name, is_distinct, collection,
        maternal_id, paternal_id, cross_type, selfing_generations, attributes)
      select ${organizationId}::uuid, ${cropId}::uuid, ${userId}::uuid, given.* from unnest(
        ${chunk.map(({ id }) => id)}::uuid[],
        ${chunk.map(({ name }) => name)}::text[],
        ${chunk.map(({ name }) => foldName(name))}::text[],
        ${chunk.map(({ isDistinct }) => isDistinct)}::boolean[],
        ${chunk.map(({ content }) => content.collection)}::text[],
        ${chunk.map(({ maternalId }) => maternalId)}::uuid[],
        ${chunk.map(({ paternalId }) => paternalId)}::uuid[],
        ${chunk.map(({ content }) => content.crossType)}::text[],
        ${chunk.map(({ content }) => content.selfingGenerations)}::smallint[],
        ${chunk.map(({ content }) => JSON.stringify(content.attributes))}::jsonb[]
      ) as given
    `.execute(db);
}

export async function updateContents(
  db: Queryable,
  { cropId }: Place,
  rows: readonly WrittenGermplasm[],
): Promise<void> {
  for (const chunk of chunksOf(rows))
    await sql`
      update germplasm as stored
      set collection = given.collection, maternal_id = given.maternal_id, paternal_id = given.paternal_id,
        cross_type = given.cross_type, selfing_generations = given.selfing_generations, attributes = given.attributes,
        updated_at = now()
      from unnest(
        ${chunk.map(({ id }) => id)}::uuid[],
        ${chunk.map(({ content }) => content.collection)}::text[],
        ${chunk.map(({ maternalId }) => maternalId)}::uuid[],
        ${chunk.map(({ paternalId }) => paternalId)}::uuid[],
        ${chunk.map(({ content }) => content.crossType)}::text[],
        ${chunk.map(({ content }) => content.selfingGenerations)}::smallint[],
        ${chunk.map(({ content }) => JSON.stringify(content.attributes))}::jsonb[]
      ) as given(id, collection, maternal_id, paternal_id, cross_type, selfing_generations, attributes)
      where stored.crop_id = ${cropId} and stored.id = given.id
    `.execute(db);
}

export async function addToProject(db: Queryable, projectId: string, ids: readonly string[]): Promise<void> {
  for (const chunk of chunksOf(ids))
    await sql`
      insert into project_germplasm (project_id, germplasm_id)
      select ${projectId}::uuid, id from unnest(${chunk}::uuid[]) as given(id)
      on conflict do nothing
    `.execute(db);
}
