export { programmeFeature } from './feature.ts';
export { createProgramme } from './programmes.service.ts';
