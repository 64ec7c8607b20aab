import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';
import type { ReaderName } from './broken-file.ts';

const run = promisify(execFile);

/** Programs whose refusals are compared with ours. */
export type OtherProgram = 'bcftools' | 'plink2' | 'openpyxl';

const OPENPYXL = `
import sys, openpyxl
book = openpyxl.load_workbook(sys.argv[1], read_only=True, data_only=True)
for row in book.worksheets[0].iter_rows(values_only=True, max_row=100, max_col=100): pass
`;

/** Files that we read although another program does not, and why that is right. */
export const EXCEPTIONS: Readonly<Record<string, string>> = {
  'vcf/byte order mark': 'spreadsheets write the mark',
  'vcf/UTF-16': 'Windows programs write it',
  'vcf/gzip with more behind': 'refused by bcftools only',
  'zip/ped and map of three columns': 'PLINK 1 reads three columns',
};

const PROBES: Record<OtherProgram, [command: string, ...args: string[]]> = {
  bcftools: ['bcftools', '--version'],
  plink2: ['plink2', '--version'],
  openpyxl: ['python3', '-c', 'import openpyxl'],
};

export async function foundPrograms(): Promise<OtherProgram[]> {
  const found: OtherProgram[] = [];
  for (const [program, [command, ...args]] of Object.entries(PROBES) as [OtherProgram, [string, ...string[]]][]) {
    try {
      await run(command, args);
      found.push(program);
    } catch {
      process.stdout.write(`${program} is not installed: nothing is compared with it\n`);
    }
  }
  return found;
}

/** What the program says against a file; null when it reads it, undefined when it does not read files of this kind. */
export async function refusalOf(
  program: OtherProgram,
  reader: ReaderName,
  path: string,
): Promise<string | null | undefined> {
  if (program === 'openpyxl') return reader === 'workbook' ? refusedBy('python3', ['-c', OPENPYXL, path]) : undefined;
  if (program === 'bcftools')
    return reader === 'vcf' ? refusedBy('bcftools', ['view', '-o', '/dev/null', path]) : undefined;
  if (reader !== 'vcf' && reader !== 'zip') return undefined;
  const directory = await mkdtemp(join(dirname(path), 'plink2-'));
  try {
    const input = reader === 'vcf' ? ['--vcf', path] : await unzipped(path, directory);
    if (input === null) return undefined;
    const options = ['--allow-extra-chr', '--sort-vars', '--threads', '1', '--memory', '2000', '--make-pgen'];
    return await refusedBy('plink2', [...input, ...options, '--out', join(directory, 'out')]);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Copies of an allele by marker: its name, and a digit for each individual, `.` where the call is missing. */
export type CallsByMarker = Map<string, { counted: string; copies: string }>;

/** The calls of a set as PLINK 2 has them; null where it refuses the set or is not installed. */
export async function callsOfPlink(path: string): Promise<CallsByMarker | null> {
  const directory = await mkdtemp(join(dirname(path), 'calls-'));
  try {
    const input = await unzipped(path, directory);
    if (input === null) return null;
    const options = ['--allow-extra-chr', '--threads', '1', '--memory', '2000', '--export', 'A-transpose'];
    const refusal = await refusedBy('plink2', [...input, ...options, '--out', join(directory, 'out')]);
    if (refusal !== null) return null;
    const [, ...lines] = (await readFile(join(directory, 'out.traw'), 'utf8')).trimEnd().split('\n');
    return new Map(
      lines.map((line) => {
        const [, id = '', , , counted = '', , ...copies] = line.split('\t');
        return [id, { counted, copies: copies.map((one) => (one === 'NA' ? '.' : one)).join('') }];
      }),
    );
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Lays the files of a set of PLINK beside each other; the options that name them, or null without such a set. */
async function unzipped(path: string, directory: string): Promise<string[] | null> {
  const found = new Map<string, string>();
  try {
    const isPart = ({ name, originalSize }: { name: string; originalSize: number }) =>
      PART.test(name) && !name.startsWith('__MACOSX') && originalSize < MOST_BYTES;
    for (const [name, bytes] of Object.entries(unzipSync(await readFile(path), { filter: isPart }))) {
      const ending = extname(name);
      if (found.has(ending)) return null;
      found.set(ending, join(directory, `set${ending}`));
      await writeFile(join(directory, `set${ending}`), bytes);
    }
  } catch {
    return null;
  }
  if (found.has('.bed')) return ['--bfile', join(directory, 'set')];
  if (found.has('.pgen')) return ['--pfile', join(directory, 'set')];
  const ped = found.get('.ped');
  return ped === undefined ? null : ['--ped', ped, '--map', found.get('.map') ?? join(directory, 'set.map')];
}

const PART = /\.(?:bed|bim|fam|ped|map|pgen|pvar|psam)$/;
const MOST_BYTES = 50e6;
/** A program that takes longer is not judged. */
const MOST_MS = 60_000;

async function refusedBy(command: string, args: readonly string[]): Promise<string | null | undefined> {
  try {
    await run(command, args, { timeout: MOST_MS, maxBuffer: 1 << 26 });
    return null;
  } catch (error) {
    const { killed, stdout, stderr } = error as { killed?: boolean; stdout: string; stderr: string };
    if (killed === true) return undefined;
    const said = `${stderr}\n${stdout}`.split('\n').filter((line) => line.trim() !== '');
    return (said.find((line) => /^(?:Error|\[E)/.test(line)) ?? said.at(-1) ?? 'no').slice(0, 200);
  }
}
