import { page, pageQuery } from '../../common.ts';
import {
  upload,
  uploadDetail,
  uploadLinkBody,
  uploadLinkResult,
  uploadPartLinks,
  uploadPartsBody,
} from '../../data/file-uploads.ts';
import { del, type Endpoints, get, PROJECT_MEMBER, post } from '../../endpoint.ts';

export const fileUploadsApi = {
  createUploadLink: post('/projects/:project_id/files/upload_link', PROJECT_MEMBER, {
    summary: 'Upload, step 1: an address that takes the bytes',
    body: uploadLinkBody,
    answer: uploadLinkResult,
    status: 201,
  }),
  listUploads: get('/projects/:project_id/uploads', PROJECT_MEMBER, {
    closedToGuests: true,
    summary: 'Own uploads in parts that are no files yet, newest first',
    query: pageQuery,
    answer: page(upload),
  }),
  getUpload: get('/projects/:project_id/uploads/:upload_id', PROJECT_MEMBER, {
    closedToGuests: true,
    summary: 'One upload: which of its parts have arrived',
    answer: uploadDetail,
  }),
  createPartLinks: post('/projects/:project_id/uploads/:upload_id/parts', PROJECT_MEMBER, {
    summary: 'Upload, step 2 in parts: addresses that take the bytes of some parts',
    body: uploadPartsBody,
    answer: uploadPartLinks,
  }),
  cancelUpload: del('/projects/:project_id/uploads/:upload_id', PROJECT_MEMBER, {
    summary: 'Give an upload up; nothing of it stays',
  }),
} as const satisfies Endpoints;
