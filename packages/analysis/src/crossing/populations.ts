export { parentsOfCross } from '@heterosis/file-formats/tables/crossing-table/crossing-table';
export { MAP_FUNCTIONS } from '@heterosis/statgen/crossing/map-function';
export { POPULATIONS } from '@heterosis/statgen/crossing/population';
