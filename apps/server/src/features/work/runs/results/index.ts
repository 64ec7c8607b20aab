export { perTrait, requireResultKey } from './by-trait.ts';
export { cite } from './citation.ts';
export { leftOut } from './left-out.ts';
export { provenanceOf } from './provenance.ts';
