import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { namedDescriptors } from './spool-pipes.ts';

const FORWARDED_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs this program again with additional environment variables, the same arguments and streams, and returns its exit
 * code. Libraries read some variables only at load time, which happens once per process.
 */
export async function restart(environment: Record<string, string>): Promise<number> {
  const stdio: ('inherit' | 'ignore' | number)[] = ['inherit', 'inherit', 'inherit'];
  for (const descriptor of namedDescriptors(process.argv)) {
    while (stdio.length < descriptor) stdio.push('ignore');
    stdio[descriptor] = descriptor;
  }
  const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    stdio,
    env: { ...process.env, ...environment },
  });
  const forward = (signal: NodeJS.Signals) => child.kill(signal);
  for (const signal of FORWARDED_SIGNALS) process.on(signal, forward);
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  for (const forwarded of FORWARDED_SIGNALS) process.removeListener(forwarded, forward);
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
}
