import type { NumericCoding } from '@heterosis/contracts/files';
import type { Queryable } from '../../platform/database/database.ts';
import { statusOf } from './file-status.ts';
import { type FileRow, listProblems, updateFileStatus } from './files.queries.ts';

const QUESTION = 'W-GT-CODING';

/** Whether the file was read in just this way, so that it is enough to take the question off its report. */
export function isReadAs({ status, meta }: Pick<FileRow, 'status' | 'meta'>, coding: NumericCoding): boolean {
  return status.startsWith('READY') && meta.coding?.coding === coding;
}

/** The numbers were read as the user says they are: nothing is read again, and what rests on the file stays right. */
export async function confirmCoding(db: Queryable, row: FileRow, coding: NumericCoding): Promise<void> {
  const { project_id: projectId, id, meta, problem_totals: before } = row;
  const { [QUESTION]: asked = 0, ...byCode } = before.byCode;
  const totals = { ...before, warnings: before.warnings - asked, byCode };
  const problems = await listProblems(db, projectId, id, {});
  await updateFileStatus(db, projectId, id, {
    status: statusOf(totals),
    meta: { ...meta, options: { ...meta.options, numeric_coding: coding } },
    report: { problems: problems.filter(({ code }) => code !== QUESTION), totals },
  });
}
