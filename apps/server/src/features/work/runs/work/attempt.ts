import type { Services } from '../../../../platform/http/app.ts';
import { withWorkDirectory } from '../../../../platform/processes/work-directory.ts';
import { type ErrorExtra, errorExtraOf } from './error-extra.ts';

export interface AttemptOptions {
  /** Prefix of the keys of everything that this attempt stores. */
  prefix: string;
  signal: AbortSignal;
  /** Ends the run, because a retry would fail again. */
  fail(error: ErrorExtra): Promise<unknown>;
  /** Marks the run as waiting, because the queue will retry. */
  putBack(): Promise<unknown>;
}

/**
 * One attempt at a job, in an empty directory. `work` returns whether its results were stored, and so does this
 * function. If they were not, or if `work` throws, everything below the prefix is deleted from the storage. An error
 * caused by the input ends the run; any other error is thrown, so that the queue retries.
 */
export async function withAttempt(
  { config, storage, logger }: Pick<Services, 'config' | 'storage' | 'logger'>,
  { prefix, signal, fail, putBack }: AttemptOptions,
  work: (directory: string) => Promise<boolean>,
): Promise<boolean> {
  let isStored = false;
  try {
    await withWorkDirectory(config, async (directory) => {
      isStored = await work(directory);
    });
  } catch (error) {
    const extra = signal.aborted ? undefined : errorExtraOf(error);
    if (extra === undefined) {
      await putBack().catch((reason: unknown) => logger.warn({ err: reason }, 'a run could not be put back'));
      throw error;
    }
    await fail(extra);
  } finally {
    if (!isStored) await storage.deletePrefix(prefix);
  }
  return isStored;
}

/** Stores the files written by a compute process; returns their keys. */
export async function putResults<Kind extends string>(
  storage: Pick<Services['storage'], 'putFile'>,
  prefix: string,
  files: Partial<Record<Kind, string>>,
): Promise<Partial<Record<Kind, string>>> {
  const keys: Partial<Record<Kind, string>> = {};
  for (const [kind, path] of Object.entries(files) as [Kind, string][]) {
    keys[kind] = `${prefix}${kind}`;
    await storage.putFile(`${prefix}${kind}`, path);
  }
  return keys;
}
