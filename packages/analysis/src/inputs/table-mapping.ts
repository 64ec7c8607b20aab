export {
  COLUMN_ROLES,
  COVARIATE_ROLE,
  IGNORED_ROLE,
  MEASURED_ROLE,
  type TableMapping,
} from '@heterosis/file-formats/tables/text/table-mapping';
