/** Where the results of models lie in the storage. */
const modelPrefix = (projectId: string, modelId: string): string => `projects/${projectId}/models/${modelId}/`;
export const runPrefix = (projectId: string, modelId: string, runId: string, attempt: number): string =>
  `${modelPrefix(projectId, modelId)}${runId}-${attempt}/`;
