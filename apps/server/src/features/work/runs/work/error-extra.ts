import { ComputeError } from '../../../../platform/compute/compute.ts';
import { UnrecoverableJobError } from '../../../../platform/job-queue/job.ts';
import { isOutage, isStorageFull } from '../../../../platform/job-queue/outage.ts';
import { ObjectNotFoundError } from '../../../../platform/object-storage/object-storage.ts';

/** Why a run ended in ERROR: a stable code, a sentence for breeders, and what to do. */
export interface ErrorExtra {
  // The API promises a map of strings; the index signature ensures it.
  [key: string]: string;
  code: string;
  message: string;
  action: string;
}

type Words = Pick<ErrorExtra, 'message' | 'action'>;

const AGAIN = 'Start the run again. If it fails once more, tell the operator and quote the code.';
const LATER = 'Start the run again in some minutes. If it fails once more, tell the operator and quote the code.';

const STORED: Words = {
  message: 'A stored part of the run or of one of its files is missing or damaged.',
  action:
    'Open the pages of the genotype and the phenotype file and choose "Check again" in the menu, then start the run again.',
};

const UNKNOWN: Words = { message: 'Something went wrong on our side, several times in a row.', action: AGAIN };

/** Failures not caused by a user's files or settings. The system's own message goes to the log only. */
const WORDS: Record<string, Words> = {
  'compute/out-of-memory': {
    message: 'The calculation needed more memory than this server gives one run.',
    action:
      'Use fewer markers or individuals, or ask the operator for more memory (COMPUTE_MEMORY_MB), then start the run again.',
  },
  'compute/crashed': { message: 'The calculation ended unexpectedly, several times in a row.', action: AGAIN },
  'compute/failed': UNKNOWN,
  'server/storage-full': {
    message: 'There is no space left on the server. Nothing was saved.',
    action: 'Ask the operator for more space, then start the run again.',
  },
  'server/unavailable': { message: 'Database or storage could not be reached, several times in a row.', action: LATER },
  'server/internal': UNKNOWN,
  'storage/object-missing': STORED,
  'storage/object-damaged': STORED,
  'jobs/worker-lost': { message: 'The server stopped during the run, several times in a row.', action: AGAIN },
  'jobs/no-room': {
    message: 'The run needs more memory or disk than any worker of this server offers.',
    action:
      'Use fewer markers or individuals, or ask the operator for a larger worker (WORKER_MEMORY_MB), then start the run again.',
  },
  'jobs/timed-out': {
    message: 'A step of the run took longer than a day and was given up.',
    action: 'Use fewer markers or individuals, or ask the operator for more processor cores (COMPUTE_THREADS).',
  },
  'jobs/bad-payload': UNKNOWN,
  'jobs/unknown': UNKNOWN,
};

/**
 * Codes of the file readers. On a genotype written by the product itself they mean that the stored copy is damaged.
 */
const READER_CODE = /^E-/;

/** Thrown by work that cannot be done: ends the run with this error. */
export class RunError extends Error {
  override name = 'RunError';
  readonly extra: ErrorExtra;

  constructor(extra: ErrorExtra) {
    super(extra.message);
    this.extra = extra;
  }

  static inputGone(what: string): RunError {
    return new RunError(inputGone(what));
  }
}

/**
 * The error that ends the run when a retry would fail again. Undefined for transient errors, such as a lost connection
 * or a killed process: the queue retries those.
 */
export function errorExtraOf(error: unknown): ErrorExtra | undefined {
  if (error instanceof RunError) return error.extra;
  if (error instanceof ComputeError && error.isExpected) {
    const { code, message, details } = error;
    if (code in WORDS) return ofFailure(error);
    if (READER_CODE.test(code)) return { ...ofFailure({ code: 'storage/object-damaged', message }), problem: message };
    const { suggestion } = details;
    const action =
      typeof suggestion === 'string' && suggestion !== ''
        ? suggestion
        : 'Check the input files, then start the run again.';
    return { code, message, action };
  }
  if (error instanceof ObjectNotFoundError) return ofFailure(error);
  if (error instanceof UnrecoverableJobError) return { code: error.code, message: error.message, action: AGAIN };
  return undefined;
}

/** The error of a run that the queue has given up, or that failed with one of the errors named above. */
export function ofFailure({ code, message }: { code: string; message: string }): ErrorExtra {
  // The operating system or the database describes a full disk or an outage in its own words.
  const known = isStorageFull({ code, message })
    ? 'server/storage-full'
    : isOutage({ code, message })
      ? 'server/unavailable'
      : code;
  const words = WORDS[known];
  return words === undefined ? { code: 'server/internal', ...UNKNOWN } : { code: known, ...words };
}

export function ofCancellation(by: string): ErrorExtra {
  return { code: 'runs/cancelled', message: `Cancelled by ${by}.`, action: 'Start it again when you want the result.' };
}

/** For a run that was deleted before it ended, and then restored. */
export function ofDeletion(): ErrorExtra {
  return {
    code: 'runs/cancelled',
    message: 'It was deleted before it had ended.',
    action: 'Start it again when you want the result.',
  };
}

/** An input file was deleted before the run ended. */
export function inputGone(what = 'An input file'): ErrorExtra {
  return {
    code: 'models/input-gone',
    message: `${what} was deleted before the run had finished.`,
    action: 'Upload the file again and create a new run with it.',
  };
}
