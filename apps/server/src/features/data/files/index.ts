export {
  type CallsOfMarkers,
  covarianceObject,
  derivedKey,
  panelKeys,
  ploidyOf,
  readCalls,
  readMarkers,
  readPhenotypeTable,
  readSampleNames,
  requireAnyGenotype,
  requireDiploids,
  requireDoubleReduction,
  requireGenotype,
  requireReadyFile,
} from './checked-file.ts';
export { repeatCheck, resumeCheck } from './checking/begin-check.ts';
export { checkFileRegistration } from './checking/check-file.handler.ts';
export { firstRowsAnswer, type KnownTable, keepMapping, requireRoles } from './checking/keep-mapping.ts';
export { listKeptMappings } from './checking/kept-mappings.queries.ts';
export { notChecked } from './checking/not-checked.ts';
export {
  type DerivationDefinition,
  registerDerivation,
} from './deriving/derivation.handler.ts';
export { cancelDerivation, startDerivation } from './deriving/derivation.service.ts';
export { type DerivationParameters, findPhasing } from './deriving/derivation.ts';
export { createMadeFile } from './deriving/made-file.service.ts';
export { phaseFileRegistration } from './deriving/phase-file.handler.ts';
export { startPhasing } from './deriving/phasing.service.ts';
export { readGenotypeQc } from './file-content.service.ts';
export { exportFlapjackTable, exportGenotypes } from './file-exports.service.ts';
export { readIndividuals, sweepUnindexedFiles } from './file-individuals.ts';
export { originalKey, UPLOAD_PARTS, UPLOADS, uploadKey } from './file-keys.ts';
export { phenotypeOptionsOf, type StoredCovariance, tableMappingOf } from './file-meta.ts';
export { insertVersion, latestVersion } from './file-versions.queries.ts';
export {
  type FileRow,
  findFile,
  findFileOfJob,
  findNewestFile,
  listFiles,
  listPhasedGenotypes,
  listReadyFiles,
  selectReadyFiles,
} from './files.queries.ts';
export { fileRoutes } from './files.routes.ts';
export { getFile } from './files.service.ts';
export { folderRoutes } from './folders/folders.routes.ts';
export { requireFolder } from './folders/folders.service.ts';
export { derivationPayload } from './jobs.ts';
export { findRunFiles } from './run-inputs.ts';
export { createFile } from './uploading/create-file.service.ts';
export { sweepUploads } from './uploading/sweep-uploads.ts';
export { takeUpload } from './uploading/take-upload.service.ts';
export { uploadRoutes } from './uploading/uploads.routes.ts';
export { createUploadLink } from './uploading/uploads.service.ts';
