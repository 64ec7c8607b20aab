import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ByteSource, memorySource, openFileSource } from '../byte-source.ts';
import { zipOf } from './genotype-file.test-data.ts';
import { DOSAGE_UNITS, dosageText, dosageUnits, MISSING_DOSAGE } from './panel/dosages.ts';
import type { GenotypePanel } from './panel/genotype-panel.ts';
import { openPlinkBlocks } from './panel/plink-blocks.ts';
import { openPlinkPanel } from './panel/plink-panel.ts';
import { subsetPanel } from './panel/subset-panel.ts';
import { createRandomStream } from './random.test-data.ts';
import { type ReadGenotypeOptions, readGenotype } from './read-genotype.ts';
import type { PanelFormat } from './writers/panel-format.ts';
import { lostDosagesProblem, panelFiles } from './writers/write-panel.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heterosis-dosages-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Dosages by marker and sample, null when missing. */
type Dosages = (number | null)[][];

/** Dosages with three decimals; every third marker has whole numbers, and markers are not in order of position. */
function randomDosages(seed: number, samples: number, markers: number): Dosages {
  const random = createRandomStream(seed);
  return Array.from({ length: markers }, (_, j) =>
    Array.from({ length: samples }, () =>
      random() < 0.1 ? null : j % 3 === 2 ? Math.floor(3 * random()) : Math.floor(2001 * random()) / 1000,
    ),
  );
}

const positionOf = (j: number, markers: number) => 10 + ((11 * j) % markers);
const head = (samples: number) => Array.from({ length: samples }, (_, i) => `L${i}`);
const lines = (rows: (string | number)[][], separator: string) =>
  `${rows.map((row) => row.join(separator)).join('\n')}\n`;

function vcfOf(dosages: Dosages, format = 'DS', cell = (d: number | null) => (d === null ? '.' : String(d))): string {
  const lead = ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT'];
  const rows = dosages.map((marker, j) => [
    1,
    positionOf(j, dosages.length),
    `m${j}`,
    'A',
    'C',
    '.',
    '.',
    '.',
    format,
    ...marker.map(cell),
  ]);
  return `##fileformat=VCFv4.2\n${lines([[...lead, ...head(dosages[0]!.length)], ...rows], '\t')}`;
}

function matrixOf(dosages: Dosages): string {
  const rows = dosages.map((marker, j) => [
    `m${j}`,
    1,
    positionOf(j, dosages.length),
    'A',
    'C',
    ...marker.map((d) => d ?? 'NA'),
  ]);
  return lines([['marker', 'chrom', 'pos', 'REF', 'ALT', ...head(dosages[0]!.length)], ...rows], ',');
}

let imports = 0;
async function imported(content: string | ByteSource, options: Partial<ReadGenotypeOptions> = {}) {
  const outPrefix = join(folder, `panel${imports++}`);
  const source = typeof content === 'string' ? memorySource(Buffer.from(content)) : content;
  const outcome = await readGenotype(source, { outPrefix, ...options });
  expect(outcome.report.totals.errors, JSON.stringify(outcome.report.problems[0])).toBe(0);
  return { ...outcome, outPrefix };
}

async function sourcesOf(prefix: string) {
  const [bed, bim, fam] = await Promise.all(
    ['bed', 'bim', 'fam'].map((ending) => openFileSource(`${prefix}.${ending}`)),
  );
  const dosage = await openFileSource(`${prefix}.dosage`).catch(() => undefined);
  return { bed: bed!, bim: bim!, fam: fam!, dosage };
}

/** Dosages as the analyses see them, by the names of the markers: those kept, or else the calls. */
async function dosagesOf(panel: Pick<GenotypePanel, 'samples' | 'markers' | 'readPacked' | 'dosages'>, blockSize = 5) {
  const n = panel.samples.length;
  const stride = Math.ceil(n / 4);
  const found = new Map<string, (number | null)[]>();
  for (let first = 0; first < panel.markers.id.length; first += blockSize) {
    const count = Math.min(blockSize, panel.markers.id.length - first);
    const packed = await panel.readPacked(first, count);
    const dosages = await panel.dosages?.read(first, count);
    for (let j = 0; j < count; j++) {
      const row = dosages?.rows[j] ?? -1;
      const calls = Array.from(
        { length: n },
        (_, i) => [0, null, 1, 2][(packed[j * stride + (i >> 2)]! >> (2 * (i & 3))) & 3]!,
      );
      const kept = Array.from(dosages?.values.subarray(row * n, (row + 1) * n) ?? [], (u) =>
        u === MISSING_DOSAGE ? null : u / DOSAGE_UNITS,
      );
      if (row >= 0) expect(calls).toEqual(kept.map((d) => (d === null ? null : Math.floor(d + 0.5))));
      found.set(panel.markers.id[first + j]!, row < 0 ? calls : kept);
    }
  }
  return found;
}

async function opened(prefix: string) {
  const panel = await openPlinkPanel(await sourcesOf(prefix));
  try {
    return await dosagesOf(panel);
  } finally {
    await panel.close();
  }
}

const rounded = (dosages: Dosages) =>
  new Map(
    dosages.map((marker, j) => [
      `m${j}`,
      marker.map((d) => (d === null ? null : Math.round(DOSAGE_UNITS * d) / DOSAGE_UNITS)),
    ]),
  );

test.each([
  [1, 5, 7],
  [2, 13, 40],
  [3, 1, 4],
  [4, 8, 700],
])(
  'DS of a VCF and the fractions of a matrix are kept alike (seed %i, %i samples, %i markers)',
  async (seed, samples, markers) => {
    const dosages = randomDosages(seed, samples, markers);
    const vcf = await imported(vcfOf(dosages));
    expect(await opened(vcf.outPrefix)).toEqual(rounded(dosages));
    const matrix = await imported(matrixOf(dosages), { numericCoding: '0/1/2' });
    for (const ending of ['bed', 'bim', 'fam', 'dosage'])
      expect(await readFile(`${matrix.outPrefix}.${ending}`)).toEqual(await readFile(`${vcf.outPrefix}.${ending}`));
    const bySample = lines(
      [
        ['sample', ...dosages.map((_, j) => `m${j}`)],
        ...head(samples).map((name, i) => [name, ...dosages.map((marker) => marker[i] ?? 'NA')]),
      ],
      ',',
    );
    const places = new Map(dosages.map((_, j) => [`m${j}`, { chromosome: '1', positionBp: positionOf(j, markers) }]));
    const turned = await imported(bySample, { numericCoding: '0/1/2', places });
    expect(await readFile(`${turned.outPrefix}.dosage`)).toEqual(await readFile(`${vcf.outPrefix}.dosage`));
    const shifted = await imported(
      matrixOf(dosages.map((marker) => marker.map((d) => (d === null ? null : Number((d - 1).toFixed(3)))))),
      { numericCoding: '-1/0/1' },
    );
    expect(await readFile(`${shifted.outPrefix}.dosage`)).toEqual(await readFile(`${vcf.outPrefix}.dosage`));
  },
);

test('every dosage is kept to half of 1/16384, and its text gives the same units back', () => {
  const random = createRandomStream(6);
  for (let k = 0; k < 2000; k++) {
    const dosage = 2 * random();
    expect(Math.abs(dosageUnits(dosage) / DOSAGE_UNITS - dosage)).toBeLessThanOrEqual(0.5 / DOSAGE_UNITS);
  }
  for (let units = 0; units <= 2 * DOSAGE_UNITS; units++) {
    expect(dosageUnits(Number(dosageText(units)))).toBe(units);
    expect(dosageText(units).length).toBeLessThanOrEqual(7);
  }
  expect([0.1, 1.25, 2, 0.333].map((d) => dosageText(dosageUnits(d)))).toEqual(['0.1', '1.25', '2', '0.333']);
});

test('GP gives the expected dosage, also where its probabilities do not add up to 1', async () => {
  const { outPrefix, report } = await imported(
    '##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\ta\tb\tc\td\n1\t5\tm0\tA\tC\t.\t.\t.\tDP:GP\t3:0.1,0.4,0.5\t3:0.33,0.33,0.33\t3:.\t3:0,0,1\n',
  );
  expect(await opened(outPrefix)).toEqual(rounded([[1.4, 1, null, 2]]));
  expect(report.problems.find(({ code }) => code === 'I-GT-DOSAGE')?.message).toMatch(/^1 call of 1 marker has/);
});

test('GT is read where it stands beside DS, unless the dosages are preferred', async () => {
  const vcf = vcfOf([[0.9, 1.2, null]], 'GT:DS', (d) => (d === null ? './.:.' : `0/1:${d}`));
  const hard = await imported(vcf);
  expect(await opened(hard.outPrefix)).toEqual(new Map([['m0', [1, 1, null]]]));
  expect(hard.report.problems.map(({ code }) => code)).toContain('I-GT-DOSAGE-UNUSED');
  const soft = await imported(vcf, { genotypeField: 'DS' });
  expect(await opened(soft.outPrefix)).toEqual(rounded([[0.9, 1.2, null]]));
});

test('heterozygotes that dosages or probabilities tell are not phased', async () => {
  const unphasedOf = async (text: string) =>
    (await imported(text)).report.problems.find(({ code }) => code === 'W-GT-UNPHASED')?.message;
  const dosages = [
    [0, 0.7, 2, null],
    [1, 1.4, 0.2, 1.9],
  ];
  expect(await unphasedOf(vcfOf(dosages))).toMatch(/^3 of 3 heterozygous calls/);
  const gp = (d: number | null) => (d === null ? '.' : d <= 1 ? `${1 - d},${d},0` : `0,${2 - d},${d - 1}`);
  expect(await unphasedOf(vcfOf(dosages, 'GP', gp))).toMatch(/^3 of 3 heterozygous calls/);
  expect(await unphasedOf(vcfOf([[0, 0.1, 1.8, null]]))).toBeUndefined();
});

test('a file of whole numbers leaves no .dosage, and removes that of an earlier import of the same name', async () => {
  const outPrefix = join(folder, 'again');
  await readGenotype(memorySource(Buffer.from(vcfOf([[0.5, 1]]))), { outPrefix });
  expect(await readdir(folder)).toContain('again.dosage');
  const { files, stats } = await readGenotype(memorySource(Buffer.from(vcfOf([[2, 1]]))), { outPrefix });
  expect((await readdir(folder)).filter((name) => /^again\..*(?:dosage|part)/.test(name))).toEqual([]);
  expect(files).not.toContain(`${outPrefix}.dosage`);
  expect(stats?.markerDosage).toBeNull();
});

test('a .dosage file of another panel, or one that was cut, is refused', async () => {
  const { outPrefix } = await imported(vcfOf(randomDosages(9, 4, 9)));
  const other = await imported(vcfOf(randomDosages(9, 4, 10)));
  const [own, others] = await Promise.all([outPrefix, other.outPrefix].map((prefix) => readFile(`${prefix}.dosage`)));
  for (const bytes of [others!, own!.subarray(0, -2), Buffer.alloc(0), Buffer.from(own!).fill(0, 0, 4)]) {
    await writeFile(`${outPrefix}.dosage`, bytes);
    for (const open of [openPlinkPanel, openPlinkBlocks]) {
      const sources = await sourcesOf(outPrefix);
      await expect(open(sources)).rejects.toMatchObject({ problem: { code: 'E-GT-TRIO' } });
      await Promise.all(Object.values(sources).map((source) => source?.close()));
    }
  }
});

describe('exported', () => {
  const dosages = randomDosages(11, 9, 30);
  const ids = dosages.map((_, j) => `m${j}`);
  const textOf = async (panel: GenotypePanel, format: PanelFormat) => {
    const parts: Uint8Array[] = [];
    for await (const chunk of panelFiles(panel, format)[0]!.chunks) parts.push(chunk.slice());
    return Buffer.concat(parts).toString();
  };

  test.each(['vcf', 'numeric', 'numeric_by_marker'] as const)(
    'as %s and read again, the dosages are the same',
    async (format) => {
      const { outPrefix } = await imported(vcfOf(dosages));
      const panel = await openPlinkPanel(await sourcesOf(outPrefix));
      const back = await imported(await textOf(panel, format), { genotypeField: 'DS', numericCoding: '0/1/2' });
      expect(await opened(back.outPrefix)).toEqual(rounded(dosages));
      expect(lostDosagesProblem(panel, format)).toBeNull();
      await panel.close();
    },
  );

  test('of chosen markers and samples, they are those of the whole panel', async () => {
    const { outPrefix } = await imported(vcfOf(dosages));
    const panel = await openPlinkPanel(await sourcesOf(outPrefix));
    const subset = subsetPanel(panel, { samples: [1, 4, 8], markers: [0, 1, 2, 7, 20, 29] });
    const expected = rounded(dosages);
    for (const [id, values] of await dosagesOf(subset, 4)) {
      const whole = expected.get(id)!;
      expect(values).toEqual([whole[1], whole[4], whole[8]]);
    }
    await panel.close();
  });

  test('a format of whole numbers says how many markers lose their dosages', async () => {
    const { outPrefix } = await imported(vcfOf(dosages));
    const panel = await openPlinkPanel(await sourcesOf(outPrefix));
    for (const format of ['plink', 'plink_text', 'hapmap', 'flapjack'] as const) {
      expect(lostDosagesProblem(panel, format)).toMatchObject({ code: 'W-GT-DOSAGE-LOST', severity: 'warning' });
      expect(lostDosagesProblem(panel, format)?.message).toMatch(/^20 markers have/);
    }
    expect(ids).toHaveLength(30);
    await panel.close();
  });
});

test('the dosages of a .pgen are those of the VCF that PLINK 2 exports', async () => {
  const bytesOf = (ending: string) => readFile(new URL(`../../testdata/plink2/dosages.${ending}`, import.meta.url));
  const [pgen, pvar, psam, vcf] = await Promise.all(['pgen', 'pvar', 'psam', 'vcf'].map(bytesOf));
  const { outPrefix } = await imported(zipOf({ 'd.pgen': pgen!, 'd.pvar': pvar!, 'd.psam': psam! }));
  const rows = vcf!
    .toString('utf8')
    .split('\n')
    .filter((line) => /^\d/.test(line));
  const expected = rows.map((line) => {
    const [, , id = '', , , , , , , ...cells] = line.split('\t');
    const dosage = (cell: string) => {
      const text = cell.split(':')[1] ?? '.';
      return text === '.' ? null : Math.round(DOSAGE_UNITS * Number(text)) / DOSAGE_UNITS;
    };
    return [id, cells.map(dosage)] as const;
  });
  expect(expected).toHaveLength(24);
  expect(await opened(outPrefix)).toEqual(new Map(expected));
});
