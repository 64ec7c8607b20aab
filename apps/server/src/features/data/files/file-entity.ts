import { lockEntry } from '../../people/projects/index.ts';
import type { Entity } from '../../work/runs/work/index.ts';
import { type FileOfJob, findFileOfJob } from './files.queries.ts';

/** A file in the frame of the work on any entity. */
export const fileEntity = (fail: Entity<FileOfJob>['fail']): Entity<FileOfJob> => ({
  kind: 'file',
  find: findFileOfJob,
  lock: (trx, projectId, id) => lockEntry(trx, 'files', projectId, id),
  fail,
});

/** As mails and webhooks name it. */
export const endedFile = ({ id, name, project_id, organization_id }: FileOfJob, runId: string) => ({
  ...{ runId, id, name, projectId: project_id, organizationId: organization_id },
  path: `/projects/${project_id}/files/${id}`,
  item: 'file' as const,
});
