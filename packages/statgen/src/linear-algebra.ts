export { createMatrix, type Matrix, matrixOf, mirrorLower, selectRowsAndColumns } from '@heterosis/linalg/matrix';
export { measureRoutines } from '@heterosis/linalg/measure-routines';
export { addOuterProduct, multiply, multiplyVector } from '@heterosis/linalg/products';
export { computeEnvironment, setThreadCount as setComputeThreads } from '@heterosis/linalg/threads';
