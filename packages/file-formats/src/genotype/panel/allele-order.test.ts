import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { memorySource, openFileSource } from '../../byte-source.ts';
import { readFileOf, type SmallPanel, zipOf } from '../genotype-file.test-data.ts';
import { createRandomStream } from '../random.test-data.ts';
import { type ReadGenotypeOptions, readGenotype } from '../read-genotype.ts';
import { panelFiles } from '../writers/write-panel.ts';
import type { GenotypePanel } from './genotype-panel.ts';
import { type AlleleOrder, exchangeAlleles } from './packed-calls.ts';
import { openPlinkBlocks } from './plink-blocks.ts';
import { openPlinkPanel } from './plink-panel.ts';

const STORED = fileURLToPath(new URL('../../../testdata/stored-panel/', import.meta.url));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heterosis-order-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const sourcesOf = async (prefix: string) => {
  const [bed, bim, fam] = await Promise.all(
    ['bed', 'bim', 'fam'].map((ending) => openFileSource(`${prefix}.${ending}`)),
  );
  return { bed: bed!, bim: bim!, fam: fam! };
};

/**
 * Copies of A2 by marker and sample, null when missing, from the calls in memory: 00 none, 10 one, 11 two, 01
 * missing.
 */
function dosagesOf(packed: Uint8Array, samples: number): (number | null)[][] {
  const stride = Math.ceil(samples / 4);
  return Array.from({ length: packed.length / stride }, (_, j) =>
    Array.from({ length: samples }, (_, i) => [0, null, 1, 2][(packed[j * stride + (i >> 2)]! >> (2 * (i & 3))) & 3]!),
  );
}

async function smallOf(panel: GenotypePanel): Promise<SmallPanel> {
  const { id, chromosome, positionBp, a1, a2 } = panel.markers;
  const dosages = dosagesOf(await panel.readPacked(0, id.length), panel.samples.length);
  return {
    samples: panel.samples,
    markers: dosages.map((calls, j) => ({
      id: id[j]!,
      chromosome: chromosome[j]!,
      positionBp: positionBp[j]!,
      a1: a1[j]!,
      a2: a2[j]!,
      dosages: calls,
    })),
  };
}

async function importInto(name: string, text: string, options: Partial<ReadGenotypeOptions> = {}): Promise<string> {
  const outPrefix = join(folder, name);
  const { report } = await readGenotype(memorySource(Buffer.from(text)), { outPrefix, ...options });
  expect(report.totals.errors).toBe(0);
  return outPrefix;
}

async function opened(prefix: string, order: AlleleOrder): Promise<SmallPanel> {
  const panel = await openPlinkPanel(await sourcesOf(prefix), order);
  try {
    return await smallOf(panel);
  } finally {
    await panel.close();
  }
}

test.each([1, 2, 3, 4, 5, 8, 15, 16, 31])(
  'exchanging the alleles of %i samples turns every dosage d into 2 − d',
  (samples) => {
    const random = createRandomStream(samples);
    const stride = Math.ceil(samples / 4);
    const packed = Uint8Array.from({ length: 7 * stride }, () => 256 * random());
    const before = packed.slice();
    const exchanged = exchangeAlleles(packed.subarray(stride), samples);
    expect(dosagesOf(exchanged, samples)).toEqual(
      dosagesOf(packed.subarray(stride), samples).map((calls) => calls.map((d) => (d === null ? null : 2 - d))),
    );
    expect(packed).toEqual(before);
    const spare = 2 * (4 * stride - samples);
    if (spare > 0) for (let j = 0; j < 6; j++) expect(exchanged[(j + 1) * stride - 1]! >> (8 - spare)).toBe(0);
  },
);

describe('a panel that an earlier version stored', () => {
  test('gives the calls and alleles of its VCF, whole and by blocks', async () => {
    const fromVcf = await readFileOf(await readFile(join(STORED, 'panel.vcf'), 'utf8'));
    const expected = {
      samples: fromVcf.panel.samples,
      markers: fromVcf.panel.markers.map((marker) => ({ ...marker, a2: marker.a2 === '0' ? '.' : marker.a2 })),
    };
    expect(await opened(join(STORED, 'panel'), 'ref-first')).toEqual(expected);
    const sources = await sourcesOf(join(STORED, 'panel'));
    const blocks = await openPlinkBlocks(sources, { order: 'ref-first', isTrusted: true });
    const { a1, a2 } = await blocks.readMarkers(0, blocks.markerCount);
    expect(a1).toEqual(expected.markers.map((marker) => marker.a1));
    expect(a2).toEqual(expected.markers.map((marker) => marker.a2));
    const packed = await blocks.readPacked(0, blocks.markerCount);
    expect(dosagesOf(packed, 6)).toEqual(expected.markers.map(({ dosages }) => dosages));
    await blocks.close();
  });

  test('is stored today as the same bytes', async () => {
    const prefix = await importInto('again', await readFile(join(STORED, 'panel.vcf'), 'utf8'), {
      alleleOrder: 'ref-first',
    });
    for (const ending of ['bed', 'bim', 'fam'])
      expect(await readFile(`${prefix}.${ending}`)).toEqual(await readFile(join(STORED, `panel.${ending}`)));
  });
});

test('an imported VCF has ALT in column 5 of the .bim and REF in column 6, and code 00 is two copies of ALT', async () => {
  const vcf =
    '##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\ta\tb\tc\td\te\n' +
    '3\t70\tm\tG\tT\t.\t.\t.\tGT\t0/0\t0/1\t1/1\t./.\t1/1\n';
  const prefix = await importInto('plink', vcf);
  expect(await readFile(`${prefix}.bim`, 'utf8')).toBe('3\tm\t0\t70\tT\tG\n');
  expect([...(await readFile(`${prefix}.bed`))]).toEqual([0x6c, 0x1b, 1, 0b01_00_10_11, 0b00_00_00_00]);
});

/**
 * 30 biallelic markers on three chromosomes, with rarer and commoner ALT, indels, missing calls and a marker that
 * does not vary.
 */
function randomVcf(): string {
  const random = createRandomStream(20);
  const pick = (from: readonly string[]) => from[Math.floor(random() * from.length)]!;
  const rows = Array.from({ length: 30 }, (_, j) => {
    const ref = pick(['A', 'C', 'G', 'T']);
    const alt = j % 7 === 3 ? `${ref}GA` : pick(['A', 'C', 'G', 'T'].filter((base) => base !== ref));
    const commonness = random();
    const allele = () => (random() < commonness || j === 11 ? '1' : '0');
    const calls = Array.from({ length: 13 }, () => (random() < 0.08 ? './.' : [allele(), allele()].sort().join('/')));
    return [1 + Math.floor(j / 10), 100 + 10 * j, `snp${j}`, ref, alt, '.', '.', '.', 'GT', ...calls].join('\t');
  });
  const names = Array.from({ length: 13 }, (_, i) => `L${i}`);
  const head = ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT', ...names].join('\t');
  return `##fileformat=VCFv4.2\n##contig=<ID=1>\n##contig=<ID=2>\n##contig=<ID=3>\n${head}\n${rows.join('\n')}\n`;
}

const hasPlink2 = (process.env['PATH'] ?? '').split(delimiter).some((path) => existsSync(join(path, 'plink2')));

describe.skipIf(!hasPlink2)(`PLINK 2${hasPlink2 ? '' : ' (not installed)'}`, () => {
  const plink2 = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync('plink2', [...args, '--threads', '1'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(status, stdout + stderr).toBe(0);
  };

  test('makes a .bed of a VCF that is read, as a set and in a zip, as the VCF itself is', async () => {
    const vcf = randomVcf();
    await writeFile(join(folder, 'theirs.vcf'), vcf);
    plink2('--vcf', 'theirs.vcf', '--make-bed', '--out', 'theirs');
    const expected = (await readFileOf(vcf)).panel;
    expect(await opened(join(folder, 'theirs'), 'alt-first')).toEqual(expected);
    const files = await Promise.all(['bed', 'bim', 'fam'].map((ending) => readFile(join(folder, `theirs.${ending}`))));
    const zip = zipOf({ 'x.bed': files[0]!, 'x.bim': files[1]!, 'x.fam': files[2]! });
    expect((await readFileOf(zip)).panel).toEqual(expected);
  });

  test('gives the VCF back from the .bed of an import and from an exported one', async () => {
    const vcf = randomVcf();
    const imported = await importInto('ours', vcf);
    const panel = await openPlinkPanel(await sourcesOf(imported));
    for (const { ending, chunks } of panelFiles(panel, 'plink')) {
      const parts: Uint8Array[] = [];
      for await (const chunk of chunks) parts.push(chunk.slice());
      await writeFile(join(folder, `exported${ending}`), Buffer.concat(parts));
    }
    await panel.close();
    for (const name of ['ours', 'exported']) {
      plink2('--bfile', name, '--export', 'vcf', '--out', `${name}-back`);
      const back = (await readFile(join(folder, `${name}-back.vcf`), 'utf8')).split('\n');
      const fields = (line: string) => line.split('\t').filter((_, k) => ![5, 6, 7].includes(k));
      const rows = (lines: string[]) => lines.filter((line) => line !== '' && !line.startsWith('#')).map(fields);
      expect(rows(back)).toEqual(rows(vcf.split('\n')));
    }
  });
});
