import { FileFormatError, type FileProblem, fileProblem } from '@heterosis/file-formats/problem';
import { DesignError } from '@heterosis/statgen/designs/design-error';
import { StatgenError, type StatgenErrorCode } from '@heterosis/statgen/statgen-error';
import { AnalysisError } from './context.ts';
import { UnknownNames } from './inputs/find-listed.ts';
import { FileRefused } from './inputs/open-genotype.ts';
import { MapMismatchError } from './inputs/place-on-map.ts';

/** Why an analysis has no result, for the user: stable code, plain sentence, what to do. */
export interface ErrorExtra {
  code: string;
  message: string;
  action: string;
}

/** What to do about each failure reported by statgen. */
const ACTIONS: Record<StatgenErrorCode, string> = {
  'shape-mismatch': 'The genotype files do not fit together; import the genotype again.',
  'bad-option': 'Change the setting named above.',
  'too-few-individuals': 'Add phenotypes, or check that the names in both files agree.',
  'constant-trait':
    'Choose a trait that differs between individuals, and no covariate that says the same as the trait.',
  'not-finite': 'Check the trait for impossible values.',
  'no-markers-left': 'Lower the limits of allele frequency or call rate, or check the genotype file.',
  'not-positive-semidefinite': 'Check the matrix: a kinship of real markers or a pedigree has no negative eigenvalue.',
  'errors-not-positive-definite':
    'Check the covariance or standard errors of the means: a line that stands twice, or an error of 0, is the usual reason.',
  'no-heterozygotes': 'Train without dominance: in homozygous lines there is nothing to learn it from.',
  'collinear-fixed-effects': 'Use fewer principal components.',
  'pedigree-loop': 'Correct the parents of one of the individuals in the loop.',
  'model-not-applicable':
    'Choose another model, or add what is missing; repeated lines or checks let the error be estimated.',
  'bad-folds': 'Check the folds: every fold needs individuals with a value, and every individual a fold.',
};

/** Code, sentence and action of an expected failure; null for any other error (a bug or a system error). */
export function describeError(error: unknown): ErrorExtra | null {
  if (error instanceof AnalysisError) return { code: error.code, message: error.message, action: error.suggestion };
  if (error instanceof DesignError)
    return { code: `design/${error.code}`, message: error.message, action: error.action };
  if (error instanceof StatgenError) {
    const message = `${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}.`;
    return { code: `analysis/${error.code}`, message, action: ACTIONS[error.code] };
  }
  return null;
}

/**
 * An expected failure as problem records of a file; the file name is empty when several files are involved. Null for
 * any other error.
 */
export function problemsOfError(error: unknown): { file: string; problems: readonly FileProblem[] } | null {
  if (error instanceof FileRefused || error instanceof MapMismatchError)
    return { file: error.file, problems: error.problems };
  if (error instanceof UnknownNames) return { file: '', problems: error.problems };
  if (error instanceof FileFormatError) return { file: '', problems: [error.problem] };
  const described = describeError(error);
  if (described !== null) {
    const { code, message, action } = described;
    return { file: '', problems: [fileProblem('error', code, { message, suggestion: action })] };
  }
  return systemProblem(error);
}

const SYSTEM_PROBLEMS: Record<string, { message: string; suggestion: string }> = {
  ENOENT: { message: 'There is no such file.', suggestion: 'Check the path.' },
  EISDIR: { message: 'This is a folder, not a file.', suggestion: 'Give the path of a file.' },
  ENOTDIR: { message: 'A part of this path is a file, not a folder.', suggestion: 'Check the path.' },
  EACCES: { message: 'This file may not be read or written.', suggestion: 'Check its permissions.' },
  ELOOP: { message: 'This link leads back to itself.', suggestion: 'Check the path.' },
  ENAMETOOLONG: { message: 'This name is longer than the system allows.', suggestion: 'Check the path.' },
  EPERM: { message: 'This file may not be read or written.', suggestion: 'Check its permissions.' },
  EROFS: { message: 'This disk may only be read.', suggestion: 'Give the result another place.' },
  EDQUOT: { message: 'Your share of the disk is used up.', suggestion: 'Make room and run it again.' },
  EIO: { message: 'The disk failed while reading or writing.', suggestion: 'Check the disk, and run it again.' },
  EMFILE: { message: 'Too many files are open.', suggestion: 'Raise the limit (ulimit -n) and run it again.' },
  ENOSPC: {
    message: 'The disk is full.',
    suggestion: 'Make room (TMPDIR can move temporary files elsewhere) and run it again.',
  },
};

function systemProblem(error: unknown): { file: string; problems: FileProblem[] } | null {
  if (!(error instanceof Error)) return null;
  const { code, path } = error as NodeJS.ErrnoException;
  const known = code === undefined ? undefined : SYSTEM_PROBLEMS[code];
  if (code === undefined || known === undefined) return null;
  return { file: path ?? '', problems: [fileProblem('error', `E-FILE-${code}`, known)] };
}
