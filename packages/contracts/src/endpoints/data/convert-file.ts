import { canonicalNames, convertedFile, convertFileBody, fileDetail } from '../../data/files.ts';
import { del, type Endpoints, get, PROJECT_MEMBER, post } from '../../endpoint.ts';

export const convertFileApi = {
  previewConversion: get('/projects/:project_id/files/:file_id/synonyms', PROJECT_MEMBER, {
    summary: 'The names of a file and those of the germplasm list: what a conversion would rename',
    answer: canonicalNames,
  }),
  convertFile: post('/projects/:project_id/files/:file_id/synonyms', PROJECT_MEMBER, {
    summary: 'Convert a file: start the making of a new one with the names of the germplasm list',
    body: convertFileBody,
    answer: convertedFile,
    status: 202,
  }),
  cancelConversion: del('/projects/:project_id/files/:file_id/synonyms', PROJECT_MEMBER, {
    summary: 'Stop a conversion',
    answer: fileDetail,
  }),
} as const satisfies Endpoints;
