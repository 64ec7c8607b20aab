import type { Crop } from '@heterosis/contracts/people/crops';
import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import type { Queryable } from '../../../platform/database/database.ts';

const COLUMNS = ['id', 'name', 'created_at', 'updated_at'] as const;

export interface CropFilter {
  /** Only crops of projects that this user has joined. */
  ofProjectsOf: string | undefined;
  limit: number;
  after: string | undefined;
}

export function listCrops(
  db: Queryable,
  organizationId: string,
  { ofProjectsOf, limit, after }: CropFilter,
): Promise<Crop[]> {
  return db
    .selectFrom('crops')
    .select(COLUMNS)
    .where('organization_id', '=', organizationId)
    .$if(ofProjectsOf !== undefined, (query) =>
      query.where((where) =>
        where.exists(
          where
            .selectFrom('projects')
            .innerJoin('project_members', 'project_members.project_id', 'projects.id')
            .select('projects.id')
            .whereRef('projects.crop_id', '=', 'crops.id')
            .where('projects.deleted_at', 'is', null)
            .where('project_members.user_id', '=', ofProjectsOf ?? ''),
        ),
      ),
    )
    .$if(after !== undefined, (query) => query.where('id', '>', after ?? ''))
    .orderBy('id')
    .limit(limit + 1)
    .execute();
}

export function insertCrop(db: Queryable, organizationId: string, name: string, userId: string): Promise<Crop> {
  return db
    .insertInto('crops')
    .values({ id: uuidv7(), organization_id: organizationId, name, created_by: userId })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

export function updateCrop(db: Queryable, organizationId: string, id: string, name: string): Promise<Crop | undefined> {
  return db
    .updateTable('crops')
    .set({ name, updated_at: sql<string>`now()` })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirst();
}

export function deleteCrop(db: Queryable, organizationId: string, id: string): Promise<Crop | undefined> {
  return db
    .deleteFrom('crops')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirst();
}
