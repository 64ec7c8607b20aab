/** Where things lie in the storage. Keys are made of ids and fixed words, never of user text. */
export const uploadKey = (fileId: string): string => `uploads/${fileId}`;
export const filePrefix = (projectId: string, fileId: string): string => `projects/${projectId}/files/${fileId}/`;
export const originalKey = (projectId: string, fileId: string): string => `${filePrefix(projectId, fileId)}original`;
export const derivedPrefix = (projectId: string, fileId: string, runId: string, attempt: number): string =>
  `${filePrefix(projectId, fileId)}${runId}-${attempt}/`;
