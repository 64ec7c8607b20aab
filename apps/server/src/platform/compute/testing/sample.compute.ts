import { setTimeout as sleep } from 'node:timers/promises';
import { FileFormatError } from '@heterosis/file-formats/problem';
import type { ComputeFunction } from '../compute.ts';

export type SampleInput =
  | { do: 'double'; values: Float64Array }
  | { do: 'fail'; code?: string; line?: number }
  | { do: 'fail-on-file' }
  | { do: 'system-error' }
  | { do: 'exit' }
  | { do: 'crash' }
  | { do: 'heap' }
  | { do: 'environment'; names: string[] }
  | { do: 'process-id' }
  | { do: 'fill'; megabytes: number }
  | { do: 'sleep' }
  | { do: 'progress' };

let filled: Buffer;

/** Success, failure, crash and endless work, for the tests of the pool. */
export const compute: ComputeFunction<SampleInput, unknown> = async (input, context) => {
  switch (input.do) {
    case 'double':
      return { values: input.values.map((value) => value * 2), threads: context.threads };
    case 'fail':
      throw Object.assign(new Error('no two individuals in common'), {
        ...(input.code === undefined ? {} : { code: input.code }),
        line: input.line,
        nested: { n: 3 },
      });
    case 'fail-on-file':
      throw new FileFormatError('E-GT-TRIO', { message: 'The .bed file ends early.', suggestion: 'Upload it again.' });
    case 'system-error':
      return await import('node:fs/promises').then(({ readFile }) => readFile('/nowhere/at/all'));
    case 'exit':
      return process.exit(3);
    case 'crash':
      return process.kill(process.pid, 'SIGSEGV');
    case 'heap': {
      const kept: string[][] = [];
      for (;;) kept.push(Array.from({ length: 100_000 }, (_, i) => `${i}-${kept.length}`));
    }
    case 'environment':
      return input.names.filter((name) => process.env[name] !== undefined);
    case 'process-id':
      return process.pid;
    case 'fill':
      filled = Buffer.alloc(input.megabytes * 2 ** 20, 1);
      return filled.length;
    case 'sleep':
      context.onProgress({ stage: 'asleep', done: 0, total: 1 });
      await sleep(600_000);
      return undefined;
    case 'progress':
      for (let done = 0; done <= 1000; done++) context.onProgress({ stage: 'read', done, total: 1000 });
      context.onProgress({ stage: 'fit', done: 0, total: 1 });
      return undefined;
  }
};
