// A compute child: does one job that its parent sends, tells how far it is, sends the result, and ends.
import type { ChildMessage, ChildRequest } from './child-process-pool.ts';
import type { ComputeFunction } from './compute.ts';

const tell = (message: ChildMessage, then?: () => void): void => {
  process.send?.(message, undefined, {}, then);
};

process.once('message', (request: ChildRequest) => void work(request));
// The parent is gone: nobody wants the result.
process.once('disconnect', () => process.exit(1));

async function work({ moduleUrl, input, threads }: ChildRequest): Promise<void> {
  try {
    const { compute } = (await import(moduleUrl)) as { compute: ComputeFunction<unknown, unknown> };
    const result = await compute(input, {
      threads,
      onProgress: (progress) => tell({ type: 'progress', progress }),
      signal: new AbortController().signal,
    });
    tell({ type: 'result', result }, () => process.exit(0));
  } catch (error) {
    tell(describe(error), () => process.exit(0));
  }
}

/** An error with a text `code` of ours is about the input; `ENOENT` and the like come from the system and are not. */
function describe(error: unknown): ChildMessage {
  const fields = error instanceof Error ? { ...error } : {};
  const code = (fields as { code?: unknown }).code;
  const isOurs = typeof code === 'string' && !/^E[A-Z]+$|^ERR_/.test(code);
  return {
    type: 'error',
    code: isOurs ? code : undefined,
    message: error instanceof Error ? error.message : String(error),
    details: JSON.parse(JSON.stringify(fields)) as Record<string, unknown>,
    stack: error instanceof Error ? error.stack : undefined,
  };
}
