export { ploidyOf } from '@heterosis/file-formats/genotype/panel/dosages';
export { LARGEST_DOUBLE_REDUCTION } from '@heterosis/statgen/crossing/polyploid/gametes';
export { evaluatePolyploidCrosses } from './polyploid-crosses.ts';
export { openCentromeres } from './read-centromeres.ts';
