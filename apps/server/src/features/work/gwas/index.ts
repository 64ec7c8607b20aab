export { gwasFeature } from './feature.ts';
export { createGwas } from './gwas.service.ts';
