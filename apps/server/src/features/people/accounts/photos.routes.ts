import { photosApi } from '@heterosis/contracts/endpoints/people/accounts';
import { PHOTO_BYTES, PHOTO_TYPES } from '@heterosis/contracts/people/auth';
import type { FeatureRoutes } from '../../../platform/http/app.ts';
import { bind } from '../../../platform/http/bind.ts';
import { sayPicture, takePictures } from '../../../platform/http/pictures.ts';
import { changePhoto, readPhoto, removePhoto } from './photos.service.ts';

export const photoRoutes: FeatureRoutes = (app, services) => {
  takePictures(app, PHOTO_TYPES, PHOTO_BYTES);
  return bind(photosApi, {
    changePhoto,
    removePhoto,
    async readPhoto(call, input, { reply }) {
      const photo = await readPhoto(call, input);
      sayPicture(reply);
      return photo;
    },
  })(app, services);
};
