import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { memorySource, openFileSource } from '../../byte-source.ts';
import { readFileOf, type SmallPanel } from '../genotype-file.test-data.ts';
import type { GenotypePanel } from '../genotype-panel.ts';
import { openPlinkPanel } from '../plink-panel.ts';
import { createRandomStream } from '../random.test-data.ts';
import { writeNumericBySample } from './write-numeric.ts';
import { type PanelFormat, writePanel } from './write-panel.ts';

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

const FORMATS: readonly PanelFormat[] = ['vcf', 'hapmap', 'plink', 'numeric_by_marker'];

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
    expect(await panel.readPacked(0, 9)).toEqual(Buffer.from(await panelOf(small).readPacked(0, 9)));
    await panel.close();
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
