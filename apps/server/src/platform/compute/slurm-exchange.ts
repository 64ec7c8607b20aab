import { readFile, rename, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { ComputeProgress } from './compute.ts';
import { ComputeError } from './compute.ts';
import type { StartMessage } from './messages.ts';

/** What a job of the cluster is to do. */
export interface SlurmInput extends StartMessage {
  /** JavaScript heap. */
  memoryMb: number;
}

export type SlurmAnswer =
  | { output: unknown }
  | { error: Pick<ComputeError, 'code' | 'message' | 'details' | 'isExpected'> & { cause: unknown } };

/**
 * The directory through which a worker and its job talk. Both see it, on a file system that they share. Files replace
 * each other in one step, so nobody reads half of one. They may hold the key of the bucket, so only the owner reads
 * them.
 */
export interface SlurmExchange {
  putInput(input: SlurmInput): Promise<void>;
  /** Undefined when the worker has cleared up. */
  input(): Promise<SlurmInput | undefined>;
  putProgress(progress: ComputeProgress): Promise<void>;
  progress(): Promise<ComputeProgress | undefined>;
  putAnswer(answer: SlurmAnswer): Promise<void>;
  answer(): Promise<SlurmAnswer | undefined>;
  /** The worker says that it still waits. */
  touch(): Promise<void>;
  /** When it last did, by the clock of the file system; undefined when the worker has cleared up. */
  touchedAt(): Promise<number | undefined>;
  /** Where the batch script writes its output. */
  log: string;
}

export function openExchange(directory: string): SlurmExchange {
  const at = (name: string): string => join(directory, name);
  const put = async (name: string, bytes: Uint8Array | string): Promise<void> => {
    await writeFile(at(`${name}.new`), bytes, { mode: 0o600 });
    await rename(at(`${name}.new`), at(name));
  };
  const get = (name: string): Promise<Buffer | undefined> => readFile(at(name)).catch(undefinedIfMissing);
  return {
    putInput: (input) => put('input', serialize(input)),
    async input() {
      const bytes = await get('input');
      return bytes === undefined ? undefined : (deserialize(bytes) as SlurmInput);
    },
    putProgress: (progress) => put('progress', JSON.stringify(progress)),
    async progress() {
      const text = await get('progress');
      return text === undefined ? undefined : (JSON.parse(text.toString('utf8')) as ComputeProgress);
    },
    putAnswer: (answer) => put('answer', serialize(answer)),
    async answer() {
      const bytes = await get('answer');
      return bytes === undefined ? undefined : (deserialize(bytes) as SlurmAnswer);
    },
    async touch() {
      const now = new Date();
      await utimes(at('input'), now, now);
    },
    touchedAt: () => stat(at('input')).then(({ mtimeMs }) => mtimeMs, undefinedIfMissing),
    log: at('log'),
  };
}

function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  // ESTALE: a file that another machine has replaced on a network file system. The next look finds the new one.
  if (error.code !== 'ENOENT' && error.code !== 'ESTALE') throw error;
}

/** What of an error travels to the worker. */
export const answerOf = (error: unknown): SlurmAnswer =>
  error instanceof ComputeError
    ? {
        error: {
          code: error.code,
          message: error.message,
          details: error.details,
          isExpected: error.isExpected,
          cause: String(error.cause ?? ''),
        },
      }
    : {
        error: { code: 'compute/failed', message: String(error), details: {}, isExpected: false, cause: String(error) },
      };
