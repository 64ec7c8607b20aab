import type { Photo } from '@heterosis/contracts/data/photos';
import type { PhotoType } from '@heterosis/contracts/people/auth';
import { sql } from 'kysely';
import type { Queryable } from '../../../../platform/database/database.ts';

/** What BrAPI clients say of an image beyond our columns, kept and sent back. */
export interface PhotoDetails {
  imageName?: string;
  copyright?: string;
  descriptiveOntologyTerms?: string[];
  observationDbIds?: string[];
  additionalInfo?: Record<string, string>;
  externalReferences?: Record<string, unknown>[];
}

export interface NewPhoto {
  id: string;
  project_id: string;
  trial_id: string;
  plot: number;
  name: string;
  note: string | null;
  taken_at: string;
  created_by: string;
  client_details?: PhotoDetails;
}

/** What the bytes say, and where they are. */
export interface PhotoContent {
  content_type: PhotoType;
  width: number;
  height: number;
  size_bytes: number;
  storage_key: string;
}

/** A photo that a client may only have announced. */
export interface PhotoRow extends Omit<Photo, 'content_type' | 'width' | 'height'> {
  project_id: string;
  content_type: PhotoType | null;
  width: number | null;
  height: number | null;
  storage_key: string | null;
  thumbnail_key: string | null;
  client_details: PhotoDetails | null;
}

const photos = (db: Queryable) =>
  db
    .selectFrom('photos as one')
    .innerJoin('trials', (join) => join.onRef('trials.id', '=', 'one.trial_id').on('trials.deleted_at', 'is', null))
    .leftJoin('users', 'users.id', 'one.created_by')
    .where('one.deleted_at', 'is', null)
    .select([
      'one.id',
      'one.project_id',
      'one.trial_id',
      'one.plot',
      'one.name',
      'one.note',
      'one.taken_at',
      'one.content_type',
      'one.width',
      'one.height',
      'one.size_bytes',
      'one.storage_key',
      'one.created_by as created_by_id',
      'one.created_at',
    ])
    .select([
      sql<string | null>`one.meta -> 'keys' ->> 'thumbnail'`.as('thumbnail_key'),
      sql<boolean>`(one.meta -> 'keys' ->> 'thumbnail') is not null`.as('has_thumbnail'),
      sql<string | null>`coalesce(users.name, users.email)`.as('created_by'),
    ])
    .select((row) => row.ref('one.client_details').$castTo<PhotoDetails | null>().as('client_details'));

/** Those with a picture, the latest sent first; one row more than `limit` if there is a next page. */
export async function listPhotoRows(
  db: Queryable,
  trialId: string,
  { plot, limit, after }: { plot?: number | undefined; limit: number; after?: string | undefined },
): Promise<PhotoRow[]> {
  return await photos(db)
    .where('one.trial_id', '=', trialId)
    .where('one.storage_key', 'is not', null)
    .$if(plot !== undefined, (query) => query.where('one.plot', '=', plot ?? 0))
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(one.created_at, one.id) < (select created_at, id from photos where id = ${after ?? ''}::uuid)`,
      ),
    )
    .orderBy('one.created_at', 'desc')
    .orderBy('one.id', 'desc')
    .limit(limit + 1)
    .execute();
}

/** Photos of projects, or some of them, announced ones among them, the oldest first. */
export async function listPhotosOfProjects(
  db: Queryable,
  projectIds: readonly string[],
  ids?: readonly string[],
): Promise<PhotoRow[]> {
  return await photos(db)
    .where(sql<boolean>`one.project_id = any(${projectIds}::uuid[])`)
    .$if(ids !== undefined, (query) => query.where(sql<boolean>`one.id = any(${ids ?? []}::uuid[])`))
    .orderBy('one.created_at')
    .orderBy('one.id')
    .execute();
}

interface LinePhotoRow extends PhotoRow {
  trial: string;
  season: string;
  location_name: string;
  /** Of the line in all. */
  count: number;
}

/** Pictures of the plots on which a line of a project stands, the latest taken first. */
export async function listPhotosOfLine(
  db: Queryable,
  { projectId, id, names }: { projectId: string; id: string; names: readonly string[] },
  limit: number,
): Promise<LinePhotoRow[]> {
  return await photos(db)
    .innerJoin('trial_plots as plot', (join) =>
      join.onRef('plot.trial_id', '=', 'one.trial_id').onRef('plot.number', '=', 'one.plot'),
    )
    .where('one.project_id', '=', projectId)
    .where('one.storage_key', 'is not', null)
    .where(
      sql<boolean>`(plot.germplasm_id in (select id from germplasm where id = ${id} or merged_into = ${id})
        or plot.germplasm_id is null and plot.entry = any(${names}::text[]))`,
    )
    .select(['trials.name as trial', 'trials.season', 'trials.location_name'])
    .select(sql<number>`(count(*) over ())::int`.as('count'))
    .orderBy('one.taken_at', 'desc')
    .orderBy('one.id', 'desc')
    .limit(limit)
    .execute();
}

/** With those in the bin: a photo that was deleted is not stored anew when its phone sends it again. */
export async function isPhotoKnown(db: Queryable, id: string): Promise<boolean> {
  const { rows } = await sql`select from photos where id = ${id}::uuid`.execute(db);
  return rows.length > 0;
}

export async function countPhotos(db: Queryable, trialId: string, plot?: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from photos
    where trial_id = ${trialId} and ${plot === undefined ? sql`true` : sql`plot = ${plot}`}
  `.execute(db);
  return rows[0]?.count ?? 0;
}

export async function insertPhoto(db: Queryable, { client_details: details, ...photo }: NewPhoto): Promise<void> {
  await db
    .insertInto('photos')
    .values({ ...photo, client_details: details === undefined ? null : JSON.stringify(details) })
    .execute();
}

export async function updatePhoto(
  db: Queryable,
  id: string,
  { client_details: details, ...change }: Partial<Pick<NewPhoto, 'name' | 'note' | 'taken_at' | 'client_details'>>,
): Promise<void> {
  await db
    .updateTable('photos')
    .set({
      ...change,
      ...(details === undefined ? {} : { client_details: JSON.stringify(details) }),
      updated_at: sql<string>`now()`,
    })
    .where('id', '=', id)
    .execute();
}

/** Gives a photo its picture; another one loses its small picture. */
export async function updateContent(db: Queryable, id: string, content: PhotoContent): Promise<void> {
  await db
    .updateTable('photos')
    .set({ ...content, meta: '{}', updated_at: sql<string>`now()` })
    .where('id', '=', id)
    .execute();
}

export async function updateThumbnail(
  db: Queryable,
  id: string,
  { key, more_bytes }: { key: string; more_bytes: number },
): Promise<void> {
  await db
    .updateTable('photos')
    .set({
      meta: JSON.stringify({ keys: { thumbnail: key }, thumbnail_bytes: more_bytes }),
      size_bytes: sql<number>`size_bytes - coalesce((meta ->> 'thumbnail_bytes')::bigint, 0) + ${more_bytes}`,
      updated_at: sql<string>`now()`,
    })
    .where('id', '=', id)
    .execute();
}
