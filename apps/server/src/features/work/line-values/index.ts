export { type ErrorTriangle, packErrorTriangles, readErrorTriangles, trianglePlace } from './error-triangles.ts';
export { type IndividualValue, type LineValues, type LocusGenotype, lineValuesOf } from './line-values.ts';
