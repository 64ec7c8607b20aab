import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openFileSource } from '../../byte-source.ts';
import { BED_MAGIC, packedLength } from './packed-calls.ts';
import { openPlinkBlocks } from './plink-blocks.ts';
import { openPlinkPanel, type PlinkSources } from './plink-panel.ts';

const INDIVIDUALS = 100_000;
const MARKERS = 180_000;
const ROW = packedLength(INDIVIDUALS);
const placeOf = (marker: number): number => BED_MAGIC.length + marker * ROW;

/** The marker whose bytes hold the byte at 2³², and others around it and around 2³¹. */
const ACROSS = Math.floor((2 ** 32 - BED_MAGIC.length) / ROW);
const WRITTEN = [0, Math.floor((2 ** 31 - BED_MAGIC.length) / ROW), ACROSS - 1, ACROSS, ACROSS + 1, MARKERS - 1];

/** A row that no other marker has. */
const rowOf = (marker: number): Uint8Array =>
  Uint8Array.from({ length: ROW }, (_, k) => (marker * 7 + k * 31 + (k >> 8)) & 255);

let folder: string;
/** A .bed of more than 4 GB: a hole in a file takes no room on the disk and reads as 00, two copies of A1. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'large-bed-'));
  const bed = await open(join(folder, 'x.bed'), 'w');
  await bed.write(BED_MAGIC);
  for (const marker of WRITTEN) await bed.write(rowOf(marker), 0, ROW, placeOf(marker));
  await bed.truncate(placeOf(MARKERS));
  await bed.close();
  const lines = (count: number, lineOf: (k: number) => string): string =>
    Array.from({ length: count }, (_, k) => `${lineOf(k)}\n`).join('');
  await writeFile(
    join(folder, 'x.bim'),
    lines(MARKERS, (j) => `1\tm${j}\t0\t${j + 1}\tA\tG`),
  );
  await writeFile(
    join(folder, 'x.fam'),
    lines(INDIVIDUALS, (i) => `f i${i} 0 0 0 -9`),
  );
});
afterAll(() => rm(folder, { recursive: true }));

async function sources(): Promise<PlinkSources> {
  const [bed, bim, fam] = await Promise.all(
    ['bed', 'bim', 'fam'].map((end) => openFileSource(join(folder, `x.${end}`))),
  );
  if (bed === undefined || bim === undefined || fam === undefined) throw new TypeError('three files');
  return { bed, bim, fam };
}

test('calls beyond 4 GB are those of their marker, and holes between them are empty rows', async () => {
  const panel = await openPlinkPanel(await sources(), 'ref-first');
  const blocks = await openPlinkBlocks(await sources(), { order: 'ref-first' });
  expect(placeOf(ACROSS)).toBeLessThan(2 ** 32);
  expect(placeOf(ACROSS + 1)).toBeGreaterThan(2 ** 32);
  for (const reader of [panel, blocks]) {
    for (const marker of WRITTEN) {
      expect(Buffer.compare(await reader.readPacked(marker, 1), rowOf(marker)), `marker ${marker}`).toBe(0);
    }
    const around = await reader.readPacked(ACROSS - 2, 5);
    const expected = [new Uint8Array(ROW), rowOf(ACROSS - 1), rowOf(ACROSS), rowOf(ACROSS + 1), new Uint8Array(ROW)];
    expect(Buffer.compare(around, Buffer.concat(expected))).toBe(0);
    expect(
      Buffer.compare(await reader.readPacked(MARKERS - 2, 2), Buffer.concat([new Uint8Array(ROW), rowOf(MARKERS - 1)])),
    ).toBe(0);
  }
  expect((await blocks.readMarkers(MARKERS - 1, 1)).id).toEqual([`m${MARKERS - 1}`]);
  await panel.close();
  await blocks.close();
});

test('alleles of a file of PLINK are exchanged beyond 4 GB too', async () => {
  const panel = await openPlinkPanel(await sources());
  const exchanged = [3, 1, 2, 0];
  const expected = rowOf(MARKERS - 1).map((byte) =>
    [0, 2, 4, 6].reduce((sum, shift) => sum | ((exchanged[(byte >> shift) & 3] ?? 0) << shift), 0),
  );
  expect(Buffer.compare(await panel.readPacked(MARKERS - 1, 1), expected)).toBe(0);
  await panel.close();
});
