import type { InputOf } from '@heterosis/contracts/endpoint';
import type { photosApi } from '@heterosis/contracts/endpoints/people/accounts';
import { PHOTO_SIDE, type UserProfile } from '@heterosis/contracts/people/auth';
import type { Call, Download, SignedInCall } from '../../../platform/http/bind.ts';
import { notFound, Problem } from '../../../platform/http/problem.ts';
import { isUuid } from '../../../platform/http/uuid.ts';
import { type ImageFacts, readImage } from '../../../platform/images/read-image.ts';
import { stripMetadata } from '../../../platform/images/strip-metadata.ts';
import { findPhoto, replacePhoto } from './photos.queries.ts';
import { readProfile } from './profile.service.ts';
import { publishPerson } from './users.queries.ts';

export async function changePhoto(
  call: SignedInCall,
  { body }: InputOf<typeof photosApi.changePhoto>,
): Promise<UserProfile> {
  return await setPhoto(call, checkedPhoto(Buffer.isBuffer(body) ? body : Buffer.alloc(0)));
}

export const removePhoto = (call: SignedInCall): Promise<UserProfile> => setPhoto(call, null);

async function setPhoto(call: SignedInCall, photo: Parameters<typeof replacePhoto>[2]): Promise<UserProfile> {
  const { services, principal } = call;
  await services.db.transaction().execute(async (trx) => {
    await replacePhoto(trx, principal.userId, photo);
    await publishPerson(trx, principal.userId);
  });
  return await readProfile(call);
}

export async function readPhoto(
  { services: { db } }: Call,
  { id }: InputOf<typeof photosApi.readPhoto>,
): Promise<Download> {
  const photo = isUuid(id) ? await findPhoto(db, { id }) : undefined;
  if (photo === undefined) throw notFound('This photo');
  return { bytes: photo.bytes, contentType: photo.content_type };
}

/** The type is what the bytes say, not what the sender calls it. */
function checkedPhoto(bytes: Buffer): { type: ImageFacts['type']; bytes: Buffer } {
  const image = readImage(bytes);
  const stripped = image && stripMetadata(bytes, image.type);
  if (image === undefined || stripped === undefined)
    throw new Problem('accounts/unusable-photo', 'This is not a JPEG, PNG or WebP image. Choose another file.');
  if (Math.min(image.width, image.height) < 1 || Math.max(image.width, image.height) > PHOTO_SIDE)
    throw new Problem(
      'accounts/unusable-photo',
      `The image has ${image.width} × ${image.height} pixels. At most ${PHOTO_SIDE} on a side are accepted: make it smaller.`,
    );
  return { type: image.type, bytes: stripped };
}
