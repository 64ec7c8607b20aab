import { fileURLToPath } from 'node:url';
import { type Measured, runMeasured } from '@heterosis/file-formats/bench/run-measured';

const CLI = fileURLToPath(new URL('../bin/heterosis.mjs', import.meta.url));

/** Runs `heterosis`, with one thread unless told. `seconds` are the times of its stages from its JSON summary. */
export function runHeterosis(
  args: readonly string[],
  cwd: string,
  threads = 1,
): Measured & { seconds: Partial<Record<string, number>>; summary: object } {
  const measured = runMeasured(process.execPath, [CLI, ...args, '--threads', String(threads), '--json'], cwd);
  const summary = JSON.parse(measured.stdout) as { seconds: Partial<Record<string, number>> };
  return { ...measured, seconds: summary.seconds, summary };
}
