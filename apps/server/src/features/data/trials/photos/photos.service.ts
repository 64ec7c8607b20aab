import type { Page } from '@heterosis/contracts/common';
import type { Passport } from '@heterosis/contracts/data/passports';
import {
  MAX_PHOTO_BYTES,
  MAX_PHOTOS_OF_PLOT,
  MAX_THUMBNAIL_BYTES,
  type Photo,
  THUMBNAIL_SIDE,
} from '@heterosis/contracts/data/photos';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { plotPhotosApi } from '@heterosis/contracts/endpoints/data/photos';
import { uuidv7 } from 'uuidv7';
import { recordAuditEvent } from '../../../../platform/audit/audit-events.ts';
import type { DatabaseTransaction, Queryable } from '../../../../platform/database/database.ts';
import type { Principal, ProjectAccess } from '../../../../platform/http/access.ts';
import type { Services } from '../../../../platform/http/app.ts';
import type { Download, ProjectCall } from '../../../../platform/http/bind.ts';
import { decodeIdCursor, toPage } from '../../../../platform/http/pagination.ts';
import { notFound, Problem } from '../../../../platform/http/problem.ts';
import { isUuid } from '../../../../platform/http/uuid.ts';
import { type ImageFacts, readImage } from '../../../../platform/images/read-image.ts';
import { stripMetadata } from '../../../../platform/images/strip-metadata.ts';
import { requireStorage } from '../../../people/organizations/index.ts';
import { requireOwn, updateEntryDeleted } from '../../../people/projects/index.ts';
import { listPlots } from '../plots.queries.ts';
import { insertTrialEvent } from '../trial-events.queries.ts';
import { updateTrial } from '../trials.queries.ts';
import { closed, getTrial, requireTrial, tell } from '../trials.service.ts';
import {
  countPhotos,
  insertPhoto,
  isPhotoKnown,
  listPhotoRows,
  listPhotosOfLine,
  listPhotosOfProjects,
  type NewPhoto,
  type PhotoRow,
  updateContent,
  updatePhoto,
  updateThumbnail,
} from './photos.queries.ts';

/** Pixels of the longer side: twice what the largest cameras have. */
const LONGEST_SIDE = 25_000;

const prefixOf = ({ project_id, id }: Pick<PhotoRow, 'project_id' | 'id'>): string =>
  `projects/${project_id}/photos/${id}/`;

/** `GET …/photos`. */
export async function listPhotos(
  call: ProjectCall,
  { id, query: { plot, limit, cursor } }: InputOf<typeof plotPhotosApi.listPhotos>,
): Promise<Page<Photo>> {
  await getTrial(call, { id });
  const rows = await listPhotoRows(call.services.db, id, { plot, limit, after: decodeIdCursor(cursor) });
  const { data, next_cursor } = toPage(rows, limit, (row) => [row.id]);
  return { data: data.flatMap((row) => photoOf(row) ?? []), next_cursor };
}

/** Photos of a line as its passport has them, the latest taken first, and how many there are. */
export async function readPhotosOfLine(
  db: Queryable,
  line: Parameters<typeof listPhotosOfLine>[1],
  limit: number,
): Promise<Pick<Passport, 'photos' | 'photo_count'>> {
  const rows = await listPhotosOfLine(db, line, limit);
  const pictures = rows.flatMap((row) => {
    const { trial, season, location_name } = row;
    const photo = photoOf(row);
    return photo === undefined ? [] : [{ ...photo, trial, season, location_name }];
  });
  return { photos: pictures, photo_count: rows[0]?.count ?? 0 };
}

/** `POST …/photos`: the same id again is the same photo. */
export async function addPhoto(
  { services, access, principal }: ProjectCall,
  { id: trialId, query, body }: InputOf<typeof plotPhotosApi.addPhoto>,
): Promise<Photo> {
  const { db } = services;
  const { projectId } = access;
  const [before] = await listPhotosOfProjects(db, [projectId], [query.id]);
  if (before?.trial_id === trialId && before.plot === query.plot && before.storage_key !== null)
    return requirePicture(before);
  const photo = {
    ...{ id: query.id, project_id: projectId, trial_id: trialId, plot: query.plot, name: query.name },
    ...{ note: query.note ?? null, taken_at: query.taken_at ?? new Date().toISOString() },
    created_by: principal.userId,
  };
  await storePicture({ services, access }, photo, checked(bytesOf(body)), async (trx) => {
    await announceIn(trx, { access, principal }, photo);
  });
  return await getPhoto(db, projectId, { trialId, photoId: query.id });
}

const bytesOf = (body: unknown): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0));

/** Adds a photo without its picture, within a transaction that holds its trial locked. */
export async function announceIn(
  trx: DatabaseTransaction,
  { access, principal }: { access: Pick<ProjectAccess, 'projectId' | 'organizationId'>; principal: Principal },
  photo: NewPhoto,
): Promise<void> {
  const { trial_id: trialId, plot } = photo;
  const trial = await requireTrial(trx, access.projectId, trialId);
  if (trial.state === 'CLOSED') throw closed(trial);
  if ((await listPlots(trx, trialId, [plot])).length === 0)
    throw new Problem('trials/unknown-plot', `"${trial.name}" has no plot ${plot}. Nothing was saved.`);
  if (await isPhotoKnown(trx, photo.id))
    throw new Problem('request/conflict', 'Another photo has this id, or it was deleted. Send it with another id.');
  if ((await countPhotos(trx, trialId, plot)) >= MAX_PHOTOS_OF_PLOT)
    throw new Problem(
      'request/too-large',
      `Plot ${plot} of "${trial.name}" has ${MAX_PHOTOS_OF_PLOT} photos, those in the bin among them. More are not kept.`,
    );
  await insertPhoto(trx, photo);
  if (trial.state === 'DRAFT') {
    await updateTrial(trx, access.projectId, trialId, { state: 'SOWN' });
    await insertTrialEvent(trx, trialId, {
      ...{ type: 'SOWN', note: 'The first photo fixed the layout.', created_by: principal.userId },
    });
    await tell(trx, access, trialId);
  }
}

interface Picture extends ImageFacts {
  bytes: Buffer;
}

/** The type is what the bytes say, not what the sender calls it. Place, owner and camera are taken out. */
export function checked(bytes: Buffer): Picture {
  if (bytes.length > MAX_PHOTO_BYTES)
    throw new Problem('request/too-large', `The photo has more than ${MAX_PHOTO_BYTES / 2 ** 20} MB. Make it smaller.`);
  const facts = readImage(bytes);
  const stripped = facts && stripMetadata(bytes, facts.type, { keepsOrientation: true });
  if (facts === undefined || stripped === undefined)
    throw new Problem('photos/unusable', 'This is not a whole JPEG, PNG or WebP image. Choose another file.');
  if (Math.min(facts.width, facts.height) < 1 || Math.max(facts.width, facts.height) > LONGEST_SIDE)
    throw new Problem(
      'photos/unusable',
      `The image has ${facts.width} × ${facts.height} pixels; at most ${LONGEST_SIDE} on a side are taken. Make it smaller.`,
    );
  return { ...facts, bytes: stripped };
}

/**
 * Stores the bytes of a photo under a key of their own, and its row in the same transaction as `before`. What a failed
 * request leaves behind is deleted.
 */
export async function storePicture(
  { services, access }: { services: Pick<Services, 'db' | 'storage' | 'config'>; access: ProjectAccess },
  photo: Pick<PhotoRow, 'project_id' | 'id' | 'trial_id'>,
  { bytes, type, width, height }: Picture,
  before?: (trx: DatabaseTransaction) => Promise<void>,
): Promise<void> {
  const { db, storage, config } = services;
  const key = `${prefixOf(photo)}${uuidv7()}`;
  await storage.put(key, bytes, { contentType: type });
  try {
    await db.transaction().execute(async (trx) => {
      await requireStorage(trx, config.quotas, access.organizationId, bytes.length);
      await before?.(trx);
      await updateContent(trx, photo.id, {
        ...{ content_type: type, width, height },
        ...{ size_bytes: bytes.length, storage_key: key },
      });
      await tell(trx, access, photo.trial_id);
    });
  } catch (error) {
    await storage.delete(key);
    throw error;
  }
}

/** `PUT …/photos/{photo_id}/thumbnail`. */
export async function addThumbnail(
  call: ProjectCall,
  { id: trialId, photo_id: photoId, body }: InputOf<typeof plotPhotosApi.addThumbnail>,
): Promise<Photo> {
  const { services, access } = call;
  const { db, storage, config } = services;
  const bytes = bytesOf(body);
  const { type, width, height, bytes: stripped } = checked(bytes);
  if (bytes.length > MAX_THUMBNAIL_BYTES || Math.max(width, height) > THUMBNAIL_SIDE)
    throw new Problem(
      'photos/unusable',
      `The small picture has ${width} × ${height} pixels and ${bytes.length} bytes; at most ${THUMBNAIL_SIDE} on a side and ${MAX_THUMBNAIL_BYTES} bytes are taken.`,
    );
  const photo = await findRow(db, access.projectId, { trialId, photoId });
  const key = `${prefixOf(photo)}${uuidv7()}`;
  await storage.put(key, stripped, { contentType: type });
  try {
    await db.transaction().execute(async (trx) => {
      await requireStorage(trx, config.quotas, access.organizationId, stripped.length);
      await updateThumbnail(trx, photoId, { key, more_bytes: stripped.length });
      await tell(trx, access, trialId);
    });
  } catch (error) {
    await storage.delete(key);
    throw error;
  }
  if (photo.thumbnail_key !== null) await storage.delete(photo.thumbnail_key);
  return await getPhoto(db, access.projectId, { trialId, photoId });
}

/** `GET …/photos/{photo_id}/image`. */
export async function readPhoto(
  { services: { db, storage }, access: { projectId } }: ProjectCall,
  { id: trialId, photo_id: photoId, query: { size } }: InputOf<typeof plotPhotosApi.readPhoto>,
): Promise<Download> {
  const row = await findRow(db, projectId, { trialId, photoId });
  const { storage_key: full, thumbnail_key: thumbnail } = row;
  const key = size === 'thumbnail' ? (thumbnail ?? full) : full;
  if (key === null) throw notFound('This photo');
  const source = await storage.open(key);
  try {
    const bytes = Buffer.from(await source.read(0, source.size));
    return { bytes, contentType: readImage(bytes)?.type ?? 'application/octet-stream' };
  } finally {
    await source.close();
  }
}

/** `PUT …/photos/{photo_id}`. */
export async function changePhoto(
  { services: { db }, access, principal }: ProjectCall,
  { id: trialId, photo_id: photoId, body }: InputOf<typeof plotPhotosApi.changePhoto>,
): Promise<Photo> {
  const { created_by_id: owner } = await findRow(db, access.projectId, { trialId, photoId });
  requireOwn(access, principal, owner);
  await db.transaction().execute((trx) => changePhotoIn(trx, access, { trialId, photoId }, body));
  return await getPhoto(db, access.projectId, { trialId, photoId });
}

/** Within a transaction. Nothing of a closed trial changes. */
export async function changePhotoIn(
  trx: DatabaseTransaction,
  access: Pick<ProjectAccess, 'projectId' | 'organizationId'>,
  { trialId, photoId }: PhotoOfTrial,
  change: Parameters<typeof updatePhoto>[2],
): Promise<void> {
  const trial = await requireTrial(trx, access.projectId, trialId);
  if (trial.state === 'CLOSED') throw closed(trial);
  await updatePhoto(trx, photoId, change);
  await tell(trx, access, trialId);
}

/** `DELETE …/photos/{photo_id}`: to the bin. */
export async function deletePhoto(
  { services: { db }, access, principal, requestId }: ProjectCall,
  { id: trialId, photo_id: photoId }: InputOf<typeof plotPhotosApi.deletePhoto>,
): Promise<void> {
  const { projectId, organizationId } = access;
  const { created_by_id: owner, name, plot } = await findRow(db, projectId, { trialId, photoId });
  requireOwn(access, principal, owner);
  await db.transaction().execute(async (trx) => {
    const trial = await requireTrial(trx, projectId, trialId);
    if (trial.state === 'CLOSED') throw closed(trial);
    await updateEntryDeleted(trx, 'photos', projectId, photoId);
    await recordAuditEvent(trx, {
      action: 'photo.deleted',
      actor: principal,
      ...{ organizationId, projectId, targetType: 'photo', targetId: photoId, requestId },
      details: { name, plot, trial_id: trialId },
    });
    await tell(trx, access, trialId);
  });
}

interface PhotoOfTrial {
  trialId: string;
  photoId: string;
}

async function findRow(db: Queryable, projectId: string, { trialId, photoId }: PhotoOfTrial): Promise<PhotoRow> {
  const [row] = isUuid(photoId) ? await listPhotosOfProjects(db, [projectId], [photoId]) : [];
  if (row?.trial_id !== trialId) throw notFound('This photo');
  return row;
}

const getPhoto = async (db: Queryable, projectId: string, of: PhotoOfTrial): Promise<Photo> =>
  requirePicture(await findRow(db, projectId, of));

function requirePicture(row: PhotoRow): Photo {
  const photo = photoOf(row);
  if (photo === undefined) throw notFound('The picture of this photo');
  return photo;
}

/** Undefined while only a client has announced it. */
function photoOf(row: PhotoRow): Photo | undefined {
  const { content_type, width, height } = row;
  if (content_type === null || width === null || height === null) return undefined;
  const { id, trial_id, plot, name, note, taken_at, size_bytes, has_thumbnail } = row;
  const { created_by, created_by_id, created_at } = row;
  return {
    ...{ id, trial_id, plot, name, note, taken_at, content_type, width, height, size_bytes, has_thumbnail },
    ...{ created_by, created_by_id, created_at },
  };
}
