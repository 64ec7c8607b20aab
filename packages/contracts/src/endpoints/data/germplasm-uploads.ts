import * as z from 'zod';
import { germplasmList } from '../../data/germplasm.ts';
import {
  acceptGermplasmUploadBody,
  germplasmFileFields,
  germplasmUpload,
  germplasmUploadRows,
  updateGermplasmUploadBody,
  uploadRowsQuery,
} from '../../data/germplasm-uploads.ts';
import { firstRows, firstRowsQuery } from '../../data/table-mapping.ts';
import { del, type Endpoints, get, PROJECT_MEMBER, post, put, type RouteGuard } from '../../endpoint.ts';

/** Fields of the form that may stand in the address instead. */
const formQuery = z.object({
  crop_id: z.string().max(100).optional(),
  existing: z.string().max(100).optional(),
  generate_unknown_parent: z.string().max(100).optional(),
});

/** The same below an organization and below a project. */
function uploadEndpoints<const Path extends string, const Guard extends RouteGuard>(path: Path, guard: Guard) {
  const uploads = `${path}/uploads` as const;
  const one = `${uploads}/:upload_id` as const;
  return {
    uploadGermplasm: post(path, guard, {
      summary: 'Upload germplasm in one call: checked and stored, or refused with the problems',
      form: germplasmFileFields,
      query: formQuery,
      answer: germplasmList,
      status: 201,
    }),
    startUpload: post(uploads, guard, {
      summary: 'Upload germplasm for review',
      form: germplasmFileFields,
      query: formQuery,
      answer: germplasmUpload,
      status: 201,
    }),
    getUpload: get(one, guard, { summary: 'An own upload under review', answer: germplasmUpload }),
    getUploadRows: get(`${one}/rows`, guard, {
      summary: 'Rows of an upload and what becomes of them',
      query: uploadRowsQuery,
      answer: germplasmUploadRows,
    }),
    getUploadFirstRows: get(`${one}/first_rows`, guard, {
      summary: 'The first rows of an uploaded file, and what its columns probably hold',
      query: firstRowsQuery,
      answer: firstRows,
    }),
    changeUpload: put(one, guard, {
      summary: 'Correct or leave out rows of an upload, change its choices, or say what its columns hold',
      body: updateGermplasmUploadBody,
      answer: germplasmUpload,
    }),
    acceptUpload: post(`${one}/accept`, guard, {
      summary: 'Store an upload as a whole',
      body: acceptGermplasmUploadBody,
      answer: germplasmUpload,
    }),
    cancelUpload: del(one, guard, { summary: 'Cancel an upload' }),
  } as const satisfies Endpoints;
}

export const organizationGermplasmUploadsApi = uploadEndpoints('/organizations/:organization_id/germplasms', {
  organization: 'MANAGER',
});
export const projectGermplasmUploadsApi = uploadEndpoints('/projects/:project_id/germplasms', PROJECT_MEMBER);
