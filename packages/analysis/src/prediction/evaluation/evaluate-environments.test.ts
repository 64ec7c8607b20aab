import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPhenotype } from '../../inputs/read-phenotype.ts';
import { CONTEXT, type ImportedPanel, importText } from '../../maize.test-data.ts';
import { type EnvironmentInput, evaluateEnvironments } from './evaluate-environments.ts';
import { openFolds } from './open-folds.ts';

const WHEAT = fileURLToPath(new URL('../../../../statgen/reference/wheat-cimmyt/', import.meta.url));

let wheat: ImportedPanel;
let input: Omit<EnvironmentInput, 'scheme' | 'kernel'>;
beforeAll(async () => {
  wheat = await importText(gunzipSync(readFileSync(join(WHEAT, 'genotypes.vcf.gz'))).toString());
  const { table } = await openPhenotype(join(WHEAT, 'phenotypes.csv'), CONTEXT);
  input = {
    ...{ panel: wheat.panel, phenotype: table, maf: 0, callRate: 0, models: ['gxe-mds', 'gxe-mde'] },
    traits: ['GY_env1', 'GY_env2', 'GY_env4', 'GY_env5'],
  };
});
afterAll(async () => {
  await wheat[Symbol.asyncDispose]();
});

const reference = new Map(
  readFileSync(join(WHEAT, 'kernels/gxe_cv.csv'), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','))
    .map(([kernel, model, scheme, trait, , fold, n, r]) => [`${kernel} ${model} ${scheme} ${trait} ${fold}`, { n, r }]),
);

async function compare(asked: EnvironmentInput, kernel: string): Promise<number> {
  let compared = 0;
  for (const { model, environment, perFold } of await evaluateEnvironments(asked, CONTEXT)) {
    const name = { 'gxe-mm': 'MM', 'gxe-mds': 'MDs', 'gxe-mde': 'MDe' }[model];
    for (const { fold, n, r } of perFold) {
      const known = reference.get(`${kernel} ${name} ${asked.scheme.toUpperCase()} ${environment} ${fold}`);
      expect(n).toBe(Number(known?.n));
      // The bar is 1e-3; variances that end where the likelihood is highest leave 1e-7.
      expect(r).toBeCloseTo(Number(known?.r), 6);
      compared++;
    }
  }
  return compared;
}

test('new lines are predicted in all environments as by an independent program', { tags: ['whole'] }, async () => {
  const folds = await openFolds(join(WHEAT, 'gp/cv_folds_GY_env1.csv'), CONTEXT);
  const rep1 = { ...folds, repetitions: folds.repetitions.slice(0, 1) };
  const models = ['gxe-mm', ...input.models] as const;
  expect(await compare({ ...input, models, scheme: 'cv1', kernel: 'linear', folds: rep1 }, 'GB')).toBe(60);
});

test('hidden records of known lines are predicted as by an independent program', async () => {
  const folds = await openFolds(join(WHEAT, 'kernels/gxe_cv2_cells.csv'), CONTEXT);
  expect(await compare({ ...input, scheme: 'cv2', kernel: 'gaussian', folds }, 'GK')).toBe(40);
});

test('a variance of lines beside their relationships predicts known lines', { tags: 'whole' }, async () => {
  const { individuals, values } = input.phenotype;
  // Shifts of lines that no marker tells of.
  const shift = (i: number) => (((i * 7919) % 101) - 50) / 25;
  const phenotype = { ...input.phenotype, values: values.map((own) => own.map((y, i) => y + shift(i))) };
  expect(individuals).toHaveLength(599);
  const asked: EnvironmentInput = {
    ...{ ...input, phenotype, models: ['gxe-mm'], scheme: 'cv2', kernel: 'gaussian', nRepetition: 1, nFold: 3 },
    traits: ['GY_env2', 'GY_env4'],
  };
  const [without] = await evaluateEnvironments(asked, CONTEXT);
  const [withLines] = await evaluateEnvironments({ ...asked, hasLines: true }, CONTEXT);
  expect(without!.fit.lines).toBe(0);
  // 1.36 is the variance of the shifts.
  expect(withLines!.fit.lines).toBeGreaterThan(0.8);
  expect(withLines!.meanFoldR.mean!).toBeGreaterThan(without!.meanFoldR.mean! + 0.02);
});

test('folds of records are drawn by the seed; folds of lines hide one environment after the other', {
  tags: 'whole',
}, async () => {
  const asked: EnvironmentInput = { ...input, models: ['gxe-mm'], scheme: 'cv2', kernel: 'gaussian', nRepetition: 1 };
  const traits = ['GY_env2', 'GY_env4'];
  const drawn = await evaluateEnvironments({ ...asked, traits, nFold: 4, seed: 9 }, CONTEXT);
  const sizes = drawn.map(({ perFold }) => perFold.map(({ n }) => n));
  expect(sizes.map((own) => own.reduce((sum, n) => sum + n))).toEqual([599, 599]);
  expect(drawn[0]?.folds.individuals).toHaveLength(599);
  expect(drawn[0]?.folds.repetitions).not.toEqual(drawn[1]?.folds.repetitions);
  const folds = await openFolds(join(WHEAT, 'gp/cv_folds_GY_env1.csv'), CONTEXT);
  const ofLines = { ...folds, repetitions: folds.repetitions.slice(0, 1) };
  const [first, second] = await evaluateEnvironments({ ...asked, traits, folds: ofLines }, CONTEXT);
  expect(first?.perFold.map(({ n }) => n)).toEqual(second?.perFold.map(({ n }) => n));
  // Records of the other environment, whose correlation is nearly 1, are known.
  const alone = await evaluateEnvironments({ ...asked, traits, scheme: 'cv1', folds: ofLines }, CONTEXT);
  expect(first!.meanFoldR.mean!).toBeGreaterThan(alone[0]!.meanFoldR.mean! + 0.02);
  await expect(evaluateEnvironments({ ...asked, traits: ['GY_env1'] }, CONTEXT)).rejects.toMatchObject({
    code: 'evaluate/environments',
  });
});
