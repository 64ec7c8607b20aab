export { makeBundle } from './bundle.ts';
export {
  byTrait,
  failedTraits,
  itemOfTraits,
  outcomeOfTraits,
  requireResultKey,
  requireTraitRow,
  traitFiles,
  urlsByTrait,
} from './by-trait.ts';
export { leftOutFile, leftOutInWords, leftOutOfRun } from './left-out.ts';
export { provenanceOf } from './provenance.ts';
