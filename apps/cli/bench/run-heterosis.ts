import { fileURLToPath } from 'node:url';
import { type Measured, runMeasured } from '@heterosis/file-formats/bench/run-measured';

const CLI = fileURLToPath(new URL('../bin/heterosis.mjs', import.meta.url));

/** Runs `heterosis` with one thread. `seconds` are the times of its stages from its JSON summary. */
export function runHeterosis(
  args: readonly string[],
  cwd: string,
): Measured & { seconds: Partial<Record<string, number>> } {
  const measured = runMeasured(process.execPath, [CLI, ...args, '--threads', '1', '--json'], cwd);
  const { seconds } = JSON.parse(measured.stdout) as { seconds: Partial<Record<string, number>> };
  return { ...measured, seconds };
}
