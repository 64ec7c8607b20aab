import { fileDetail, makeHybridsBody } from '../../data/files.ts';
import { del, type Endpoints, PROJECT_MEMBER, post } from '../../endpoint.ts';

export const hybridsApi = {
  makeHybrids: post('/projects/:project_id/files/:file_id/hybrids', PROJECT_MEMBER, {
    summary: 'Make the genotypes of the F1 hybrids of a crossing table or of two pools; they become a file',
    body: makeHybridsBody,
    answer: fileDetail,
    status: 202,
  }),
  cancelHybrids: del('/projects/:project_id/files/:file_id/hybrids', PROJECT_MEMBER, {
    summary: 'Stop the making of hybrids',
    answer: fileDetail,
  }),
} as const satisfies Endpoints;
