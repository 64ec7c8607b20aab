import type { Entity } from '../../work/runs/work/index.ts';
import { type FileOfJob, findFileOfJob } from './files.queries.ts';

/** A file in the frame of the work on any entity. */
export const fileEntity = (fail: Entity<FileOfJob>['fail']): Entity<FileOfJob> => ({
  kind: 'file',
  find: findFileOfJob,
  fail,
});
