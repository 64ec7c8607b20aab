import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { memorySource, openFileSource } from '../../byte-source.ts';
import { readFileOf, type SmallPanel } from '../genotype-file.test-data.ts';
import type { GenotypePanel } from '../panel/genotype-panel.ts';
import { openPlinkPanel } from '../panel/plink-panel.ts';
import { createRandomStream } from '../random.test-data.ts';
import type { PanelFormat } from './panel-format.ts';
import { writeNumericBySample } from './write-numeric.ts';
import { panelFiles, writePanel } from './write-panel.ts';

/** Codes of a `.bed` for 0, 1, 2 copies of A2 and a missing call. */
const CODE = new Map<number | null, number>([
  [0, 0],
  [null, 1],
  [1, 2],
  [2, 3],
]);

function panelOf({ samples, markers }: SmallPanel): GenotypePanel {
  const stride = Math.ceil(samples.length / 4);
  const bed = new Uint8Array(stride * markers.length);
  for (const [j, { dosages }] of markers.entries())
    for (const [i, dosage] of dosages.entries()) bed[j * stride + (i >> 2)] |= (CODE.get(dosage) ?? 1) << (2 * (i & 3));
  return {
    samples,
    markers: {
      id: markers.map(({ id }) => id),
      chromosome: markers.map(({ chromosome }) => chromosome),
      positionBp: Float64Array.from(markers, ({ positionBp }) => positionBp),
      a1: markers.map(({ a1 }) => a1),
      a2: markers.map(({ a2 }) => a2),
    },
    readPacked: async (first, count) => bed.slice(first * stride, (first + count) * stride),
    close: async () => {},
  };
}

function randomPanel(seed: number, samples: number, markers: number, alleles: readonly string[]): SmallPanel {
  const random = createRandomStream(seed);
  const pick = <Value>(from: readonly Value[]): Value => from[Math.floor(random() * from.length)] as Value;
  return {
    samples: Array.from({ length: samples }, (_, i) => `Line ${i}/${seed}`),
    markers: Array.from({ length: markers }, (_, j) => {
      const a1 = pick(['A', 'C', 'G', 'T']);
      return {
        id: `m${j}`,
        chromosome: String(1 + Math.floor((3 * j) / markers)),
        positionBp: 10 + 7 * j,
        a1,
        a2: pick(alleles.filter((allele) => allele !== a1)),
        dosages: Array.from({ length: samples }, () => pick([0, 0, 1, 2, null])),
      };
    }),
  };
}

async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk.slice());
  return Buffer.concat(parts);
}

/** Formats that hold the whole panel. */
const FORMATS: readonly PanelFormat[] = ['vcf', 'hapmap', 'plink', 'numeric_by_marker'];
/** Formats that name the alleles of each call and not which of them is A1: readers take the commoner one. */
const PAIR_FORMATS: readonly PanelFormat[] = ['plink_text', 'flapjack'];

/** The panel with A1 as the commoner allele of each marker, as readers of pairs see it; a tie keeps what `like` has. */
function byCommonerAllele(panel: SmallPanel, like: SmallPanel): SmallPanel {
  return {
    ...panel,
    markers: panel.markers.map((marker, j) => {
      const isTurned = like.markers[j]!.a1 === marker.a2;
      if (!isTurned) return { ...marker, a2: like.markers[j]!.a2 === '0' ? '0' : marker.a2 };
      return {
        ...marker,
        a1: marker.a2,
        a2: like.markers[j]!.a2 === '0' ? '0' : marker.a1,
        dosages: marker.dosages.map((dosage) => (dosage === null ? null : 2 - dosage)),
      };
    }),
  };
}

describe.each(FORMATS)('%s', (format) => {
  test.each([
    [1, 5, 40],
    [2, 8, 1030],
    [3, 33, 200],
    [4, 1, 3],
  ])('written and read again is the same panel (seed %i, %i samples, %i markers)', async (seed, samples, markers) => {
    const small = randomPanel(seed, samples, markers, ['A', 'C', 'G', 'T', 'ACT']);
    const { chunks, ending } = writePanel(panelOf(small), format, 'panel');
    const outcome = await readFileOf(memorySource(await bytesOf(chunks), `panel${ending}`));
    expect(outcome.report.totals.errors).toBe(0);
    const expected = format === 'plink' ? small.samples.map((name) => name.replaceAll(' ', '_')) : small.samples;
    expect(outcome.panel).toEqual({ ...small, samples: expected });
  });
});

describe.each(PAIR_FORMATS)('%s', (format) => {
  test.each([
    [1, 5, 40],
    [2, 8, 1030],
    [3, 33, 200],
  ])('written and read again has the same calls (seed %i, %i samples, %i markers)', async (seed, samples, markers) => {
    const letters = format === 'flapjack' ? ['A', 'C', 'G', 'T'] : ['A', 'C', 'G', 'T', 'ACT'];
    const small = randomPanel(seed, samples, markers, letters);
    const { chunks, ending } = writePanel(panelOf(small), format, 'panel');
    expect(ending).toBe('.zip');
    const outcome = await readFileOf(memorySource(await bytesOf(chunks), 'panel.zip'));
    expect(outcome.report.totals.errors).toBe(0);
    const names = format === 'plink_text' ? small.samples.map((name) => name.replaceAll(' ', '_')) : small.samples;
    expect(outcome.panel).toEqual(byCommonerAllele({ ...small, samples: names }, outcome.panel));
  });

  test('refuses a marker whose alleles have no names, before the first byte', () => {
    const small = randomPanel(1, 2, 2, ['A', 'C', 'G', 'T']);
    const unknown = { ...small, markers: small.markers.map((marker) => ({ ...marker, a1: '.', a2: '.' })) };
    expect(() => writePanel(panelOf(unknown), format, 'panel')).toThrow(/cannot tell apart .* marker m0/);
  });
});

/** What people and other programs call their lines and markers. */
const NAMES = [
  ...['Müller', 'x,y', 'a"b', 'a;b', "O'Neil", '系統 1', 'a/b', 'a\\b', 'A|B', 'x:y', '#1', 'naïve café'],
  ...['=SUM(A1)', '-1', '+5', '@cmd', "'=x", "''-1", '-', '–5', '0', '00012', '1e5', 'TRUE', 'NA', 'null', 'sample'],
];

const NAMING = ['vcf', 'hapmap', 'plink', 'plink_text', 'numeric', 'numeric_by_marker', 'long_dosages'] as const;

describe.each(NAMING)('%s', (format) => {
  test('gives names of every kind back', async () => {
    const small: SmallPanel = {
      samples: NAMES,
      markers: NAMES.map((name, j) => {
        const dosages = NAMES.map((_, i) => ((i + j) % 3 === 0 ? 0 : (i * j) % 3));
        return { id: name, chromosome: 'LG 1', positionBp: 10 + j, a1: 'A', a2: 'C'.repeat(1 + (j % 300)), dosages };
      }),
    };
    const { chunks, ending } = writePanel(panelOf(small), format, 'panel');
    const source = memorySource(await bytesOf(chunks), `panel${ending}`);
    const { panel, report } = await readFileOf(source, { numericCoding: '0/1/2' });
    expect(report.totals.errors, JSON.stringify(report.problems.slice(0, 3))).toBe(0);
    const written = (name: string) => (format.startsWith('plink') ? name.replaceAll(' ', '_') : name);
    expect(panel.samples).toEqual(NAMES.map(written));
    // HapMap and VCF have no other way to say that a marker has no id.
    const isNone = (name: string) => format === 'hapmap' && name === 'NA';
    const ids = panel.markers.map(({ id }) => id).filter((id) => !id.includes('@') || id === '@cmd');
    expect(ids).toEqual(NAMES.filter((name) => !isNone(name)).map(written));
  });
});

test('the maize panel goes from VCF into every format and back into a VCF with the same calls, names, order and positions', async () => {
  const vcf = await readFile(new URL('../../../../statgen/reference/maize-mdp/genotypes.vcf.gz', import.meta.url));
  const { panel: maize } = await readFileOf(memorySource(vcf, 'maize.vcf.gz'));
  const places = new Map(maize.markers.map(({ id, chromosome, positionBp }) => [id, { chromosome, positionBp }]));
  const original = await bytesOf(panelFiles(panelOf(maize), 'vcf')[0]!.chunks);
  for (const format of [...FORMATS, ...PAIR_FORMATS, 'numeric'] as const) {
    const { chunks, ending } = writePanel(panelOf(maize), format, 'maize');
    const source = memorySource(await bytesOf(chunks), `maize${ending}`);
    const { panel } = await readFileOf(source, format === 'numeric' ? { places } : {});
    const back = await bytesOf(panelFiles(panelOf(panel), 'vcf')[0]!.chunks);
    if ((FORMATS as readonly PanelFormat[]).includes(format)) {
      expect(back.equals(original), format).toBe(true);
      continue;
    }
    if (format === 'numeric') {
      // Samples in rows: the alleles have no place in it, the counts have.
      const nameless = maize.markers.map((marker) => ({
        ...marker,
        a1: panel.markers[0]!.a1,
        a2: panel.markers[0]!.a2,
      }));
      expect(panel).toEqual({ ...maize, markers: nameless });
      continue;
    }
    expect(panel, format).toEqual(byCommonerAllele(maize, panel));
  }
});

describe('numbers with samples in rows', () => {
  test('written and read again have the same calls, however much is kept at once', async () => {
    const small = randomPanel(7, 21, 50, ['A', 'C', 'G', 'T']);
    const places = new Map(small.markers.map(({ id, chromosome, positionBp }) => [id, { chromosome, positionBp }]));
    const atOnce = await bytesOf(writeNumericBySample(panelOf(small)));
    expect(await bytesOf(writeNumericBySample(panelOf(small), 120))).toEqual(atOnce);
    const { panel } = await readFileOf(memorySource(atOnce), { places });
    expect(panel.samples).toEqual(small.samples);
    expect(panel.markers.map(({ dosages }) => dosages)).toEqual(small.markers.map(({ dosages }) => dosages));
  });

  test('a name that a spreadsheet would run is written harmless', async () => {
    const small = { ...randomPanel(1, 2, 1, ['C', 'G']), samples: ['=1+1', 'B,73'] };
    const text = (await bytesOf(writeNumericBySample(panelOf(small)))).toString();
    expect(text).toContain("\n'=1+1,");
    expect(text).toContain('\n"B,73",');
  });
});

describe('letters and one dosage a row', () => {
  test.each([
    [1, 5, 40],
    [2, 3, 1030],
    [4, 1, 3],
  ])('written and read again are the same calls (seed %i, %i samples, %i markers)', async (seed, samples, markers) => {
    const small = randomPanel(seed, samples, markers, ['A', 'C', 'G', 'T']);
    const read = async (format: PanelFormat) => {
      const { chunks, ending } = writePanel(panelOf(small), format, 'panel');
      const outcome = await readFileOf(memorySource(await bytesOf(chunks), `panel${ending}`));
      expect(outcome.report.totals.errors, JSON.stringify(outcome.report.problems[0])).toBe(0);
      return outcome;
    };
    const letters = await read('letters');
    expect(letters).toMatchObject({ format: 'letter-matrix', panel: small });
    const long = await read('long_dosages');
    expect(long.format).toBe('long-dosages');
    expect(long.panel.samples).toEqual(small.samples);
    const callsOf = (panel: SmallPanel) => panel.markers.map(({ id, dosages }) => [id, dosages]);
    expect(callsOf(long.panel)).toEqual(callsOf(small));
  });

  test('letters refuse a marker whose alleles are no two letters, before the first byte', () => {
    const small = randomPanel(1, 2, 2, ['A', 'C', 'G', 'T']);
    for (const alleles of [
      { a1: 'A', a2: 'ACT' },
      { a1: 'A', a2: 'B' },
      { a1: '.', a2: '.' },
    ]) {
      const markers = small.markers.map((marker) => ({ ...marker, ...alleles }));
      expect(() => writePanel(panelOf({ ...small, markers }), 'letters', 'panel')).toThrow(
        /letters cannot tell apart .* marker m0/,
      );
    }
  });
});

test('HapMap refuses a marker whose alleles it cannot tell apart, before the first byte', () => {
  const small = randomPanel(1, 2, 2, ['A', 'C', 'G', 'T']);
  const unknown = { ...small, markers: small.markers.map((marker) => ({ ...marker, a2: '.' })) };
  expect(() => writePanel(panelOf(unknown), 'hapmap', 'panel')).toThrow(/HapMap has no letters for the marker m0/);
});

test('an exported PLINK trio opens as a panel', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'heterosis-export-'));
  try {
    const small = randomPanel(5, 6, 9, ['A', 'C', 'G', 'T']);
    const { unzipSync } = await import('fflate');
    const files = unzipSync(await bytesOf(writePanel(panelOf(small), 'plink', 'panel').chunks));
    expect(Object.keys(files)).toEqual(['panel.bed', 'panel.bim', 'panel.fam']);
    for (const [name, bytes] of Object.entries(files)) await writeFile(join(directory, name), bytes);
    const open = (extension: string) => openFileSource(join(directory, `panel.${extension}`));
    const panel = await openPlinkPanel({ bed: await open('bed'), bim: await open('bim'), fam: await open('fam') });
    expect(await panel.readPacked(0, 9)).toEqual(await panelOf(small).readPacked(0, 9));
    await panel.close();
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
