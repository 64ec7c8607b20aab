import { pathId } from '@heterosis/contracts/common';
import { PHOTO_BYTES, PHOTO_SIDE, PHOTO_TYPES, userProfile } from '@heterosis/contracts/people/auth';
import * as z from 'zod';
import { requirePrincipal } from '../../../platform/http/access.ts';
import type { FeatureRoutes } from '../../../platform/http/app.ts';
import { notFound, Problem } from '../../../platform/http/problem.ts';
import { isUuid } from '../../../platform/http/uuid.ts';
import { findPhoto, replacePhoto } from './photos.queries.ts';
import { readProfile } from './profile.service.ts';
import { type ImageFacts, readImage } from './read-image.ts';
import { stripMetadata } from './strip-metadata.ts';

/** The photo of a person: sent as the bytes of an image, shown to whoever knows its random address. */
export const photoRoutes: FeatureRoutes = (app, { db }) => {
  app.addContentTypeParser([...PHOTO_TYPES], { parseAs: 'buffer', bodyLimit: PHOTO_BYTES }, (_request, body, done) =>
    done(null, body),
  );
  app.put(
    '/users/me/photo',
    {
      config: { guard: 'signed-in', takes: PHOTO_TYPES },
      schema: {
        summary: 'Change my photo',
        description: `The bytes of a JPEG, PNG or WebP with its content type, at most ${PHOTO_BYTES / 1024} KB and ${PHOTO_SIDE} pixels on a side, upright: metadata such as place, time and orientation is removed.`,
        response: { 200: userProfile },
      },
    },
    async (request) => {
      const { userId } = requirePrincipal(request);
      const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const photo = checkedPhoto(bytes);
      await db.transaction().execute((trx) => replacePhoto(trx, userId, photo));
      return readProfile({ services: { db }, principal: { userId } });
    },
  );
  app.delete(
    '/users/me/photo',
    { config: { guard: 'signed-in' }, schema: { summary: 'Remove my photo', response: { 200: userProfile } } },
    async (request) => {
      const { userId } = requirePrincipal(request);
      await db.transaction().execute((trx) => replacePhoto(trx, userId, null));
      return readProfile({ services: { db }, principal: { userId } });
    },
  );
  app.get(
    '/photos/:id',
    {
      config: { guard: 'public', media: [...PHOTO_TYPES] },
      schema: { summary: 'A photo of a person', params: z.object({ id: pathId }) },
    },
    async (request, reply) => {
      const { id } = request.params;
      const photo = isUuid(id) ? await findPhoto(db, { id }) : undefined;
      if (photo === undefined) throw notFound('This photo');
      return (
        reply
          .type(photo.content_type)
          // Opened as a page it may do nothing. A changed photo has another address.
          .header('content-security-policy', "default-src 'none'; sandbox")
          .header('cache-control', 'private, max-age=31536000, immutable')
          .send(photo.bytes)
      );
    },
  );
};

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
