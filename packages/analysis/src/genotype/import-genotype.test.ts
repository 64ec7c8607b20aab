import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memorySource } from '@heterosis/file-formats/byte-source';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FileRefused, openGenotype } from '../inputs/open-genotype.ts';
import { openPanelBlocks } from '../inputs/open-panel.ts';
import { CONTEXT, maizeVcf, mapMarkers } from '../maize.test-data.ts';
import { importGenotype } from './import-genotype.ts';
import { qcGenotype } from './qc-genotype.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heterosis-import-test-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const sourceOf = (text: string) => memorySource(Buffer.from(text), 'test.vcf');

test('writes the panel, its lists and figures that add up', async () => {
  const imported = await importGenotype({ source: sourceOf(maizeVcf()), outPrefix: join(folder, 'maize') }, CONTEXT);
  expect((await readdir(folder)).sort()).toEqual(
    ['bed', 'bim', 'contigs.csv', 'fam', 'linkmaptemp.csv', 'qc.json', 'samples.csv', 'snpids.csv'].map(
      (ext) => `maize.${ext}`,
    ),
  );
  const { qc } = imported;
  expect(JSON.parse(await readFile(join(folder, 'maize.qc.json'), 'utf8'))).toEqual(qc);
  const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);
  expect(qc).toMatchObject({ samples: 281, markers: 3093, phased: false, markers_after_default_qc: 2386 });
  // 3.9 % missing and 1.2 % heterozygous calls, according to the data set's description.
  expect(qc!.missing_share).toBeCloseTo(0.039, 3);
  expect(sum(qc!.marker_maf.counts)).toBe(3093);
  expect(sum(qc!.sample_call_rate.counts)).toBe(281);
  expect(qc!.contigs.map(({ name }) => name)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']);
  for (const contig of qc!.contigs) expect(sum(contig.density)).toBe(contig.markers);
  // All 2,907 polymorphic markers, counted independently: 27 of 2,840 and 17 of 2,748 calls in both differ.
  expect(qc!.duplicates).toEqual([
    { first: 'NC336', second: 'NC352', identity: 1 - 27 / 2840 },
    { first: 'NC362', second: 'NC364', identity: 1 - 17 / 2748 },
  ]);
  expect(qc!.duplicate_search).toEqual({ pairs: 2, markers: 2907, unverified: 0, skipped: null });
  expect(qc!.pca!.shares).toHaveLength(5);
  expect([...qc!.pca!.shares].sort((a, b) => b - a)).toEqual(qc!.pca!.shares);
  expect(qc!.kinship!.values).toHaveLength(281 * 281);
  expect(new Set(qc!.kinship!.names).size).toBe(281);

  // The reader's counts equal a recount of the calls.
  const panel = await openPanelBlocks(join(folder, 'maize'));
  expect(await qcGenotype({ panel }, CONTEXT)).toEqual(qc);
  await panel.close();
});

test('a file with errors leaves nothing behind, and an abort neither', async () => {
  const bad = mapMarkers(maizeVcf(), (fields, marker) => (marker === 2000 ? fields.with(20, '0/9') : fields));
  const refused = await importGenotype({ source: sourceOf(bad), outPrefix: join(folder, 'bad') }, CONTEXT);
  expect(refused).toMatchObject({ panel: null, qc: null, files: [] });
  expect(refused.report.totals.byCode['E-GT-BAD-CALL']).toBe(1);
  expect(await readdir(folder)).toEqual([]);

  const controller = new AbortController();
  const stopped = importGenotype(
    { source: sourceOf(maizeVcf()), outPrefix: join(folder, 'stopped') },
    {
      threads: 1,
      signal: controller.signal,
      onProgress: ({ stage }) => {
        if (stage === 'kinship') controller.abort(new Error('cancelled'));
      },
    },
  );
  await expect(stopped).rejects.toThrow('cancelled');
  expect(await readdir(folder)).toEqual([]);
});

test('a file in another format than the one asked for is refused', async () => {
  const input = { source: sourceOf(maizeVcf()), outPrefix: join(folder, 'x') };
  const refused = await importGenotype({ ...input, format: 'hapmap' }, CONTEXT);
  expect(refused.report.totals.byCode).toEqual({ 'E-TYPE': 1 });
  expect(refused).toMatchObject({ format: 'vcf', panel: null, files: [] });
  expect(await readdir(folder)).toEqual([]);
  // An earlier import of the same name is kept.
  expect((await importGenotype({ ...input, format: 'vcf' }, CONTEXT)).panel?.samples).toBe(281);
  const before = await readdir(folder);
  expect(before).toContain('x.bed');
  await importGenotype({ ...input, format: 'plink-binary' }, CONTEXT);
  expect(await readdir(folder)).toEqual(before);
  await Promise.all(before.map((name) => rm(join(folder, name))));
});

test('a genotype opens by its PLINK prefix or from its own file, and a missing one gives the error of the system', async () => {
  await importGenotype({ source: sourceOf(maizeVcf()), outPrefix: join(folder, 'maize') }, CONTEXT);
  for (const path of [join(folder, 'maize'), join(folder, 'maize.bed')]) {
    const opened = await openGenotype(path, CONTEXT);
    expect(opened.panel.samples).toHaveLength(281);
    await opened.close();
  }
  await expect(openGenotype(join(folder, 'nothing'), CONTEXT)).rejects.toMatchObject({ code: 'ENOENT' });
  await expect(openGenotype(join(folder, 'maize.samples.csv'), CONTEXT)).rejects.toBeInstanceOf(FileRefused);
});

test('two rows of one variant stop an import unless both are asked for, and never an analysis', async () => {
  const head = ['##fileformat=VCFv4.2', '#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\tL1\tL2\tL3'];
  const row = (id: string, calls: string): string => `1\t50\t${id}\tA\tC\t.\t.\t.\tGT\t${calls}`;
  const text = [...head, row('probe1', '0/0\t0/1\t1/1'), row('probe2', '0/0\t1/1\t1/1'), ''].join('\n');
  const input = { source: sourceOf(text), outPrefix: join(folder, 'probes'), withQc: false };
  const refused = await importGenotype(input, CONTEXT);
  expect(refused.panel).toBeNull();
  expect(refused.report.problems.map(({ code }) => code)).toContain('E-GT-DUP-POS');
  const kept = await importGenotype({ ...input, duplicatePositions: 'keep' }, CONTEXT);
  expect(kept.panel?.markers).toBe(2);
  await writeFile(join(folder, 'probes.vcf'), text);
  const opened = await openGenotype(join(folder, 'probes.vcf'), CONTEXT);
  expect(opened.panel.markers.id).toEqual(['probe1', 'probe2']);
  expect(opened.problems.map(({ code }) => code)).toContain('W-GT-DUP-POS');
  await opened.close();
});
