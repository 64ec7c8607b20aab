import { photosApi } from '@heterosis/contracts/endpoints/people/accounts';
import { PHOTO_BYTES, PHOTO_TYPES } from '@heterosis/contracts/people/auth';
import type { FeatureRoutes } from '../../../platform/http/app.ts';
import { bind } from '../../../platform/http/bind.ts';
import { changePhoto, readPhoto, removePhoto } from './photos.service.ts';

export const photoRoutes: FeatureRoutes = (app, services) => {
  const parser = { parseAs: 'buffer', bodyLimit: PHOTO_BYTES } as const;
  app.addContentTypeParser([...PHOTO_TYPES], parser, (_request, body, done) => done(null, body));
  return bind(photosApi, {
    changePhoto,
    removePhoto,
    async readPhoto(call, input, { reply }) {
      const photo = await readPhoto(call, input);
      reply
        // Opened as a page it may do nothing. A changed photo has another address.
        .header('content-security-policy', "default-src 'none'; sandbox")
        .header('cache-control', 'private, max-age=31536000, immutable');
      return photo;
    },
  })(app, services);
};
