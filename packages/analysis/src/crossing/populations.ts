export { POPULATIONS } from '@heterosis/statgen/crossing/population';
