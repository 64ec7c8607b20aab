import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';

const FORWARDED_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * V8 lets the space of young objects grow to ten times this as long as a program makes many. Those of a block of markers are
 * soon gone: more room for them is memory for nothing.
 */
const YOUNG_SPACE = '--max-semi-space-size=8';

/**
 * Runs this program again with more environment variables, the same arguments and streams, and returns its exit code.
 * Libraries read some variables only while they are loaded, which cannot be done twice in one process.
 */
export async function restart(environment: Record<string, string>): Promise<number> {
  const child = spawn(process.execPath, [YOUNG_SPACE, ...process.execArgv, ...process.argv.slice(1)], {
    stdio: 'inherit',
    env: { ...process.env, ...environment },
  });
  const forward = (signal: NodeJS.Signals) => child.kill(signal);
  for (const signal of FORWARDED_SIGNALS) process.on(signal, forward);
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  for (const forwarded of FORWARDED_SIGNALS) process.removeListener(forwarded, forward);
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
}
