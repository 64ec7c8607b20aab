import { ComputeError } from '../../platform/compute/compute.ts';
import { Problem } from '../../platform/http/problem.ts';
import { UnrecoverableJobError } from '../../platform/job-queue/job.ts';
import { ObjectNotFoundError } from '../../platform/object-storage/object-storage.ts';

/** Why a run ended in ERROR: a stable code, a sentence a breeder understands, and what to do. */
export interface ErrorExtra {
  // An index signature keeps it a "map of strings" as SPEC has it.
  [key: string]: string;
  code: string;
  message: string;
  action: string;
}

const RETRY = 'Start the run again. If it fails once more, tell the operator and quote the code.';

/** What a person can do about the failures that are not about their own files. */
const ACTIONS: Record<string, string> = {
  'compute/out-of-memory':
    'Use fewer markers or individuals, or ask the operator for more memory (COMPUTE_MEMORY_MB), then start the run again.',
  'compute/crashed': RETRY,
  'server/storage-full': 'Ask the operator for more space, then start the run again.',
};

/**
 * An error that is the input's fault and would come back: what the run is to end with. Undefined for everything that may
 * pass (a lost connection, a killed process), which the queue tries again.
 */
export function errorExtraOf(error: unknown): ErrorExtra | undefined {
  if (error instanceof ComputeError && error.isExpected) {
    const { suggestion } = error.details;
    return {
      code: error.code,
      message: error.message,
      action:
        typeof suggestion === 'string' && suggestion !== ''
          ? suggestion
          : 'Check the input files, then start the run again.',
    };
  }
  if (error instanceof ObjectNotFoundError) return inputGone();
  if (error instanceof UnrecoverableJobError) return { code: error.code, message: error.message, action: RETRY };
  if (error instanceof Problem && error.code === 'server/storage-full') return diskFull();
  return undefined;
}

/** What a run ends with after the queue has given it up. */
export function ofFailure({ code, message }: { code: string; message: string }): ErrorExtra {
  // A compute process that could not write says so in the system's words.
  if (/ENOSPC|EDQUOT|no space left/i.test(message)) return diskFull();
  return { code, message: sentence(code, message), action: ACTIONS[code] ?? RETRY };
}

function diskFull(): ErrorExtra {
  const code = 'server/storage-full';
  return { code, message: 'There is no space left on the server. Nothing was saved.', action: ACTIONS[code] ?? RETRY };
}

export function ofCancellation(by: string): ErrorExtra {
  return { code: 'runs/cancelled', message: `Cancelled by ${by}.`, action: 'Start it again when you want the result.' };
}

/** An input file was deleted before the run had ended. */
export function inputGone(what = 'An input file'): ErrorExtra {
  return {
    code: 'models/input-gone',
    message: `${what} was deleted before the run had finished.`,
    action: 'Upload the file again and create a new run with it.',
  };
}

/** Messages of crashed processes and broken connections are for the log; a person gets a sentence. */
function sentence(code: string, message: string): string {
  if (code === 'compute/out-of-memory') return 'The calculation needed more memory than this server gives one run.';
  if (code === 'compute/crashed') return 'The calculation ended unexpectedly, several times in a row.';
  if (/^[A-Z].*[.!]$/.test(message) && code !== 'server/internal') return message;
  return 'Something went wrong on our side, several times in a row.';
}
