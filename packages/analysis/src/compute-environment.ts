export { computeEnvironment } from '@heterosis/statgen/linear-algebra';
