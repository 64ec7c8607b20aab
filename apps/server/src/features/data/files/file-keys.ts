/** Storage keys. They consist of ids and fixed words, never of user text. */
export const UPLOADS = 'uploads/';
export const UPLOAD_PARTS = 'upload-parts/';
export const uploadKey = (fileId: string): string => `${UPLOADS}${fileId}`;
export const partsPrefix = (fileId: string): string => `${UPLOAD_PARTS}${fileId}/`;
/** Zero-padded, so that parts are listed in order. */
export const partKey = (fileId: string, number: number): string =>
  `${partsPrefix(fileId)}${String(number).padStart(6, '0')}`;
const filePrefix = (projectId: string, fileId: string): string => `projects/${projectId}/files/${fileId}/`;
export const originalKey = (projectId: string, fileId: string): string => `${filePrefix(projectId, fileId)}original`;
export const covarianceKey = (projectId: string, fileId: string): string =>
  `${filePrefix(projectId, fileId)}covariance`;
/** Until the file exists. */
export const stagedCovarianceKey = (fileId: string): string => `${uploadKey(fileId)}-covariance`;
