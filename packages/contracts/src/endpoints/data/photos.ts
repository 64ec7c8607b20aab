import { page } from '../../common.ts';
import {
  addPhotoQuery,
  listPhotosQuery,
  MAX_PHOTO_BYTES,
  MAX_THUMBNAIL_BYTES,
  photo,
  readPhotoQuery,
  THUMBNAIL_SIDE,
  updatePhotoBody,
} from '../../data/photos.ts';
import { del, type Endpoints, get, PROJECT_MEMBER, post, put } from '../../endpoint.ts';
import { PHOTO_TYPES } from '../../people/auth.ts';

/** Photos of the plots of trials. */
export const plotPhotosApi = {
  listPhotos: get('/projects/:project_id/trials/:id/photos', PROJECT_MEMBER, {
    summary: 'Photos of the plots of a trial, the latest sent first',
    query: listPhotosQuery,
    answer: page(photo),
  }),
  addPhoto: post('/projects/:project_id/trials/:id/photos', PROJECT_MEMBER, {
    summary: 'Add a photo to a plot',
    description: `The bytes of a JPEG, PNG or WebP, at most ${MAX_PHOTO_BYTES / 2 ** 20} MB. What cameras write into it (place, owner, camera, time) is removed, but for the orientation of a JPEG. The first photo of a DRAFT fixes its layout.`,
    query: addPhotoQuery,
    takes: PHOTO_TYPES,
    answer: photo,
  }),
  addThumbnail: put('/projects/:project_id/trials/:id/photos/:photo_id/thumbnail', PROJECT_MEMBER, {
    summary: 'Add the small picture of a photo',
    description: `At most ${THUMBNAIL_SIDE} pixels on a side and ${MAX_THUMBNAIL_BYTES / 1_000} kB.`,
    takes: PHOTO_TYPES,
    answer: photo,
  }),
  readPhoto: get('/projects/:project_id/trials/:id/photos/:photo_id/image', PROJECT_MEMBER, {
    summary: 'The picture of a photo',
    query: readPhotoQuery,
    media: PHOTO_TYPES,
  }),
  changePhoto: put('/projects/:project_id/trials/:id/photos/:photo_id', PROJECT_MEMBER, {
    summary: 'Change the note on a photo',
    body: updatePhotoBody,
    answer: photo,
  }),
  deletePhoto: del('/projects/:project_id/trials/:id/photos/:photo_id', PROJECT_MEMBER, {
    summary: 'Move a photo to the bin for 30 days',
  }),
} as const satisfies Endpoints;
