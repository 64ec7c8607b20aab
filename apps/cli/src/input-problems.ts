import { problemsOfError } from '@heterosis/analysis/describe-error';
import { InputError } from './command.ts';

/** An expected failure of an analysis or of a file as an InputError; null for any other error. */
export function toInputError(error: unknown): InputError | null {
  const found = problemsOfError(error);
  if (found === null) return null;
  const errors = found.problems.filter((problem) => problem.severity === 'error');
  return new InputError(errors.length > 0 ? errors : found.problems, found.file);
}
