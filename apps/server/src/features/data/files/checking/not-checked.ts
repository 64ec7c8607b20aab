import { fileProblem, type ProblemReport } from '@heterosis/file-formats/problem';
import type { ErrorExtra } from '../../../work/runs/work/index.ts';

/** The report on a file whose check has failed for good; `again` says what to do. */
export function notChecked(error: ErrorExtra, again: string): ProblemReport {
  const isGone = error.code === 'models/input-gone';
  const problem = fileProblem('error', isGone ? 'E-FILE-GONE' : 'E-NOT-CHECKED', {
    message: isGone
      ? 'The bytes of this file are no longer in the storage.'
      : `The file could not be checked. ${error.message}`,
    suggestion: isGone ? 'Upload the file again.' : `${again}; if that fails too, tell the operator.`,
  });
  return { problems: [problem], totals: { errors: 1, warnings: 0, infos: 0, byCode: { [problem.code]: 1 } } };
}
