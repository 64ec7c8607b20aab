import type { ChartColors } from '@heterosis/charts/chart-colors';
import type { GwasRegion } from '@heterosis/contracts/work/gwas';
import { expect, test } from 'vitest';
import { laneOfGenes, type RegionGene, regionHeight, regionOption } from './region-option.ts';

const gene = (name: string, start: number, end: number): RegionGene => ({
  id: name,
  name,
  start,
  end,
  strand: 1,
  description: '',
});
const marker = (id: string, pos: number, r2: number | null) => ({
  id,
  pos,
  p: 1e-4,
  neg_log10_p: 4,
  beta: 1,
  sd: 0.5,
  r2,
});
const region: GwasRegion = {
  lead: 'L',
  total: 5,
  markers: [marker('a', 1, 0.1), marker('b', 2, 0.2), marker('L', 3, 1), marker('<c>', 4, 1), marker('d', 5, null)],
  genes: { file: { id: 'f', name: 'genes.gff3' }, total: 1, data: [gene('g1', 1, 3)] },
  recombination: { file: { id: 'm', name: 'map.csv' }, data: [{ start: 0, end: 4, cm_per_mb: 2 }] },
};
const colors = { series: ['a', 'b'], threshold: 'red', ground: 'white' } as unknown as ChartColors;
const texts = { x: 'Mb', rate: 'cM/Mb', lead: 'lead', noR2: 'unknown', effect: 'effect', genes: 'Genes' };

interface Option {
  series: { name: string; data: { name?: string; value: number[]; tip?: string; itemStyle?: object }[] }[];
}
const optionOf = (changes: Partial<GwasRegion> = {}, selected: string[] = []) =>
  regionOption(
    {
      region: { ...region, ...changes },
      ...{ start: 0, end: 6, threshold: 1e-5, lanes: [0], texts },
      selected: new Set(selected),
    },
    colors,
  ) as unknown as Option;

test('every marker is drawn once, in the class of its r², and the lead on its own', () => {
  const drawn = Object.fromEntries(optionOf().series.map(({ name, data }) => [name, data.map((one) => one.name)]));
  expect(drawn).toMatchObject({
    'r² 0–0.2': ['a'],
    'r² 0.2–0.4': ['b'],
    'r² 0.8–1': ['<c>'],
    unknown: ['d'],
    lead: ['L'],
    Genes: ['g1'],
  });
  const tip = optionOf().series.find(({ name }) => name === 'r² 0.8–1')?.data[0]?.tip;
  expect(tip).toContain('effect: 1.00 ± 0.500');
  expect(tip).not.toContain('<c>');
});

test('the rate is a line as far as the region, and is not drawn without a map', () => {
  const rate = optionOf().series.find(({ name }) => name === 'cM/Mb');
  expect(rate?.data.map(({ value }) => value)).toEqual([
    [0, 2],
    [4, 2],
  ]);
  expect(optionOf({ recombination: null }).series.map(({ name }) => name)).not.toContain('cM/Mb');
});

test('markers that are selected elsewhere on the page are marked', () => {
  const marked = optionOf({}, ['b']).series.flatMap(({ data }) =>
    data.filter((one) => one.itemStyle).map(({ name }) => name),
  );
  expect(marked).toEqual(['b']);
});

test('genes and their names share a lane only where they keep apart', () => {
  const genes = [gene('first', 0, 100), gene('second', 120, 200), gene('third', 5000, 5100)];
  expect(laneOfGenes(genes, { start: -1000, end: 10_000 }, 10)).toEqual([0, 1, 0]);
  expect(laneOfGenes(genes, { start: 0, end: 6000 }, 0.01)).toEqual([0, 0, 0]);
  // A stack that is too high is cut.
  expect(
    laneOfGenes(
      Array.from({ length: 8 }, () => gene('same', 0, 9)),
      { start: 0, end: 9 },
      1,
    ).at(-1),
  ).toBeUndefined();
  // At the edge of the picture a name stands inside, where it meets the next one.
  const atEdge = [gene('left', 0, 10), gene('right', 600, 610)];
  expect(laneOfGenes(atEdge, { start: -1000, end: 10_000 }, 10)).toEqual([0, 0]);
  expect(laneOfGenes(atEdge, { start: 0, end: 10_000 }, 10)).toEqual([0, 1]);
  expect(regionHeight([0, 1])).toBeGreaterThan(regionHeight([0]));
});
