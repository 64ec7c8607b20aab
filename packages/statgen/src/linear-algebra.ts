import * as threads from '@heterosis/linalg/threads';

/** Threads that matrix products of this process may use; a whole number of at least 1. */
export function setComputeThreads(count: number): void {
  threads.setThreadCount(count);
}

/** Environment variables with which a process of matrix products should be started for full speed; empty when it has them. */
export function computeEnvironment(): Record<string, string> {
  return threads.computeEnvironment();
}
