export { csvRow } from '@heterosis/file-formats/tables/text/csv-writer';
