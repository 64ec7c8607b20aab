export { checkFileRegistration } from './check-file.handler.ts';
export {
  type DerivationDefinition,
  registerDerivation,
} from './derivation.handler.ts';
export { cancelDerivation, startDerivation } from './derivation.service.ts';
export { type DerivationParameters, findPhasing } from './derivation.ts';
export {
  derivedKey,
  exportFlapjackTable,
  exportGenotypes,
  panelKeys,
  readCalls,
  readGenotypeQc,
  readMarkers,
  readPhenotypeTable,
  readSampleNames,
  requireReadyFile,
} from './file-content.service.ts';
export { readIndividuals, sweepUnindexedFiles } from './file-individuals.ts';
export { originalKey, UPLOAD_PARTS, UPLOADS, uploadKey } from './file-keys.ts';
export { phenotypeOptionsOf } from './file-meta.ts';
export { insertVersion, latestVersion } from './file-versions.queries.ts';
export {
  type FileRow,
  findFile,
  findFileOfJob,
  findNewestFile,
  listPhasedGenotypes,
  listReadyFiles,
  selectReadyFiles,
} from './files.queries.ts';
export { fileRoutes } from './files.routes.ts';
export { createFile, getFile, repeatCheck, resumeCheck } from './files.service.ts';
export { folderRoutes } from './folders.routes.ts';
export { derivationPayload } from './jobs.ts';
export { firstRowsAnswer, type KnownTable, keepMapping, requireRoles } from './keep-mapping.ts';
export { listKeptMappings } from './kept-mappings.queries.ts';
export { createMadeFile } from './made-file.service.ts';
export { phaseFileRegistration } from './phase-file.handler.ts';
export { startPhasing } from './phasing.service.ts';
export { findRunFiles } from './run-inputs.ts';
export { sweepUploads } from './sweep-uploads.ts';
export { uploadRoutes } from './uploads.routes.ts';
export { createUploadLink } from './uploads.service.ts';
