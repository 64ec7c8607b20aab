import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPhenotype } from '../inputs/read-phenotype.ts';
import { CONTEXT, type ImportedPanel, importText } from '../maize.test-data.ts';
import { SIMBIG1, simbig1Vcf } from '../prediction/sampling/simbig1.test-data.ts';
import { type FineMapInput, fineMap, fineMapCsv } from './fine-map.ts';

let lines: ImportedPanel;
let input: Omit<FineMapInput, 'region'>;
beforeAll(async () => {
  lines = await importText(simbig1Vcf(new Map([['M0002', 30]])));
  const { table } = await openPhenotype(join(SIMBIG1, 'phenotypes.csv'), CONTEXT);
  input = {
    ...{ panel: lines.panel, phenotype: table, trait: 'y', maf: 0.05, callRate: 0.9 },
    ...{ effects: 10, coverage: 0.95, purity: 0.5 },
  };
});
afterAll(async () => {
  await lines[Symbol.asyncDispose]();
});

// Positions are 1,000 bp times the place of a marker on its chromosome.
test.for([
  ['1', 'M0001', 0.404],
  ['3', 'M0278', 0.378],
  ['9', 'M0841', -0.286],
] as const)('the large gene of chromosome %s is in a credible set', async ([chromosome, name, effect]) => {
  const found = await fineMap({ ...input, region: { chromosome, fromBp: 1, toBp: 100_000 } }, CONTEXT);
  const place = found.markers.id.indexOf(name);
  const set = found.sets.find(({ markers }) => markers.includes(place));
  expect(set).toBeDefined();
  expect(set!.markers.length).toBeLessThan(6);
  const mean = set!.markers.reduce((sum, j) => sum + found.markers.effect[j]!, 0);
  expect(Math.abs(mean - effect)).toBeLessThan(0.15);
  const rows = [...fineMapCsv(found, chromosome)].join('').trim().split('\n');
  expect(rows[1 + place]).toMatch(new RegExp(`^${name},${chromosome},\\d+,.*,\\d$`));
});

test('a region without effects has no sets', async () => {
  // Chromosome 2 has no large gene, and its first small one is the eleventh marker.
  const { sets, isOfOthers } = await fineMap({ ...input, region: { chromosome: '2', fromBp: 1, toBp: 8000 } }, CONTEXT);
  expect(sets).toEqual([]);
  expect(isOfOthers).toBe(true);
});

test('a covariate that is the gene takes it away, and principal components do not', async () => {
  const region = { chromosome: '1', fromBp: 1, toBp: 100_000 };
  const place = lines.panel.markers.id.indexOf('M0001');
  const packed = await lines.blocks.readPacked(place, 1);
  const copies = lines.panel.samples.map((_, i) => [0, Number.NaN, 1, 2][(packed[i >> 2]! >> (2 * (i & 3))) & 3]!);
  const rowOf = new Map(lines.panel.samples.map((name, i) => [name, copies[i]!]));
  const { phenotype } = input;
  const withGene = {
    ...phenotype,
    traits: [...phenotype.traits, { ...phenotype.traits[0]!, name: 'gene' }],
    values: [...phenotype.values, Float64Array.from(phenotype.individuals, (name) => rowOf.get(name) ?? Number.NaN)],
  };
  const given = await fineMap({ ...input, phenotype: withGene, covariates: ['gene'], region }, CONTEXT);
  const among = given.sets.some(({ markers }) => markers.includes(given.markers.id.indexOf('M0001')));
  expect(among).toBe(false);
  expect(given.markers.inclusion[given.markers.id.indexOf('M0001')]).toBeLessThan(0.05);
  // A marker that is named has the counts of the covariate.
  const named = await fineMap({ ...input, conditionOn: ['M0001'], region }, CONTEXT);
  for (const [k, pip] of named.markers.inclusion.entries()) expect(pip).toBeCloseTo(given.markers.inclusion[k]!, 8);
  const axes = await fineMap({ ...input, fixed: 2, region }, CONTEXT);
  expect(axes.markers.inclusion[axes.markers.id.indexOf('M0001')]).toBeGreaterThan(0.9);
});

test('equal errors are no errors, and their unit is of no account', async () => {
  const region = { chromosome: '1', fromBp: 1, toBp: 100_000 };
  const { phenotype } = input;
  const weighed = async (errorOf: (row: number) => number) => {
    const withErrors = {
      ...phenotype,
      traits: [...phenotype.traits, { ...phenotype.traits[0]!, name: 'se' }],
      reductions: [...phenotype.reductions, phenotype.reductions[0]!],
      values: [...phenotype.values, Float64Array.from(phenotype.individuals, (_, row) => errorOf(row))],
    };
    return await fineMap({ ...input, phenotype: withErrors, standardErrors: ['se'], region }, CONTEXT);
  };
  const plain = await fineMap({ ...input, region }, CONTEXT);
  expect(plain.errors).toBeNull();
  const equal = await weighed(() => 3);
  expect(equal.errors).toEqual({ from: 'standard errors', residualLines: null });
  for (const [j, pip] of equal.markers.inclusion.entries()) expect(pip).toBeCloseTo(plain.markers.inclusion[j]!, 8);
  const [once, tenfold] = [await weighed((row) => 1 + (row % 4)), await weighed((row) => 10 + 10 * (row % 4))];
  for (const [j, pip] of tenfold.markers.inclusion.entries()) expect(pip).toBeCloseTo(once.markers.inclusion[j]!, 8);
  const moved = once.markers.inclusion.map((pip, j) => Math.abs(pip - plain.markers.inclusion[j]!));
  expect(Math.max(...moved)).toBeGreaterThan(0.01);
});
