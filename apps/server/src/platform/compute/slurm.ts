import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { computeChildEnvironment } from '../config/config.ts';

const execute = promisify(execFile);
/** Slurm answers within seconds, or its controller is away. */
const TIMEOUT_MS = 60_000;
/** A job gets the environment of sbatch, so none of the worker's secrets may be in it. */
const run = (command: string, options: readonly string[]) =>
  execute(command, options, {
    timeout: TIMEOUT_MS,
    env: {
      ...computeChildEnvironment(),
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(SLURM|SBATCH)_/.test(name))),
    },
  });

/** The commands of Slurm that a worker needs. */
export interface Slurm {
  /** Submits a batch script and returns the number of the job. */
  submit(script: string, options: readonly string[]): Promise<string>;
  cancel(job: string): Promise<void>;
  /** State of a job, such as PENDING, RUNNING or OUT_OF_MEMORY; undefined when Slurm no longer knows it. */
  state(job: string): Promise<string | undefined>;
}

export const slurm: Slurm = {
  async submit(script, options) {
    const child = run('sbatch', ['--parsable', ...options]);
    child.child.stdin?.end(script);
    const { stdout } = await child;
    // "number;cluster" with several clusters.
    const [job = ''] = stdout.trim().split(';');
    if (!/^\d+$/.test(job)) throw new Error(`sbatch answered "${stdout.trim()}" in place of the number of a job.`);
    return job;
  },
  async cancel(job) {
    await run('scancel', ['--quiet', job]);
  },
  async state(job) {
    try {
      const { stdout } = await run('scontrol', ['--oneliner', 'show', 'job', job]);
      return /\bJobState=(\S+)/.exec(stdout)?.[1];
    } catch (error) {
      // Slurm forgets a job some minutes after its end.
      if (/Invalid job id/i.test(String((error as { stderr?: unknown }).stderr))) return undefined;
      throw error;
    }
  },
};
