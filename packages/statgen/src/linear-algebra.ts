export { computeEnvironment, setThreadCount as setComputeThreads } from '@heterosis/linalg/threads';
