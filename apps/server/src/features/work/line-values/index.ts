export { type ErrorTriangle, packErrorTriangles, readErrorTriangles, trianglePlace } from './error-triangles.ts';
export {
  type IndividualValue,
  type LineValues,
  type LocusGenotype,
  lineValuesOf,
  type MarkerEffect,
} from './line-values.ts';
