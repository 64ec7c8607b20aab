import { expect, test } from 'vitest';
import { type ByteSource, memorySource } from '../../byte-source.ts';
import { createRandomStream } from '../random.test-data.ts';
import { findMarker } from './bim-index.ts';
import type { GenotypePanel } from './genotype-panel.ts';
import { BED_MAGIC } from './packed-calls.ts';
import { blocksOf, type PanelBlocks } from './panel-blocks.ts';
import { openPlinkBlocks } from './plink-blocks.ts';
import { openPlinkPanel, type PlinkSources } from './plink-panel.ts';

const FAM = Buffer.from('f a 0 0 0 -9\nf b 0 0 0 -9\n');

function sources(bim: string | Buffer, markers: number): PlinkSources {
  const bed = new Uint8Array(BED_MAGIC.length + markers);
  bed.set(BED_MAGIC);
  for (let j = 0; j < markers; j++) bed[BED_MAGIC.length + j] = j & 15;
  const bytes = typeof bim === 'string' ? Buffer.from(bim) : bim;
  return { bed: memorySource(bed, 'x.bed'), bim: memorySource(bytes, 'x.bim'), fam: memorySource(FAM, 'x.fam') };
}

async function expectSame(blocks: PanelBlocks, panel: GenotypePanel): Promise<void> {
  const { markers } = panel;
  const count = markers.id.length;
  expect(blocks.markerCount).toBe(count);
  expect(blocks.samples).toEqual(panel.samples);
  for (const [first, size] of [
    [0, count],
    [0, Math.min(1024, count)],
    [Math.floor(count / 2), Math.ceil(count / 2)],
    [Math.max(0, count - 1), 1],
    [Math.floor(count / 3), Math.min(5, count - Math.floor(count / 3))],
    [0, 0],
  ] as const) {
    expect(await blocks.readMarkers(first, size)).toEqual({
      id: markers.id.slice(first, first + size),
      chromosome: markers.chromosome.slice(first, first + size),
      positionBp: markers.positionBp.slice(first, first + size),
      a1: markers.a1.slice(first, first + size),
      a2: markers.a2.slice(first, first + size),
    });
    expect(await blocks.readPacked(first, size)).toEqual(await panel.readPacked(first, size));
  }
  expect(await blocks.chromosomeRuns()).toEqual(await blocksOf(panel).chromosomeRuns());
}

/**
 * Lines as programs write them: tabs or blanks, LF or CRLF, blank lines, negative and unknown positions, names with
 * blanks.
 */
function randomBim(seed: number, markers: number): string {
  const random = createRandomStream(seed);
  const lines: string[] = [];
  for (let j = 0; j < markers; j++) {
    const chromosome = ['1', '1', '2', 'chrUn_é'][Math.floor((4 * j) / markers)] as string;
    const position = random() < 0.02 ? -7 : random() < 0.02 ? 0 : Math.floor(1e8 * random());
    const id = random() < 0.1 ? `SNP ${j}` : `S${j}_${'x'.repeat(Math.floor(30 * random()))}`;
    const alleles = random() < 0.05 ? ['0', 'ACGTACGT'] : ['A', 'G'];
    const fields = [chromosome, id, '0', String(position), ...alleles];
    lines.push(id.includes(' ') || random() < 0.5 ? fields.join('\t') : ` ${fields.join('  ')}`);
    if (random() < 0.03) lines.push('');
  }
  return lines.map((line, j) => `${line}${(j * seed) % 5 === 0 ? '\r\n' : '\n'}`).join('');
}

test.each([1, 7, 1023, 1024, 1025, 40_000])('%i markers come by blocks as they do at once', async (markers) => {
  const bim = randomBim(markers + 1, markers);
  for (const [isTrusted, order] of [
    [false, 'alt-first'],
    [true, 'ref-first'],
  ] as const) {
    await expectSame(
      await openPlinkBlocks(sources(bim, markers), { order, isTrusted }),
      await openPlinkPanel(sources(bim, markers), order),
    );
  }
  const withoutEnd = bim.trimEnd();
  await expectSame(await openPlinkBlocks(sources(withoutEnd, markers)), await openPlinkPanel(sources(bim, markers)));
});

test('a line longer than what is read at once, and a chromosome that comes back', async () => {
  const long = 'A'.repeat(3 << 20);
  const bim = `1\ta\t0\t5\tA\tC\n2\tb\t0\t6\tA\t${long}\n1\tc\t0\t9\tA\tC\n1\td\t0\t7\tA\tC\n`;
  const blocks = await openPlinkBlocks(sources(bim, 4));
  await expectSame(blocks, await openPlinkPanel(sources(bim, 4)));
  expect(await blocks.chromosomeRuns()).toEqual([
    { chromosome: '1', first: 0, count: 1, firstBp: 5, lastBp: 5 },
    { chromosome: '2', first: 1, count: 1, firstBp: 6, lastBp: 6 },
    { chromosome: '1', first: 2, count: 2, firstBp: 7, lastBp: 9 },
  ]);
});

test.each([
  ['a line with too few fields', '1\ta\t0\t5\tA\tC\n\n1\tb\t0\t6\tA\n', 2],
  ['a line with too many fields', '1\ta\t0\t5\tA\tC\n1\tb\t0\t6\tA\tC\tG\n', 2],
  ['a position that is no number', '1\ta\t0\t5\tA\tC\n1\tb\t0\t6x\tA\tC\n', 2],
  ['more lines than the .bed has markers', '1\ta\t0\t5\tA\tC\n1\tb\t0\t6\tA\tC\n', 1],
  ['fewer lines than the .bed has markers', '1\ta\t0\t5\tA\tC\n', 2],
  ['no line at all', '', 1],
])('%s is refused in the same words', async (_, bim, markers) => {
  const refusal = await openPlinkPanel(sources(bim, markers)).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ problem: { code: 'E-GT-TRIO' } });
  await expect(openPlinkBlocks(sources(bim, markers))).rejects.toEqual(refusal);
});

test('the .bim of a trusted set is read only when its markers are asked for', async () => {
  const { bed, bim, fam } = sources('1\ta\t0\t5\tA\tC\n1\tb\t0\t6\tA\tC\n', 2);
  let reads = 0;
  const counted: ByteSource = {
    ...bim,
    read: (offset, length) => {
      reads++;
      return bim.read(offset, length);
    },
  };
  const blocks = await openPlinkBlocks({ bed, bim: counted, fam }, { isTrusted: true });
  expect(blocks.markerCount).toBe(2);
  await blocks.readPacked(0, 2);
  expect(reads).toBe(0);
  expect((await blocks.readMarkers(1, 1)).id).toEqual(['b']);
  expect(reads).toBe(2);
});

test.each([
  ['1\tm\t0\t5\tA\tA', true],
  ['1 m 0 5 A A', true],
  ['1\tm\t0\t5\tacG\tACG', true],
  ['1\tm\t0\t5\tA\tA\r', true],
  ['1\tm\t0\t5\tAC\tA', false],
  ['1\tm\t0\t5\tA\tAC', false],
  ['1\tm\t0\t5\t0\t0', false],
])('a line with the alleles of %j is refused: %s', async (line, isRefused) => {
  const bim = `1\tfirst\t0\t4\tA\tC\n${line}\n`;
  for (const open of [openPlinkBlocks, openPlinkPanel]) {
    const opened = open(sources(bim, 2));
    if (isRefused) await expect(opened).rejects.toMatchObject({ problem: { code: 'E-GT-SAME-ALLELES', line: 2 } });
    else expect((await opened).samples).toEqual(['a', 'b']);
  }
  // What was stored before this was checked can still be read.
  await openPlinkPanel(sources(bim, 2), 'ref-first');
});

test('a marker is found by its name, reading no further than its line', async () => {
  const markers = 60_000;
  // Names that are also chromosomes, alleles, positions, and parts of others.
  const names = Array.from({ length: markers }, (_, j) => ['0', 'A', '1', `${j}`, `S${j}`, `S${j}_x`][j % 6] + `.${j}`);
  names[2] = '0';
  names[59_998] = '7';
  const lines = names.map((id, j) => `${j % 7}\t${id}\t0\t${j}\tA\tG`);
  lines[50_000] = `3\tlong\t0\t1\tA\t${'G'.repeat(3 << 20)}`;
  let furthest = 0;
  const whole = memorySource(Buffer.from(lines.join('\n')), 'x.bim');
  const bim: ByteSource = {
    ...whole,
    read: (offset, length) => {
      furthest = Math.max(furthest, offset + length);
      return whole.read(offset, length);
    },
  };
  for (const place of [0, 2, 5, 41_000, 49_999, 50_001, 59_998, markers - 1])
    expect(await findMarker(bim, names[place] ?? '')).toEqual({ line: lines[place], place });
  expect((await findMarker(bim, 'long'))?.place).toBe(50_000);
  expect(await findMarker(bim, 'S4')).toBeNull();
  furthest = 0;
  expect((await findMarker(bim, '0'))?.place).toBe(2);
  expect(furthest).toBeLessThan(whole.size / 4);
});
