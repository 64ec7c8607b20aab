import { describeStartFailure } from '../entrypoints/foundation.ts';
import { RestoreRefusedError } from '../features/operation/backup/index.ts';

class UsageError extends Error {}

export const usageError = (message: string): Error => new UsageError(message);

const EXIT_FAILURE = 1;
const EXIT_BAD_INPUT = 2;

/** Runs a command of operators and ends the process with its exit status. */
export async function commandLine(help: string, run: (args: string[]) => Promise<void>): Promise<void> {
  const args = process.argv.slice(2);
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(help);
    return;
  }
  try {
    await run(args);
  } catch (error) {
    const isUsage =
      error instanceof UsageError || String((error as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS');
    const isExpected = isUsage || error instanceof RestoreRefusedError;
    process.stderr.write(`${isExpected ? (error as Error).message : describeStartFailure(error)}\n`);
    process.exitCode = isUsage ? EXIT_BAD_INPUT : EXIT_FAILURE;
  }
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** A size with its unit, such as `3.4 GB`. */
export function sizeInWords(bytes: number): string {
  const power = Math.min(UNITS.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${UNITS[power]}`;
}
