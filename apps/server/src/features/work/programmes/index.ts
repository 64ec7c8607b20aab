export { programmeFeature } from './feature.ts';
export { expectedDifferences } from './programme-results.service.ts';
export type { ProgrammeRow } from './programmes.queries.ts';
export { createProgramme, founderNames, getProgramme } from './programmes.service.ts';
