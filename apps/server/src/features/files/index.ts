export { checkFileRegistration } from './check-file.handler.ts';
export { openFilePanel, readPhenotypeTable, readSampleNames } from './file-contents.ts';
export { type FileRow, findFile } from './files.queries.ts';
export { fileRoutes } from './files.routes.ts';
export { createFile, createUploadLink, getFile, getReadyFile } from './files.service.ts';
export { requireOwn } from './ownership.ts';
