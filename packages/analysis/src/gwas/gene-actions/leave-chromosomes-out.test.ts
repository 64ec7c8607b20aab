import { createGeneActionTester } from '@heterosis/statgen/association/gene-actions/test-gene-actions';
import { createMatrix, matrixOf } from '@heterosis/statgen/linear-algebra';
import { expect, test } from 'vitest';
import { POLYPLOIDS, sim4x, sim4xText } from '../../genotype/polyploid.test-data.ts';
import { openGenotypeBlocks } from '../../inputs/open-genotype.ts';
import { openPhenotype } from '../../inputs/read-phenotype.ts';
import { estimateGeneActionScan, scanGeneActions } from './scan-gene-actions.ts';

const rowsOf = (text: string): string[][] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.split(','));

test('the markers of a chromosome are tested with the kinship of all others', { tags: 'whole' }, async () => {
  const panel = await openGenotypeBlocks(sim4x('sim4x.vcf.gz'), POLYPLOIDS);
  const { table: phenotype } = await openPhenotype(sim4x('phenotypes.csv'), POLYPLOIDS);
  const input = {
    ...{ panel: panel.panel, phenotype, trait: 'y', covariates: [], fixed: 0, maf: 0, callRate: 0 },
    ...{ actions: ['additive', 'general'] as const, leaveOneChromosomeOut: true },
  };
  const scan = await scanGeneActions(input, POLYPLOIDS);
  const found = new Map<string, { f: number; p3d: number; h2: number }>();
  for await (const { tested } of scan.blocks())
    for (const { marker, action, tests } of tested)
      found.set(`${marker} ${action}`, { f: tests.exact.f, p3d: tests.p3d.f, h2: tests.p3d.h2 });

  // The same kinship plainly: dosages with the mode of all plants in place of missing ones, centred on those tested.
  const [head = [], ...lines] = rowsOf(sim4xText('dosage.csv.gz'));
  const [of = [], ...values] = rowsOf(sim4xText('phenotypes.csv'));
  const value = new Map(values.map((row) => [row[0], row[of.indexOf('y')] ?? '']));
  const names = head.slice(3).filter((name) => !['', 'NA', undefined].includes(value.get(name)));
  const n = names.length;
  expect([...scan.individuals].map((i) => panel.panel.samples[i])).toEqual(names);
  const markers = lines.map(([id = '', chromosome = '', , ...cells]) => {
    const counts = [0, 1, 2, 3, 4].map((x) => cells.filter((cell) => cell === String(x)).length);
    const mode = counts.indexOf(Math.max(...counts));
    const byName = new Map(cells.map((cell, i) => [head[3 + i], cell === 'NA' || cell === '' ? mode : Number(cell)]));
    return { id, chromosome, copies: names.map((name) => byName.get(name) ?? mode) };
  });
  const [, second = ''] = [...new Set(markers.map(({ chromosome }) => chromosome))];
  const kernel = createMatrix(n, n);
  for (const { chromosome, copies } of markers) {
    if (chromosome === second) continue;
    const mean = copies.reduce((sum, x) => sum + x, 0) / n;
    for (let j = 0; j < n; j++)
      for (let i = 0; i < n; i++)
        kernel.data[i + j * n] = (kernel.data[i + j * n] ?? 0) + ((copies[i] ?? 0) - mean) * ((copies[j] ?? 0) - mean);
  }
  let trace = 0;
  for (let i = 0; i < n; i++) trace += kernel.data[i * (n + 1)] ?? 0;
  const kinship = matrixOf(
    n,
    n,
    kernel.data.map((one) => (one * n) / trace),
  );
  const y = Float64Array.from(names, (name) => Number(value.get(name)));
  const tester = createGeneActionTester(kinship, matrixOf(n, 1, new Float64Array(n).fill(1)), y);
  const places = await panel.panel.readMarkers(0, panel.panel.markerCount);
  let compared = 0;
  for (const { id, chromosome, copies } of markers) {
    const one = found.get(`${places.id.indexOf(id)} additive`);
    if (chromosome !== second || one === undefined) continue;
    const rotated = tester.rotate(matrixOf(n, 1, Float64Array.from(copies)));
    const tests = tester.test([rotated.data]);
    expect(Math.abs(one.f - (tests?.exact.f ?? Number.NaN))).toBeLessThan(1e-6 * Math.max(1, one.f));
    expect(Math.abs(one.p3d - (tests?.p3d.f ?? Number.NaN))).toBeLessThan(1e-6 * Math.max(1, one.p3d));
    compared++;
  }
  expect(compared).toBeGreaterThan(80);
  // Each chromosome has a null model of its own.
  expect(new Set(Array.from(found.values(), ({ h2 }) => h2)).size).toBe(6);
  const [left, whole] = await Promise.all(
    [true, false].map((leaveOneChromosomeOut) =>
      estimateGeneActionScan({ ...input, leaveOneChromosomeOut }, POLYPLOIDS),
    ),
  );
  expect(left?.memoryMb).toBeGreaterThan(whole?.memoryMb ?? Number.NaN);
  await panel.close();
});

test('nothing is left of a panel of one chromosome', async () => {
  const panel = await openGenotypeBlocks(sim4x('sim4x.vcf.gz'), POLYPLOIDS);
  const { table: phenotype } = await openPhenotype(sim4x('phenotypes.csv'), POLYPLOIDS);
  const one = {
    ...panel.panel,
    chromosomeRuns: async () => [{ chromosome: '1', first: 0, count: 660, firstBp: 0, lastBp: 0 }],
  };
  const scan = await scanGeneActions(
    {
      ...{ panel: { ...one, readPacked: panel.panel.readPacked.bind(panel.panel) }, phenotype, trait: 'y' },
      ...{ covariates: [], fixed: 0, maf: 0, callRate: 0, actions: ['additive'], leaveOneChromosomeOut: true },
    },
    POLYPLOIDS,
  );
  await expect(scan.blocks().next()).rejects.toMatchObject({ code: 'gwas/no-markers-left' });
  await panel.close();
});
