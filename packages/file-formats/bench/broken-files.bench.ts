import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ByteSource, memorySource } from '../src/byte-source.ts';
import type { MarkerTable } from '../src/genotype/panel/genotype-panel.ts';
import { readGenotype } from '../src/genotype/read-genotype.ts';
import type { ProblemReport } from '../src/problem.ts';
import { readGenes } from '../src/tables/genes/read-genes.ts';
import { readLinkageMap } from '../src/tables/linkage-map/read-linkage-map.ts';
import { readPedigree } from '../src/tables/pedigree/read-pedigree.ts';
import { readPhenotype } from '../src/tables/phenotype/read-phenotype.ts';
import type { BrokenFile, ReaderName } from './broken-files/broken-file.ts';
import { GENOTYPES } from './broken-files/genotypes.ts';
import {
  type CallsByMarker,
  callsOfPlink,
  EXCEPTIONS,
  foundPrograms,
  refusalOf,
} from './broken-files/other-programs.ts';
import { TABLES } from './broken-files/tables.ts';
import { WORKBOOKS } from './broken-files/workbooks.ts';

// `npm run bench broken-files`: reads every file of the corpus beside this one and compares the answer with
// `answers.json`. None may take more than ten seconds of CPU. What bcftools, PLINK 2 or openpyxl refuse must be refused
// or warned about here too; those that are not installed are named and left out. Exit status 1 for any difference.
// ANSWERS=write keeps the answers instead: read the difference before you commit it. Words behind the path of this file
// choose files whose names hold one of them.

const MOST_CPU_SECONDS = 10;
const ANSWERS = join(import.meta.dirname, 'broken-files/answers.json');

interface Reading {
  report: ProblemReport;
  /** What was read, in a word; null when nothing was. */
  read: string | null;
  calls?: CallsByMarker;
}

const READERS: Record<ReaderName, (source: ByteSource, directory: string) => Promise<Reading>> = {
  vcf: genotype,
  hapmap: genotype,
  zip: genotype,
  matrix: genotype,
  phenotype,
  workbook: phenotype,
  genes: async (source) => {
    const { genes, report } = await readGenes(source);
    return { report, read: genes && `${genes.ids.length} genes on ${genes.chromosomes.join(', ')}` };
  },
  map: async (source) => {
    const { map, report } = await readLinkageMap(source);
    const cm = map && [...map.positionCm.subarray(0, 3)].join(' ');
    return { report, read: map && `${map.markerId.length} markers at ${cm}` };
  },
  pedigree: async (source) => {
    const { table, report } = await readPedigree(source);
    return { report, read: table && `${table.names.length} individuals: ${table.names.slice(0, 5).join(', ')}` };
  },
};

async function genotype(source: ByteSource, directory: string): Promise<Reading> {
  const { report, files, samples, markers } = await readGenotype(source, { outPrefix: join(directory, 'panel') });
  if (files.length === 0) return { report, read: null };
  const bed = readFileSync(join(directory, 'panel.bed'));
  const alleles = (markers?.a1 ?? []).slice(0, 3).map((a1, i) => `${a1}/${markers?.a2[i]}`.slice(0, 20));
  const calls = bed.subarray(3, 9).toString('hex');
  const read = `${samples.length} × ${markers?.id.length}, ${alleles.join(' ')}, ${calls}`;
  return { report, read, calls: callsOf(bed, samples.length, markers) };
}

/** Copies of the second allele: the files written have it first, as PLINK writes them. */
function callsOf(bed: Buffer, samples: number, markers: MarkerTable | null): CallsByMarker {
  const rowBytes = Math.ceil(samples / 4);
  const copiesOf = (marker: number, i: number): string =>
    ['2', '.', '1', '0'][((bed[3 + marker * rowBytes + (i >> 2)] ?? 0) >> (2 * (i & 3))) & 3] ?? '.';
  const places = Array.from({ length: samples }, (_, i) => i);
  return new Map(
    (markers?.id ?? []).map((id, j) => [
      id,
      { counted: markers?.a2[j] ?? '.', copies: places.map((i) => copiesOf(j, i)).join('') },
    ]),
  );
}

/** What PLINK 2 has otherwise in a set that both read. */
function differenceOf(ours: CallsByMarker, theirs: CallsByMarker): string | null {
  for (const [id, { counted, copies }] of theirs) {
    const own = ours.get(id);
    // Markers without id of their own have one of ours.
    if (own === undefined || id === '.') continue;
    const turned = own.counted === counted ? own.copies : own.copies.replace(/[02]/g, (one) => String(2 - Number(one)));
    if (turned !== copies) return `${id}: ${turned}, by PLINK 2 ${copies} of ${counted}`;
  }
  return null;
}

async function phenotype(source: ByteSource): Promise<Reading> {
  const { table, report } = await readPhenotype(source);
  const traits = table?.traits.map(({ name }, i) => `${name} ${[...(table.values[i] ?? [])].slice(0, 3).join(' ')}`);
  return { report, read: table && `${table.individuals.slice(0, 4).join(', ')}: ${traits?.slice(0, 3).join('; ')}` };
}

/** Each code once, with the line where it occurs first; of a file that is refused only those of errors. */
function codesOf({ problems, totals }: ProblemReport): string {
  const codes = new Map<string, string>();
  for (const { severity, code, line } of problems) {
    if (codes.has(code) || (totals.errors > 0 && severity !== 'error')) continue;
    codes.set(code, line === null ? code : `${code} ${line}`);
  }
  return [...codes.values()].join(', ');
}

const answerOf = ({ report, read }: Reading): string => {
  const codes = codesOf(report);
  return read === null ? `refused: ${codes}` : `${read}${codes === '' ? '' : ` (${codes})`}`;
};

/** Findings that any small panel has: they do not answer what is broken. */
const ORDINARY = /^(?:W-GT-(?:CALLRATE|HET|MONO|UNPHASED)|I-GT-COUNTED|W-PH-FEW|W-LM-UNIT)$/;
const isSaid = ({ report, read }: Reading): boolean =>
  read === null || report.problems.some(({ code }) => !ORDINARY.test(code));

const expected = JSON.parse(readFileSync(ANSWERS, 'utf8')) as Record<string, string>;
const answers: Record<string, string> = {};
let faults = 0;
const fault = (name: string, text: string): void => {
  faults++;
  process.stdout.write(`✗ ${name}: ${text}\n`);
};
const programs = await foundPrograms();
let compared = 0;
let sets = 0;

async function examine({ name, bytes }: BrokenFile): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), 'heterosis-broken-'));
  try {
    const reader = name.slice(0, name.indexOf('/')) as ReaderName;
    const content = bytes();
    const before = process.cpuUsage();
    const reading = await READERS[reader](memorySource(content, 'file'), directory);
    const { user, system } = process.cpuUsage(before);
    answers[name] = answerOf(reading);
    if (answers[name] !== expected[name]) fault(name, `${answers[name]}\n    expected ${expected[name]}`);
    const seconds = (user + system) / 1e6;
    if (seconds > MOST_CPU_SECONDS) fault(name, `took ${seconds.toFixed(1)} s of CPU`);
    const path = join(directory, reader === 'workbook' ? 'file.xlsx' : 'file');
    await writeFile(path, content);
    for (const program of programs) {
      const refusal = await refusalOf(program, reader, path);
      if (refusal === undefined) continue;
      compared++;
      if (refusal !== null && !isSaid(reading) && EXCEPTIONS[name] === undefined)
        fault(name, `${program} says "${refusal}", and here nothing is said`);
    }
    const theirs = reader === 'zip' && reading.calls && programs.includes('plink2') ? await callsOfPlink(path) : null;
    if (theirs !== null && reading.calls) {
      sets++;
      const difference = differenceOf(reading.calls, theirs);
      if (difference !== null) fault(name, difference);
    }
    return seconds;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

const wanted = process.argv.slice(2);
const files = [...GENOTYPES, ...TABLES, ...WORKBOOKS].filter(
  ({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)),
);
let most = { name: '', seconds: 0 };
for (const file of files) {
  const seconds = await examine(file);
  if (seconds > most.seconds) most = { name: file.name, seconds };
}
if (process.env.ANSWERS === 'write')
  writeFileSync(ANSWERS, `${JSON.stringify({ ...(wanted.length === 0 ? {} : expected), ...answers }, null, 2)}\n`);
process.stdout.write(
  `${files.length} files, ${faults} faults; longest ${most.name}, ${most.seconds.toFixed(1)} s of CPU; ${sets} sets of PLINK have its calls; ${compared} answers compared with ${programs.join(', ') || 'no other program: none is installed'}\n`,
);
process.exit(faults === 0 || process.env.ANSWERS === 'write' ? 0 : 1);
