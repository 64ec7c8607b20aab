export { fileQcQuery, fileQuery } from './files.api.ts';
export { FileField } from './picker/file-picker.tsx';
export { useUnitOf, withUnit } from './qc/use-unit-of.ts';
export { startUploads } from './upload/uploads.ts';
