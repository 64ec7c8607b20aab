import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { TEMPLATES } from '@heterosis/contracts/data/templates';
import { SMALL_VCF } from '../../src/testing/product.ts';
import { pick } from './fleet.ts';
import { PART, type ReaderName } from './fuzz-reader.ts';

// `npm run fuzz -- --minutes 5`: every reader gets well-formed files with bytes, lines and cells exchanged, repeated,
// cut or blown up. A reader may answer with problems. It may not throw, take ten seconds, or need a gigabyte. What
// fails is kept in `corpus/` beside this file and tried first by the next run. Exit status 1
// when anything failed.

const HANG_MS = 10_000;
const MOST_MEMORY_MB = 1024;
const CORPUS = join(import.meta.dirname, 'corpus');
const TESTDATA = resolve(import.meta.dirname, '../../../../packages/file-formats/testdata');

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '2' },
    threads: { type: 'string', default: String(availableParallelism()) },
  },
});
const end = Date.now() + Number(values.minutes) * 60_000;

interface Input {
  reader: ReaderName;
  bytes: Uint8Array;
}

const text = (reader: ReaderName, content: string): Input => ({ reader, bytes: Buffer.from(content) });
const HAPMAP =
  'rs#\talleles\tchrom\tpos\tstrand\tassembly#\tcenter\tprotLSID\tassayLSID\tpanelLSID\tQCcode\tL1\tL2\n' +
  'm1\tA/C\t1\t10\t+\tNA\tNA\tNA\tNA\tNA\tNA\tAA\tAC\nm2\tG/T\t1\t20\t+\tNA\tNA\tNA\tNA\tNA\tNA\tGT\tNN\n';
const PLINK_BINARY = Buffer.from(
  ['bim', 'fam', 'bed'].map((end) => readFileSync(join(TESTDATA, 'stored-panel', `panel.${end}`), 'latin1')).join(PART),
  'latin1',
);
const SEEDS: Input[] = [
  text('genotype', SMALL_VCF),
  { reader: 'genotype', bytes: gzipSync(SMALL_VCF) },
  text('genotype', HAPMAP),
  text('genotype', 'sample,m1,m2,m3\nL1,0,1,2\nL2,2,NA,1\nL3,0.4,1.7,2\n'),
  text('genotype', 'marker,chrom,pos,REF,ALT,L1,L2\nm1,1,10,A,C,0,1\nm2,2,20,G,T,2,NA\n'),
  { reader: 'plink binary', bytes: PLINK_BINARY },
  text('plink text', ['1\tm1\t0\t10\n1\tm2\t0\t20\n', 'f L1 0 0 0 -9 A C G G\nf L2 0 0 0 -9 C C 0 0\n'].join(PART)),
  text('phenotype', TEMPLATES.PHENOTYPE.text),
  text('crossing table', TEMPLATES.CROSSING_TABLE.text),
  text('linkage map', TEMPLATES.LINKAGE_MAP.text),
  text('pedigree', TEMPLATES.PEDIGREE.text),
  text('pedigree', 'name,pedigree\nX,A/B//C/3/D*2\nY,X/A\n'),
  text('germplasm', TEMPLATES.GERMPLASM.text),
  text('genes', TEMPLATES.GENES.text),
  text('kinship', 'id\tL1\tL2\nL1\t1.9\t0.1\nL2\t0.1\t2.1\n'),
  ...['openpyxl.xlsx', 'xlsxwriter.xlsx'].flatMap((name) =>
    (['phenotype', 'germplasm'] as const).map((reader) => ({
      reader,
      bytes: readFileSync(join(TESTDATA, 'workbooks', name)),
    })),
  ),
];

const ODD = [
  '',
  '\t',
  ',',
  '\r',
  '\n\n',
  '"',
  '\0',
  '\uFEFF',
  'é',
  '😀',
  'NA',
  '-999',
  '1e999',
  '-0',
  '../x',
  '=1+1',
  ',,,,',
  '|',
  '.',
  '0|1',
  '999999999999999999999',
  'A'.repeat(5000),
];
const below = (count: number): number => Math.floor(Math.random() * count);

/** One random change of the bytes. */
const CHANGES: ((bytes: Buffer) => Buffer)[] = [
  (bytes) => {
    const changed = Buffer.from(bytes);
    for (let k = 0; k <= below(4); k++) if (changed.length > 0) changed[below(changed.length)] = below(256);
    return changed;
  },
  (bytes) => bytes.subarray(0, below(bytes.length + 1)),
  (bytes) => bytes.subarray(below(bytes.length + 1)),
  (bytes) => {
    const at = below(bytes.length + 1);
    return Buffer.concat([bytes.subarray(0, at), Buffer.from(pick(ODD) ?? ''), bytes.subarray(at)]);
  },
  (bytes) => {
    const [from, to] = [below(bytes.length + 1), below(bytes.length + 1)].toSorted((a, b) => a - b) as [number, number];
    return Buffer.concat([
      bytes.subarray(0, to),
      ...Array.from({ length: 1 + below(20) }, () => bytes.subarray(from, to)),
      bytes.subarray(to),
    ]);
  },
  (bytes) => inLines(bytes, (lines) => lines.toSpliced(below(lines.length), 1 + below(3))),
  (bytes) => inLines(bytes, (lines) => lines.toSpliced(below(lines.length), 0, pick(lines) ?? '')),
  (bytes) =>
    inLines(bytes, (lines) => {
      const row = below(lines.length);
      const cells = (lines[row] ?? '').split(/[\t,;]/);
      return lines.with(row, cells.with(below(cells.length), pick(ODD) ?? '').join(pick([',', '\t', ';'])));
    }),
];

const inLines = (bytes: Buffer, change: (lines: string[]) => string[]): Buffer =>
  Buffer.from(change(bytes.toString('latin1').split('\n')).join('\n'), 'latin1');

function mutate({ reader, bytes }: Input): Input {
  let changed = Buffer.from(bytes);
  for (let k = 0; k <= below(4); k++) changed = Buffer.from((pick(CHANGES) ?? ((same) => same))(changed));
  return { reader, bytes: changed };
}

const newThread = (): Worker =>
  new Worker(new URL('./fuzz-reader.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
  });

/** A thread that reads what it is given; a new one takes its place when it dies or hangs. */
function createExaminer() {
  let thread: Worker | undefined;
  return {
    /** What is wrong with how the input was read; undefined when nothing is. */
    async fault(input: Input): Promise<string | undefined> {
      thread ??= newThread();
      const current = thread;
      const answer = await new Promise<string | undefined>((resolveAnswer) => {
        const timer = setTimeout(() => done(`took more than ${HANG_MS / 1000} s`), HANG_MS);
        const onError = (error: Error): void => done(`ended its thread: ${error.message}`);
        const onMessage = ({ thrown }: { thrown?: string }): void =>
          done(thrown === undefined ? undefined : `threw ${thrown}`);
        const done = (found: string | undefined): void => {
          clearTimeout(timer);
          current.off('error', onError).off('message', onMessage);
          resolveAnswer(found);
        };
        current.on('error', onError).on('message', onMessage);
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
        current.postMessage(input);
      });
      if (answer !== undefined && !answer.startsWith('threw')) {
        await current.terminate();
        thread = undefined;
      }
      return answer;
    },
    close: () => thread?.terminate(),
  };
}

const kept: Input[] = readdirSync(mkdirSync(CORPUS, { recursive: true }) ?? CORPUS)
  .filter((name) => name.includes('.'))
  .map((name) => ({
    reader: basename(name).split('.')[0]?.replaceAll('-', ' ') as ReaderName,
    bytes: readFileSync(join(CORPUS, name)),
  }));
const counts = new Map<ReaderName, number>();
let faults = 0;

async function examine(examiner: ReturnType<typeof createExaminer>, input: Input): Promise<void> {
  counts.set(input.reader, (counts.get(input.reader) ?? 0) + 1);
  const found = await examiner.fault(input);
  if (found === undefined) return;
  faults++;
  const name = `${input.reader.replaceAll(' ', '-')}.${createHash('sha256').update(input.bytes).digest('hex').slice(0, 12)}`;
  writeFileSync(join(CORPUS, name), input.bytes);
  process.stdout.write(`✗ ${name} ${found.split('\n').slice(0, 4).join('\n    ')}\n`);
}

const first = [...kept, ...SEEDS];
await Promise.all(
  Array.from({ length: Number(values.threads) }, async () => {
    const examiner = createExaminer();
    for (let input = first.shift(); input !== undefined; input = first.shift()) await examine(examiner, input);
    while (Date.now() < end) await examine(examiner, mutate(pick([...SEEDS, ...kept]) ?? text('genotype', '')));
    await examiner.close();
  }),
);
const inputs = [...counts.values()].reduce((sum, count) => sum + count, 0);
process.stdout.write(`${inputs} inputs, ${faults} faults\n`);
process.stdout.write(`${[...counts].map(([reader, count]) => `${reader} ${count}`).join(', ')}\n`);
process.exit(faults === 0 ? 0 : 1);
