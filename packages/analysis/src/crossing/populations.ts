export { parentsOfCross } from '@heterosis/file-formats/tables/crossing-table/crossing-table';
export { MAP_FUNCTIONS } from '@heterosis/statgen/crossing/map-function';
export { POPULATIONS, type Population } from '@heterosis/statgen/crossing/population';
