import * as z from 'zod';
import { page } from '../../common.ts';
import { createFileBody } from '../../data/file-uploads.ts';
import {
  archiveFilesQuery,
  checkFileBody,
  deleteFileQuery,
  exportFileQuery,
  file,
  fileDetail,
  fileProblems,
  fileUsage,
  linkageMapTemplateQuery,
  listFilesQuery,
  listProblemsQuery,
  phaseFileBody,
  phenotypeRows,
  phenotypeRowsQuery,
  updateFileBody,
} from '../../data/files.ts';
import { fileQc, markerClasses } from '../../data/files-qc.ts';
import { fileFirstRowsQuery, firstRows } from '../../data/table-mapping.ts';
import { del, type Endpoints, get, PROJECT_MEMBER, post, put } from '../../endpoint.ts';
import { traitMeans, traitMeansQuery } from '../../work/adjusted-means.ts';

export const filesApi = {
  listFiles: get('/projects/:project_id/files', PROJECT_MEMBER, {
    summary: 'List files: of the root, of a folder, or all',
    query: listFilesQuery,
    answer: page(file),
  }),
  createFile: post('/projects/:project_id/files', PROJECT_MEMBER, {
    summary: 'Upload, step 3: make the file of the bytes that were sent; its check starts',
    body: createFileBody,
    answer: fileDetail,
    status: 201,
  }),
  archiveFiles: get('/projects/:project_id/files.zip', PROJECT_MEMBER, {
    summary: 'The originals of several files as a zip',
    query: archiveFilesQuery,
    costly: true,
    media: ['application/zip'],
    head: false,
  }),
  getFile: get('/projects/:project_id/files/:file_id', PROJECT_MEMBER, {
    summary: 'One file',
    answer: fileDetail,
  }),
  getFileUsage: get('/projects/:project_id/files/:file_id/usage', PROJECT_MEMBER, {
    summary: 'Runs that use a file',
    answer: fileUsage,
  }),
  updateFile: put('/projects/:project_id/files/:file_id', PROJECT_MEMBER, {
    summary: 'Rename, move or describe a file',
    body: updateFileBody,
    answer: fileDetail,
  }),
  deleteFile: del('/projects/:project_id/files/:file_id', PROJECT_MEMBER, {
    summary: 'Delete a file; one that runs use only with cascade=true, by a manager',
    query: deleteFileQuery,
  }),
  getProblems: get('/projects/:project_id/files/:file_id/problems', PROJECT_MEMBER, {
    summary: 'What was found in a file, in order of its lines',
    query: listProblemsQuery,
    answer: fileProblems,
  }),
  getProblemsCsv: get('/projects/:project_id/files/:file_id/problems.csv', PROJECT_MEMBER, {
    summary: 'What was found in a file, as CSV',
    media: ['text/csv'],
  }),
  getQc: get('/projects/:project_id/files/:file_id/qc', PROJECT_MEMBER, {
    summary: 'Figures of a checked file',
    answer: fileQc,
  }),
  getMarkerClasses: get('/projects/:project_id/files/:file_id/markers/:marker', PROJECT_MEMBER, {
    summary: 'One marker of a genotype: plants by copies of A2, and as many as random mating gives',
    params: { marker: z.string().min(1).max(255) },
    answer: markerClasses,
  }),
  getRows: get('/projects/:project_id/files/:file_id/rows', PROJECT_MEMBER, {
    summary: 'The table of a phenotype file',
    query: phenotypeRowsQuery,
    answer: phenotypeRows,
  }),
  getMeans: get('/projects/:project_id/files/:file_id/means', PROJECT_MEMBER, {
    summary: 'Adjusted means of a trait of a phenotype file, with standard errors',
    query: traitMeansQuery,
    answer: traitMeans,
  }),
  getMeansCsv: get('/projects/:project_id/files/:file_id/means.csv', PROJECT_MEMBER, {
    summary: 'Adjusted means of all traits of a phenotype file, as CSV',
    media: ['text/csv'],
  }),
  getCovarianceCsv: get('/projects/:project_id/files/:file_id/covariance.csv', PROJECT_MEMBER, {
    summary: 'Covariance of the means of a phenotype file made from a trial analysis, as CSV',
    description:
      'The columns are those of `heterosis trial --covariance`: environment, trait, line1, line2, covariance. The environment of joined means is `all`.',
    costly: true,
    media: ['text/csv'],
  }),
  getFirstRows: get('/projects/:project_id/files/:file_id/first_rows', PROJECT_MEMBER, {
    summary: 'The first rows of a table, and what its columns probably hold',
    query: fileFirstRowsQuery,
    answer: firstRows,
  }),
  checkFile: post('/projects/:project_id/files/:file_id/check', PROJECT_MEMBER, {
    summary: 'Check a file again, with other choices',
    body: checkFileBody,
    answer: fileDetail,
  }),
  phaseFile: post('/projects/:project_id/files/:file_id/phasing', PROJECT_MEMBER, {
    summary: 'Phase a genotype file and fill its missing calls; the result becomes a file of its own',
    body: phaseFileBody,
    answer: fileDetail,
    status: 202,
  }),
  cancelPhasing: del('/projects/:project_id/files/:file_id/phasing', PROJECT_MEMBER, {
    summary: 'Stop the phasing of a file',
    answer: fileDetail,
  }),
  exportGenotypes: get('/projects/:project_id/files/:file_id/export', PROJECT_MEMBER, {
    summary: 'The genotypes in another format: VCF (bgzip), HapMap, PLINK (zip), or copies of A2 as CSV',
    query: exportFileQuery,
    costly: true,
    media: ['application/gzip', 'text/tab-separated-values', 'application/zip', 'text/csv'],
    head: false,
  }),
  getLinkageMapTemplate: get('/projects/:project_id/files/:file_id/linkage_map_template', PROJECT_MEMBER, {
    summary: 'A linkage map of the markers, to be filled in',
    query: linkageMapTemplateQuery,
    media: ['text/csv'],
  }),
} as const satisfies Endpoints;
