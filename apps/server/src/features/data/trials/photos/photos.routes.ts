import { MAX_PHOTO_BYTES } from '@heterosis/contracts/data/photos';
import { plotPhotosApi } from '@heterosis/contracts/endpoints/data/photos';
import { PHOTO_TYPES } from '@heterosis/contracts/people/auth';
import type { FeatureRoutes } from '../../../../platform/http/app.ts';
import { bind } from '../../../../platform/http/bind.ts';
import { sayPicture, takePictures } from '../../../../platform/http/pictures.ts';
import * as photos from './photos.service.ts';

const { addPhoto, addThumbnail, changePhoto, deletePhoto, listPhotos } = photos;

export const plotPhotoRoutes: FeatureRoutes = (app, services) => {
  takePictures(app, PHOTO_TYPES, MAX_PHOTO_BYTES);
  return bind(plotPhotosApi, {
    ...{ addPhoto, addThumbnail, changePhoto, deletePhoto, listPhotos },
    async readPhoto(call, input, { reply }) {
      const photo = await photos.readPhoto(call, input);
      sayPicture(reply, 'max-age=86400');
      return photo;
    },
  })(app, services);
};
