export { type IndividualValue, type LineValues, type LocusGenotype, lineValuesOf } from './line-values.ts';
