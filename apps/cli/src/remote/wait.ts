import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { RUN_CONTRACTS } from '@heterosis/contracts/work/run-contracts';
import { type RunPath, runPaths } from '@heterosis/contracts/work/run-kinds';
import type { Progress } from '@heterosis/contracts/work/runs';
import { type Command, type CommandIo, defineCommand, inputError, type OptionTable } from '../command.ts';
import { type Connection, connect } from './connection.ts';
import { findCredentials } from './credentials.ts';
import { findProject, findRun, type InProject, PROJECT_OPTION } from './places.ts';

const ONE_RUN = {
  ...PROJECT_OPTION,
  kind: { kind: 'choice', required: true, choices: runPaths, help: 'Kind of the run.' },
  run: { kind: 'name', required: true, placeholder: 'RUN', help: 'Name or id of the run.' },
} as const satisfies OptionTable;

const POLL_MS = 1_000;

/** A run of any kind: one state, or one for each trait. */
interface AnyRun {
  name: string;
  status: string | Record<string, string>;
  progress?: Progress | null | Record<string, Progress | null>;
  error_extra?: Record<string, string> | null;
  error_extras?: Record<string, Record<string, string> | null>;
}

export const waitCommand: Command = defineCommand({
  name: 'remote wait',
  summary: 'wait for the end of a run on the server',
  description: ['Exit code 2 when the run, or one of its traits, has failed; the reason is on standard error.'],
  options: ONE_RUN,
  output: ['A line for each trait, or for the run, with its state.'],
  examples: ['heterosis remote wait --project "Maize 2026" --kind models --run Yield'],
  async run(options, io) {
    const { connection, at } = await locate(options, io);
    const run = await ended(connection, io, at);
    return { summary: { run }, lines: statesOf(run).map(([trait, state]) => `${trait || run.name}\t${state}`) };
  },
});

export const downloadCommand: Command = defineCommand({
  name: 'remote download',
  summary: 'save the results of a run on the server as a zip',
  description: ['Results, SHA-256 of the inputs, parameters, seed, version, and a paragraph for the methods section.'],
  options: {
    ...ONE_RUN,
    out: { kind: 'text', required: true, path: 'write', placeholder: 'FILE', help: 'Zip to write.' },
  },
  output: ['The name of the file. A broken download leaves none.'],
  examples: ['heterosis remote download --project "Maize 2026" --kind gwas --run Yield --out yield.zip'],
  async run(options, io) {
    const { connection, at } = await locate(options, io);
    const { body } = await connection.call(RUN_CONTRACTS[at.path].endpoints.bundleRun, at);
    if (body === null) throw inputError('E-CLI-SERVER', 'The server sent nothing.');
    const part = `${options.out}.part`;
    try {
      await pipeline(Readable.fromWeb(body as never), createWriteStream(part), { signal: io.context.signal });
      await rename(part, options.out);
    } finally {
      await rm(part, { force: true });
    }
    return { summary: { file: options.out }, lines: [options.out] };
  },
});

/** A run, and its kind. */
interface RunPlace extends InProject {
  path: RunPath;
  id: string;
}

async function locate(
  { project: name, kind, run }: { project: string; kind: string; run: string },
  io: CommandIo,
): Promise<{ connection: Connection; at: RunPlace }> {
  const connection = connect(findCredentials(), io.context.signal);
  const project = await findProject(connection, name);
  const path = kind as RunPath;
  const { id } = await findRun(connection, project, path, run);
  return { connection, at: { ...project, path, id } };
}

/** Asks until the run has ended; throws an InputError when it, or one of its traits, has failed. */
export async function ended(connection: Connection, { context }: CommandIo, at: RunPlace): Promise<AnyRun> {
  // A trained trait of a model has the state SUCCESS until its evaluation has ended as well.
  const isModel = at.path === 'models';
  const hasEnded = (state: string) => state === 'ERROR' || state === 'EVALUATED' || (state === 'SUCCESS' && !isModel);
  for (;;) {
    const run = await connection.call(RUN_CONTRACTS[at.path].endpoints.readRun, at);
    if (statesOf(run).every(([, state]) => hasEnded(state))) {
      const [failure] = failuresOf(run);
      if (failure === undefined) return run;
      throw inputError('E-CLI-RUN', `${run.name}: ${failure.message}`, failure.action ?? null);
    }
    const progress = progressOf(run);
    if (progress !== undefined) context.onProgress?.({ ...progress, stage: progress.stage as never });
    await sleep(POLL_MS);
    context.signal?.throwIfAborted();
  }
}

const statesOf = ({ status }: AnyRun): [trait: string, state: string][] =>
  typeof status === 'string' ? [['', status]] : Object.entries(status);

const failuresOf = ({ error_extra, error_extras }: AnyRun) =>
  [error_extra, ...Object.values(error_extras ?? {})].filter((error) => error !== null && error !== undefined) as {
    message: string;
    action?: string;
  }[];

const isProgress = (value: object): value is Progress => 'stage' in value && typeof value.stage === 'string';

/** Of the first trait under way. */
function progressOf({ progress }: AnyRun): Progress | undefined {
  if (progress === null || progress === undefined) return undefined;
  return isProgress(progress) ? progress : Object.values(progress).find((one) => one !== null);
}
