export {
  COLUMN_ROLES,
  IGNORED_ROLE,
  MEASURED_ROLE,
  type TableMapping,
} from '@heterosis/file-formats/tables/text/table-mapping';
