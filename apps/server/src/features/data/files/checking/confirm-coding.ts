import type { NumericCoding } from '@heterosis/contracts/data/file-formats';
import type { Queryable } from '../../../../platform/database/database.ts';
import { statusOf } from '../file-status.ts';
import { type FileRow, listProblems, updateFileStatus } from '../files.queries.ts';

const QUESTION = 'W-GT-CODING';

/** Whether the file was already read in this way, so that removing the question from its report suffices. */
export function isReadAs({ status, meta }: Pick<FileRow, 'status' | 'meta'>, coding: NumericCoding): boolean {
  return status.startsWith('READY') && meta.coding?.coding === coding;
}

/** The user confirms how the numbers were read: nothing is read again, and dependent results stay valid. */
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
