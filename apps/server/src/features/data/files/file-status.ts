import type { FileStatus } from '@heterosis/contracts/data/files';

/** The status that follows from the problem counts. */
export function statusOf({ errors, warnings }: { errors: number; warnings: number }): FileStatus {
  if (errors > 0) return 'INVALID';
  return warnings > 0 ? 'READY_WITH_WARNINGS' : 'READY';
}
