import { MAX_PHOTO_BYTES } from '@heterosis/contracts/data/photos';
import { plotPhotosApi } from '@heterosis/contracts/endpoints/data/photos';
import { PHOTO_TYPES } from '@heterosis/contracts/people/auth';
import type { FeatureRoutes } from '../../../../platform/http/app.ts';
import { bind } from '../../../../platform/http/bind.ts';
import * as photos from './photos.service.ts';

const { addPhoto, addThumbnail, changePhoto, deletePhoto, listPhotos } = photos;

export const plotPhotoRoutes: FeatureRoutes = (app, services) => {
  const parser = { parseAs: 'buffer', bodyLimit: MAX_PHOTO_BYTES } as const;
  app.addContentTypeParser([...PHOTO_TYPES], parser, (_request, body, done) => done(null, body));
  return bind(plotPhotosApi, {
    ...{ addPhoto, addThumbnail, changePhoto, deletePhoto, listPhotos },
    async readPhoto(call, input, { reply }) {
      const photo = await photos.readPhoto(call, input);
      reply
        // Opened as a page it may do nothing.
        .header('content-security-policy', "default-src 'none'; sandbox")
        .header('cache-control', 'private, max-age=86400');
      return photo;
    },
  })(app, services);
};
