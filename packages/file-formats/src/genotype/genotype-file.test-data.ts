import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';
import { type ByteSource, memorySource } from '../byte-source.ts';
import { decodeCalls } from './decode-calls.test-data.ts';
import { openDosages } from './panel/dosage-file.ts';
import { DOSAGE_UNITS, MISSING_DOSAGE, MISSING_POLYPLOID, POLYPLOID_UNITS } from './panel/dosages.ts';
import { type GenotypeImport, type ReadGenotypeOptions, readGenotype } from './read-genotype.ts';

/** A panel in words: dosages of A2 by marker and sample, null when missing. */
export interface SmallPanel {
  samples: string[];
  markers: { id: string; chromosome: string; positionBp: number; a1: string; a2: string; dosages: (number | null)[] }[];
}

/** What a file became, or why not. */
export interface Outcome extends GenotypeImport {
  panel: SmallPanel;
  /** Copies of A2 of polyploids, or fractions of diploids, by marker of the panel and sample; null when missing. */
  copies: (number | null)[][];
  bed: Buffer;
  bim: string;
  /** Names of what lies in the folder afterwards. */
  left: string[];
}

/** Reads a file into a folder of its own, which is gone afterwards. */
export async function readFileOf(
  source: ByteSource | string,
  options: Partial<ReadGenotypeOptions> = {},
): Promise<Outcome> {
  const directory = await mkdtemp(join(tmpdir(), 'heterosis-genotype-'));
  const outPrefix = join(directory, 'out', 'panel');
  try {
    const input = typeof source === 'string' ? memorySource(Buffer.from(source), 'file') : source;
    const result = await readGenotype(input, { outPrefix, ...options });
    const left = await readdir(join(directory, 'out')).catch((): string[] => []);
    const isRead = result.files.length > 0;
    const bed = isRead ? await readFile(`${outPrefix}.bed`) : Buffer.alloc(0);
    const bim = isRead ? await readFile(`${outPrefix}.bim`, 'utf8') : '';
    const panel = panelOf(bed, bim, result.samples);
    const copies = left.includes('panel.dosage') ? await copiesOf(`${outPrefix}.dosage`, panel) : [];
    return { ...result, bed, bim, left, panel, copies };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function copiesOf(path: string, { samples, markers }: SmallPanel): Promise<(number | null)[][]> {
  const source = memorySource(await readFile(path), 'panel.dosage');
  const dosages = await openDosages(source, samples.length, markers.length);
  const block = await dosages.read(0, markers.length);
  const [unit, missing] =
    dosages.ploidy === undefined ? [DOSAGE_UNITS, MISSING_DOSAGE] : [POLYPLOID_UNITS, MISSING_POLYPLOID];
  return markers.map((marker, j) => {
    const row = block?.rows[j] ?? -1;
    if (row < 0) return marker.dosages;
    const units = block?.values.subarray(row * samples.length, (row + 1) * samples.length) ?? [];
    return Array.from(units, (one) => (one === missing ? null : one / unit));
  });
}

function panelOf(bed: Buffer, bim: string, samples: string[]): SmallPanel {
  const lines = bim.split('\n').filter((line) => line !== '');
  return {
    samples,
    markers: lines.map((line, index) => {
      const [chromosome = '', id = '', , position = '', a2 = '', a1 = ''] = line.split('\t');
      const dosages = decodeCalls(bed, index, samples.length);
      return { id, chromosome, positionBp: Number(position), a1, a2, dosages };
    }),
  };
}

export const zipOf = (files: Record<string, string | Uint8Array>): ByteSource =>
  memorySource(
    zipSync(
      Object.fromEntries(
        Object.entries(files).map(([name, content]) => [
          name,
          typeof content === 'string' ? strToU8(content) : content,
        ]),
      ),
    ),
    'file.zip',
  );

const BGZF_END = Buffer.from('1f8b08040000000000ff0600424302001b0003000000000000000000', 'hex');

/**
 * Text as bgzip writes it: gzip members of at most `blockSize` bytes that tell their own length (SAM specification
 * §4.1).
 */
export function bgzip(
  text: string | Uint8Array,
  { blockSize = 60_000, hasEnd = true }: { blockSize?: number; hasEnd?: boolean } = {},
): ByteSource {
  const bytes = Buffer.from(text);
  const members: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += blockSize) {
    const block = bytes.subarray(at, at + blockSize);
    const data = deflateRawSync(block);
    const head = Buffer.from('1f8b08040000000000ff06004243020000000', 'hex').subarray(0, 18);
    const member = Buffer.concat([head, Buffer.alloc(18 - head.length), data, Buffer.alloc(8)]);
    member.writeUInt16LE(member.length - 1, 16);
    member.writeUInt32LE(crc32(block), member.length - 8);
    member.writeUInt32LE(block.length, member.length - 4);
    members.push(member);
  }
  return memorySource(Buffer.concat(hasEnd ? [...members, BGZF_END] : members), 'file.vcf.gz');
}

/** Problems as `CODE line column value`, sorted by line. */
export const listed = ({ report }: Pick<GenotypeImport, 'report'>): string[] =>
  report.problems.map(({ code, line, column, value }) =>
    [code, line === null ? '' : `line ${line}`, column ?? '', value ?? ''].filter((part) => part !== '').join(' '),
  );

export const codesOf = (outcome: Pick<GenotypeImport, 'report'>): string[] => [
  ...new Set(outcome.report.problems.map(({ code }) => code)),
];
