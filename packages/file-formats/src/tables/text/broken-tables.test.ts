import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { someOf } from '@heterosis/test-support/whole';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { memorySource } from '../../byte-source.ts';
import type { ProblemReport } from '../../problem.ts';
import { readCrossingTable } from '../crossing-table/read-crossing-table.ts';
import { settledFile as readGermplasm } from '../germplasm/germplasm-file.test-data.ts';
import { readLinkageMap } from '../linkage-map/read-linkage-map.ts';
import { readPhenotype } from '../phenotype/read-phenotype.ts';

const READERS: Record<string, (bytes: Uint8Array) => Promise<{ report: ProblemReport; hasResult: boolean }>> = {
  phenotype: async (bytes) => {
    const { report, table } = await readPhenotype(memorySource(bytes));
    return { report, hasResult: table !== null };
  },
  'linkage map': async (bytes) => {
    const { report, map } = await readLinkageMap(memorySource(bytes));
    return { report, hasResult: map !== null };
  },
  'crossing table': async (bytes) => {
    const { report, crosses } = await readCrossingTable(memorySource(bytes));
    return { report, hasResult: crosses !== null };
  },
  germplasm: async (bytes) => {
    const { report, entries } = await readGermplasm(memorySource(bytes));
    return { report, hasResult: entries !== null };
  },
};

const workbook = readFileSync(new URL('../../../testdata/workbooks/openpyxl.xlsx', import.meta.url));
const GOOD: Uint8Array[] = [
  Buffer.from('id,env,rep,Yield (t/ha)\nA,x,1,5\nA,x,2,6\nB,x,1,7\n'),
  Buffer.from('id\ttrait\tvalue\ttimestamp\nA\tT\t5\t2026-01-01\n"B"\tT\t7\t\n'),
  Buffer.from('SNPid,chr,physPos,linkMapPos (cM)\na,1,100,0\nb,1,200,"30"\n'),
  Buffer.from('cross;female;male;n\nC1;A;B;10\n;B;A;\n'),
  Buffer.from('name,mother,father,synonyms\nC,A,B,x;y\nA,,,\nB,,,\n'),
  gzipSync('id,T\nA,1\nB,2\n'),
  workbook,
];

/** A good file with bytes overwritten, cut and inserted: what disks, editors and mail do to files. */
const brokenFile = fc
  .record({
    file: fc.constantFrom(...GOOD),
    overwrites: fc.array(fc.tuple(fc.nat(), fc.constantFrom(0, 9, 10, 13, 34, 35, 44, 59, 60, 0xa0, 0xff, 65, 45)), {
      maxLength: 8,
    }),
    cutAt: fc.option(fc.nat()),
    insert: fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r', ';', '\t', '#', '-', '9', 'é'), maxLength: 6 }),
  })
  .map(({ file, overwrites, cutAt, insert }) => {
    const bytes = Buffer.from(file);
    for (const [at, byte] of overwrites) bytes[at % bytes.length] = byte;
    const at = overwrites[0] === undefined ? 0 : overwrites[0][0] % bytes.length;
    const joined = Buffer.concat([bytes.subarray(0, at), Buffer.from(insert), bytes.subarray(at)]);
    return cutAt === null ? joined : joined.subarray(0, cutAt % (joined.length + 1));
  });

describe.each(Object.entries(READERS))('a broken file read as %s', (_, read) => {
  test('ends in a report: a result without errors, or errors without a result', async () => {
    await fc.assert(
      fc.asyncProperty(brokenFile, async (bytes) => {
        const { report, hasResult } = await read(bytes);
        expect(hasResult).toBe(report.totals.errors === 0);
        for (const problem of report.problems) {
          expect(problem.code).toMatch(/^[EWI]-[A-Z-]+$/);
          expect(
            problem.severity === 'error' ||
              problem.code.startsWith('W') ||
              problem.code.startsWith('I') ||
              problem.code === 'E-GP-SYN-SELF',
          ).toBe(true);
          expect(problem.message).toMatch(/[.?]$/);
        }
      }),
      { numRuns: someOf(300) },
    );
  });
});

describe.each(Object.entries(READERS))('a cell of a million characters read as %s', (_, read) => {
  // A pattern that can be matched in two ways takes a day to find that it does not match.
  test.each([
    ['digits', '1'.repeat(1_000_000)],
    ['blanks', ' '.repeat(1_000_000)],
    ['brackets', '(1)'.repeat(300_000)],
    ['suffixes', '@a.1'.repeat(250_000)],
  ])('of %s is an error or a value at once', async (_, text) => {
    for (const table of [`id,T\nA,${text}x\n`, `id,T${text}x\nA,1\n`, `id,T\n${text}x,1\n`])
      await expect(read(Buffer.from(table))).resolves.toBeDefined();
  });
});
