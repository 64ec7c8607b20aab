export type { Place as TablePlace } from './check/column-mapping.ts';
export { MappingForm } from './check/mapping-form.tsx';
export { CrossBestDialog } from './crosses/cross-best-dialog.tsx';
export { useSaveCrossingTable } from './crosses/save-crossing-table.ts';
export { fileQcQuery, fileQuery } from './files.api.ts';
export { FileField } from './picker/file-field.tsx';
export { useProposedFile } from './picker/use-proposed-file.ts';
export { useUnitOf, withUnit } from './qc/use-unit-of.ts';
export { startUploads } from './upload/uploads.ts';
