import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { Services } from '../../../platform/http/app.ts';
import { notFound, Problem } from '../../../platform/http/problem.ts';
import {
  announceIn,
  changePhotoIn,
  checkedPhoto,
  listPhotosOfProjects,
  listPlots,
  type PhotoDetails,
  type PhotoRow,
  storePicture,
} from '../../data/trials/index.ts';
import { additionalInfo, externalReferences, timeStamp } from '../collecting/collected.ts';
import { requireWriting } from '../collecting/write-access.ts';
import { splitId } from '../ids.ts';
import type { BrapiScope } from '../scope.ts';
import { isPhenotype } from '../studies.ts';

type ImageServices = Pick<Services, 'db' | 'storage' | 'config'>;

const line = z.string().trim().max(255).nullish();
const terms = z.array(z.string().max(255)).max(100).nullish();

/** Fields that we keep. What the bytes say (size, type) is read from them; where it was taken is not kept. */
export const newImage = z.object({
  observationUnitDbId: line,
  imageName: line,
  imageFileName: line,
  description: z.string().trim().max(1_000).nullish(),
  copyright: line,
  imageTimeStamp: timeStamp,
  descriptiveOntologyTerms: terms,
  observationDbIds: terms,
  additionalInfo,
  externalReferences,
});
export type NewImage = z.output<typeof newImage>;

/** `POST /images`: announces photos, all or none; the same again is the same. Returns ids in the order given. */
export async function addImages(
  services: ImageServices,
  scope: BrapiScope,
  entries: readonly NewImage[],
): Promise<string[]> {
  const { principal } = scope;
  const trials = new Map((await scope.listStudies()).filter(isPhenotype).map((study) => [study.id, study]));
  const wanted = entries.map((entry, k) => {
    const split = splitId(entry.observationUnitDbId ?? '');
    const study = trials.get(split?.fileId ?? '');
    if (study?.trial === undefined || split?.row === undefined)
      throw new Problem(
        'request/invalid',
        `body.${k}: observationUnitDbId "${entry.observationUnitDbId ?? ''}" is no plot of a trial. Nothing was saved.`,
      );
    return { entry, place: split.row, trialId: study.id, projectId: study.project.id, id: idOf(entry) };
  });
  const accesses = new Map<string, Awaited<ReturnType<typeof requireWriting>>>();
  for (const { projectId } of wanted)
    if (!accesses.has(projectId)) accesses.set(projectId, await requireWriting(services, principal, projectId));
  await services.db.transaction().execute(async (trx) => {
    const projectIds = [...accesses.keys()];
    const ids = wanted.map(({ id }) => id);
    const known = new Set((await listPhotosOfProjects(trx, projectIds, ids)).map(({ id }) => id));
    // In one order, so that two requests do not wait for each other.
    for (const { entry, place, trialId, projectId, id } of wanted.toSorted((a, b) =>
      a.trialId < b.trialId ? -1 : 1,
    )) {
      const access = accesses.get(projectId);
      if (known.has(id) || access === undefined) continue;
      known.add(id);
      const plot = (await listPlots(trx, trialId))[place];
      await announceIn(
        trx,
        { access, principal },
        {
          ...{ id, project_id: projectId, trial_id: trialId, plot: plot?.number ?? 0, created_by: principal.userId },
          ...fieldsOf(entry),
        },
      );
    }
  });
  return wanted.map(({ id }) => id);
}

/** `PUT /images/{imageDbId}`: what is said of a photo; its plot stays. */
export async function changeImage(
  services: ImageServices,
  scope: BrapiScope,
  id: string,
  entry: NewImage,
): Promise<void> {
  const { photo, access } = await requirePhoto(services, scope, id);
  const split = splitId(entry.observationUnitDbId ?? '');
  const plot = split?.row === undefined ? undefined : (await listPlots(services.db, photo.trial_id))[split.row];
  if (split?.fileId !== photo.trial_id || plot?.number !== photo.plot)
    throw new Problem('request/invalid', 'A photo stays with its plot. Send it to the other plot as a new image.');
  const of = { trialId: photo.trial_id, photoId: photo.id };
  await services.db.transaction().execute((trx) => changePhotoIn(trx, access, of, fieldsOf(entry)));
}

/** `PUT /images/{imageDbId}/imagecontent`. */
export async function setImageContent(
  services: ImageServices,
  scope: BrapiScope,
  id: string,
  bytes: Buffer,
): Promise<void> {
  const picture = checkedPhoto(bytes);
  const { photo, access } = await requirePhoto(services, scope, id);
  await storePicture({ services, access }, photo, picture);
  const former = [photo.storage_key, photo.thumbnail_key].filter((key) => key !== null);
  if (former.length > 0) await services.storage.delete(...former);
}

async function requirePhoto(
  services: ImageServices,
  scope: BrapiScope,
  id: string,
): Promise<{ photo: PhotoRow; access: Awaited<ReturnType<typeof requireWriting>> }> {
  const split = splitId(id);
  const projectIds = scope.projects.map((project) => project.id);
  const [photo] =
    split === undefined || split.row !== undefined
      ? []
      : await listPhotosOfProjects(services.db, projectIds, [split.fileId]);
  if (photo === undefined) throw notFound('This image');
  return { photo, access: await requireWriting(services, scope.principal, photo.project_id) };
}

function fieldsOf(entry: NewImage) {
  const details: PhotoDetails = {
    ...(entry.imageName ? { imageName: entry.imageName } : {}),
    ...(entry.copyright ? { copyright: entry.copyright } : {}),
    ...(entry.descriptiveOntologyTerms ? { descriptiveOntologyTerms: entry.descriptiveOntologyTerms } : {}),
    ...(entry.observationDbIds ? { observationDbIds: entry.observationDbIds } : {}),
    additionalInfo: entry.additionalInfo,
    externalReferences: entry.externalReferences,
  };
  return {
    name: entry.imageFileName || entry.imageName || 'photo',
    note: entry.description || null,
    taken_at: entry.imageTimeStamp ?? new Date().toISOString(),
    client_details: details,
  };
}

/** A UUID (version 8) of what an image says of itself: clients make no ids, and send again what got no answer. */
function idOf({
  observationUnitDbId: unit,
  imageName,
  imageFileName,
  imageTimeStamp,
  externalReferences: references,
}: NewImage): string {
  const text = JSON.stringify([unit, imageName, imageFileName, imageTimeStamp, references]);
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
