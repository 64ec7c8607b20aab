import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { openFileSource } from '@heterosis/file-formats/byte-source';
import { blocksOf } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CONTEXT, type ImportedPanel, importText, maizeVcf, mapMarkers, swapAlleles } from '../maize.test-data.ts';
import { exportGenotype } from './export-genotype.ts';
import { importGenotype } from './import-genotype.ts';
import { structureMarkers } from './panel-structure.ts';
import { plainInbreeding, plainKinship, plainMarkers, plainPanel } from './plain-quality.test-data.ts';
import { type GenotypeQc, qcGenotype, qualityOfPanel } from './qc-genotype.ts';
import { markerTable, sampleTable } from './quality-tables.ts';

/** Tolerance for sums of the same products in another order. */
const ROUNDING = 1e-9;

let maize: ImportedPanel;
let qc: GenotypeQc;
beforeAll(async () => {
  maize = await importText(maizeVcf());
  qc = await qcGenotype({ panel: maize.blocks }, CONTEXT);
});
afterAll(() => maize[Symbol.asyncDispose]());

async function qcOf(vcf: string): Promise<GenotypeQc> {
  await using imported = await importText(vcf);
  return await qcGenotype({ panel: imported.blocks }, CONTEXT);
}

async function text(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts).toString();
}

/** The rows of a CSV as objects; no cell of these tables holds a comma. */
function rowsOf(csv: string): Record<string, string>[] {
  const [head, ...rows] = csv
    .trimEnd()
    .split('\n')
    .map((line) => line.split(','));
  return rows.map((row) => Object.fromEntries(row.map((cell, k) => [head[k], cell])));
}

/** Asserts equal components of two panels: the same shares, and coordinates by name up to the sign of an axis. */
function expectSameComponents(found: GenotypeQc, expected: GenotypeQc): void {
  const [a, b] = [found.pca, expected.pca];
  if (a === null || b === null) throw new Error('no components');
  expect([a.markers, a.of_markers, a.is_approximate]).toEqual([b.markers, b.of_markers, b.is_approximate]);
  const other = new Map(a.points.map(({ name, pc }) => [name, pc]));
  for (let axis = 0; axis < b.shares.length; axis++) {
    expect(Math.abs(a.shares[axis] / b.shares[axis] - 1)).toBeLessThan(ROUNDING);
    expect(Math.abs(a.eigenvalues[axis] / b.eigenvalues[axis] - 1)).toBeLessThan(ROUNDING);
    const largest = Math.max(...b.points.map(({ pc }) => Math.abs(pc[axis])));
    const difference = (sign: number): number =>
      Math.max(...b.points.map(({ name, pc }) => Math.abs(sign * (other.get(name)?.[axis] ?? Number.NaN) - pc[axis])));
    expect(Math.min(difference(1), difference(-1)) / largest).toBeLessThan(1e-7);
  }
}

/** Everything except components and heat map, which depend on rounding. */
function figuresOf(one: GenotypeQc): unknown {
  const { pca: _, kinship: __, mean_inbreeding, mean_individual_heterozygosity, samples_table, ...rest } = one;
  const digits = (value: number | null): number | null => (value === null ? null : Number(value.toPrecision(9)));
  const rows = samples_table.map((row) => ({ ...row, inbreeding: digits(row.inbreeding) }));
  const means = [digits(mean_inbreeding), digits(mean_individual_heterozygosity)];
  return { ...rest, means, samples_table: rows };
}

const byName = (one: { name: string }, other: { name: string }): number => (one.name < other.name ? -1 : 1);
const pairNames = ({ duplicates }: GenotypeQc): string[] =>
  duplicates.map(({ first, second, identity }) => `${[first, second].sort().join(' ')} ${identity}`).sort();

describe('figures by their definitions', () => {
  const plain = plainPanel(maizeVcf());
  const markers = plainMarkers(plain);

  test('calls, heterozygotes and inbreeding', () => {
    const called = markers.reduce((sum, marker) => sum + marker.called, 0);
    const heterozygous = markers.reduce((sum, marker) => sum + marker.heterozygotes, 0);
    expect(qc.heterozygous_share).toBeCloseTo(heterozygous / called, 14);
    const shares = plain.dosages.map(
      (row) => row.filter((dosage) => dosage === 1).length / row.filter((dosage) => dosage >= 0).length,
    );
    expect(qc.mean_individual_heterozygosity).toBeCloseTo(shares.reduce((a, b) => a + b, 0) / 281, 14);
    expect(qc.mean_individual_heterozygosity).not.toBeCloseTo(qc.heterozygous_share, 5);
    for (const [i, f] of plainInbreeding(plain).entries()) expect(qc.samples_table[i].inbreeding).toBeCloseTo(f, 11);
    expect(qc.hwe).toMatchObject({ tested: 2907, is_inbred_panel: true });
    expect(qc.hwe.fewer_heterozygotes + qc.hwe.more_heterozygotes).toBe(qc.hwe.below_1e_6);
  });

  test('components are eigenvectors of the kinship of all markers', () => {
    const kinship = plainKinship(plain);
    const { pca } = qc;
    if (pca === null) throw new Error('no components');
    expect(pca).toMatchObject({ markers: 2386, of_markers: 2386, is_approximate: false });
    const trace = kinship.reduce((sum, row, i) => sum + row[i], 0);
    for (let axis = 0; axis < 5; axis++) {
      const v = pca.points.map(({ pc }) => pc[axis] / Math.sqrt(pca.eigenvalues[axis]));
      expect(v.reduce((sum, value) => sum + value * value, 0)).toBeCloseTo(1, 11);
      for (const [i, row] of kinship.entries()) {
        const applied = row.reduce((sum, value, j) => sum + value * v[j], 0);
        expect(Math.abs(applied - pca.eigenvalues[axis] * v[i])).toBeLessThan(1e-10);
      }
      expect(pca.shares[axis]).toBeCloseTo(pca.eigenvalues[axis] / trace, 13);
    }
    expect(qc.kinship?.names).toHaveLength(281);
    const place = new Map(plain.samples.map((name, i) => [name, i]));
    for (const [k, value] of (qc.kinship?.values ?? []).entries()) {
      const [a, b] = [Math.floor(k / 281), k % 281].map((at) => place.get(qc.kinship?.names[at] ?? '') ?? -1);
      expect(Math.abs(value - kinship[a][b])).toBeLessThan(5.1e-5);
    }
  });

  test('the tables hold a row a marker and a sample, with the same numbers', async () => {
    const quality = await qualityOfPanel({ panel: maize.blocks }, CONTEXT);
    const rows = rowsOf(await text(markerTable(maize.blocks, quality.stats, null)));
    expect(rows).toHaveLength(3093);
    for (const [j, row] of rows.entries()) {
      const { called, heterozygotes, frequencyA2 } = markers[j];
      expect(row).toMatchObject({ id: plain.markers[j].id, chr: plain.markers[j].chromosome, n: String(called) });
      expect(Number(row['freqA2'])).toBeCloseTo(frequencyA2, 14);
      expect(Number(row['maf'])).toBeCloseTo(Math.min(frequencyA2, 1 - frequencyA2), 14);
      expect(Number(row['het'])).toBeCloseTo(heterozygotes / called, 14);
      expect(Number(row['n_A1A1']) + Number(row['n_A1A2']) + Number(row['n_A2A2'])).toBe(called);
      expect(Number(row['hwe_p'])).toBeCloseTo(10 ** -Number(row['hwe_neg_log10_p']), 12);
    }
    const samples = rowsOf(await text(sampleTable(maize.blocks, quality)));
    for (const [i, row] of qc.samples_table.entries()) {
      expect(samples[i]).toMatchObject({ id: row.name, call_rate: String(row.call_rate), F: String(row.inbreeding) });
    }
  });

  test('pairs of LD are all those of a small panel on the same chromosome', () => {
    const counts = new Map<string, number>();
    for (const [j, { called, frequencyA2: p }] of markers.entries()) {
      if (called / 281 < 0.9 || Math.min(p, 1 - p) < 0.05) continue;
      const { chromosome } = plain.markers[j];
      counts.set(chromosome, (counts.get(chromosome) ?? 0) + 1);
    }
    const pairs = [...counts.values()].reduce((sum, count) => sum + (count * (count - 1)) / 2, 0);
    expect(qc.ld_decay).toMatchObject({ unit: 'bp', markers: 2386, of_markers: 2386, of_pairs: pairs });
    const { bins = [], mean, fit, chromosomes } = qc.ld_decay ?? {};
    expect(bins[0]?.r2).toBeGreaterThan(0.3);
    expect(bins.at(-1)?.r2).toBeLessThan(0.02);
    // Diverse maize: LD decays within a few kilobases (Remington et al. 2001).
    expect(mean?.r2_02_distance).toBeGreaterThan(300);
    expect(mean?.r2_02_distance).toBeLessThan(10_000);
    expect(fit?.r2_02_distance).toBeLessThan(10_000);
    expect(chromosomes?.map(({ name }) => name)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']);
  });
});

describe('what must not matter', () => {
  test('the order of individuals', async () => {
    const columns = (line: string): string => {
      const cells = line.split('\t');
      return [...cells.slice(0, 9), ...cells.slice(9).toReversed()].join('\t');
    };
    const turned = await qcOf(
      maizeVcf()
        .split('\n')
        .map((line) => (line.startsWith('##') || line === '' ? line : columns(line)))
        .join('\n'),
    );
    expectSameComponents(turned, qc);
    expect(pairNames(turned)).toEqual(pairNames(qc));
    const sorted = (one: GenotypeQc): unknown =>
      figuresOf({ ...one, samples_table: one.samples_table.toSorted(byName), duplicates: [] });
    expect(sorted(turned)).toEqual(sorted(qc));
  });

  test('the order of markers', async () => {
    const lines = maizeVcf().trimEnd().split('\n');
    const head = lines.filter((line) => line.startsWith('#'));
    const rows = lines.filter((line) => !line.startsWith('#'));
    const turned = await qcOf([...head, ...rows.toReversed(), ''].join('\n'));
    expectSameComponents(turned, qc);
    // Two markers at one position may swap, and so change which pairs of LD are sampled.
    expect(figuresOf({ ...turned, ld_decay: null })).toEqual(figuresOf({ ...qc, ld_decay: null }));
  });

  test('which allele is called the reference', async () => {
    await using exchanged = await importText(swapAlleles(maizeVcf()));
    const quality = await qualityOfPanel({ panel: exchanged.blocks }, CONTEXT);
    expectSameComponents(quality.qc, qc);
    expect(figuresOf(quality.qc)).toEqual(figuresOf(qc));
    const [before, after] = await Promise.all(
      [maize, exchanged].map(async ({ blocks }) => {
        const { stats } = await qualityOfPanel({ panel: blocks }, CONTEXT);
        return rowsOf(await text(markerTable(blocks, stats, null)));
      }),
    );
    for (const [j, row] of before.entries()) {
      expect(Number(after[j]['freqA2'])).toBeCloseTo(1 - Number(row['freqA2']), 14);
      expect(Number(after[j]['maf'])).toBeCloseTo(Number(row['maf']), 14);
      for (const column of ['call_rate', 'het', 'hwe_p', 'hwe_neg_log10_p', 'n', 'n_A1A2']) {
        expect(after[j][column]).toBe(row[column]);
      }
      expect([after[j]['n_A1A1'], after[j]['n_A2A2']]).toEqual([row['n_A2A2'], row['n_A1A1']]);
    }
  });

  test('what chromosomes are called', async () => {
    const renamed = await qcOf(mapMarkers(maizeVcf(), ([chr, ...rest]) => [`chr${chr}H`, ...rest]));
    expectSameComponents(renamed, qc);
    const without = (name: string): string => name.replace(/^chr(\d+)H$/, '$1');
    const restored = {
      ...renamed,
      contigs: renamed.contigs.map((contig) => ({ ...contig, name: without(contig.name) })),
      ld_decay: renamed.ld_decay && {
        ...renamed.ld_decay,
        chromosomes: renamed.ld_decay.chromosomes.map((curve) => ({ ...curve, name: without(curve.name) })),
      },
    };
    expect(figuresOf(restored)).toEqual(figuresOf(qc));
  });

  test('a monomorphic marker changes the counts of calls and nothing else', async () => {
    const constant = [
      '10',
      '149600000',
      'constant',
      'A',
      'C',
      '.',
      'PASS',
      '.',
      'GT',
      ...Array<string>(281).fill('1/1'),
    ];
    const more = await qcOf(`${maizeVcf().trimEnd()}\n${constant.join('\t')}\n`);
    expect(more.markers).toBe(qc.markers + 1);
    expectSameComponents(more, qc);
    expect(more.ld_decay).toEqual(qc.ld_decay);
    expect(more.duplicates).toEqual(qc.duplicates);
    expect(more.hwe).toEqual(qc.hwe);
    expect(more.markers_after_default_qc).toBe(qc.markers_after_default_qc);
    for (const [i, row] of more.samples_table.entries()) {
      expect(row.inbreeding).toBeCloseTo(qc.samples_table[i].inbreeding ?? Number.NaN, 10);
    }
  });

  test('a marker that stands twice counts twice, and hardly moves what rests on all markers', async () => {
    let last: string[] = [];
    mapMarkers(maizeVcf(), (fields) => {
      last = fields;
      return fields;
    });
    const again = [last[0], String(Number(last[1]) + 1), 'again', ...last.slice(3)];
    const more = await qcOf(`${maizeVcf().trimEnd()}\n${again.join('\t')}\n`);
    expect([more.markers, more.hwe.tested]).toEqual([qc.markers + 1, qc.hwe.tested + 1]);
    expect(more.duplicates.map(({ first, second }) => [first, second])).toEqual(
      qc.duplicates.map(({ first, second }) => [first, second]),
    );
    for (const [i, row] of more.samples_table.entries()) {
      expect(Math.abs((row.inbreeding ?? Number.NaN) - (qc.samples_table[i].inbreeding ?? Number.NaN))).toBeLessThan(
        2e-3,
      );
    }
  });

  test('in which format the same calls are written', async () => {
    const folder = join(maize.prefix, '..');
    for (const [format, name] of [
      ['vcf', 'again.vcf.gz'],
      ['hapmap', 'again.hmp.txt'],
      ['plink_text', 'again.zip'],
      ['numeric', 'again.csv'],
    ] as const) {
      const outPath = join(folder, name);
      await exportGenotype({ panel: maize.panel, format, outPath }, CONTEXT);
      const source = await openFileSource(outPath);
      const outPrefix = join(folder, `from-${format}`);
      const input = { source, outPrefix, duplicatePositions: 'keep' } as const;
      const coding = format === 'numeric' ? { numericCoding: '0/1/2' as const } : {};
      const imported = await importGenotype({ ...input, ...coding }, CONTEXT);
      await source.close();
      if (imported.qc === null) throw new Error(imported.report.problems.map(({ message }) => message).join('; '));
      expectSameComponents(imported.qc, qc);
      // A matrix of numbers has no positions, and ours has no phase.
      const comparable = (one: GenotypeQc): unknown =>
        figuresOf({ ...one, phased: false, ...(format === 'numeric' ? { contigs: [], ld_decay: null } : {}) });
      expect(comparable(imported.qc), format).toEqual(comparable(qc));
      if (format === 'numeric') expect(imported.qc.ld_decay).toBeNull();
    }
  });
});

test('a panel in memory and one read by blocks say the same', async () => {
  expect(await qcGenotype({ panel: blocksOf(maize.panel) }, CONTEXT)).toEqual(qc);
});

test('all markers are used up to the stated work, and at least 2,500 beyond', () => {
  expect(structureMarkers(1000, 50_000)).toBe(50_000);
  expect(structureMarkers(1000, 50_001)).toBe(5_000);
  expect(structureMarkers(5000, 5_000)).toBe(5_000);
  expect(structureMarkers(300, 555_000)).toBe(555_000);
  expect(structureMarkers(10_000, 100_000)).toBe(2_500);
  expect(structureMarkers(10_000, 2_000)).toBe(2_000);
});

const hasPlink2 = (process.env['PATH'] ?? '').split(delimiter).some((path) => existsSync(join(path, 'plink2')));

describe.skipIf(!hasPlink2)(`PLINK 2${hasPlink2 ? '' : ' (not installed)'}`, () => {
  const run = (...args: string[]): string => {
    const out = join(maize.prefix, '..', 'plink2');
    const { status, stderr } = spawnSync('plink2', [...args, '--threads', '1', '--out', out], { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    return out;
  };
  const tableOf = (path: string): Record<string, string>[] => rowsOf(readFileSync(path, 'utf8').replaceAll('\t', ','));

  test('HWE, F and principal components are those of PLINK 2', async () => {
    const vcf = join(maize.prefix, '..', 'for-plink2.vcf');
    await exportGenotype({ panel: maize.panel, format: 'vcf', outPath: vcf }, CONTEXT);
    const { stats } = await qualityOfPanel({ panel: maize.blocks }, CONTEXT);
    const markers = rowsOf(await text(markerTable(maize.blocks, stats, null)));
    const out = run('--vcf', vcf, '--hardy', '--het');
    const hardy = tableOf(`${out}.hardy`);
    expect(hardy).toHaveLength(3093);
    for (const [j, row] of hardy.entries()) {
      expect(row['ID']).toBe(markers[j]['id']);
      // The reference prints six digits.
      expect(Math.abs(Number(row['P']) - Number(markers[j]['hwe_p']))).toBeLessThan(1e-5 * Number(row['P']) + 1e-300);
    }
    for (const [i, row] of tableOf(`${out}.het`).entries()) {
      expect(Number(row['F'])).toBeCloseTo(qc.samples_table[i].inbreeding ?? Number.NaN, 5);
    }
    // Without meanimpute PLINK divides each entry of the kinship by the markers called in both individuals.
    run('--vcf', vcf, '--maf', '0.05', '--geno', '0.1', '--pca', '5', 'meanimpute');
    const values = readFileSync(`${out}.eigenval`, 'utf8').trim().split('\n').map(Number);
    // PLINK divides by m, ours by m − 1.
    for (const [axis, value] of values.entries()) {
      expect((qc.pca?.eigenvalues[axis] ?? 0) * (2385 / 2386)).toBeCloseTo(value, 3);
    }
    const vectors = tableOf(`${out}.eigenvec`);
    for (let axis = 0; axis < 5; axis++) {
      const scale = Math.sqrt(qc.pca?.eigenvalues[axis] ?? 0);
      const agreement = vectors.reduce(
        (sum, row, i) => sum + Number(row[`PC${axis + 1}`]) * ((qc.pca?.points[i].pc[axis] ?? 0) / scale),
        0,
      );
      expect(Math.abs(agreement)).toBeCloseTo(1, 4);
    }
  });
});
