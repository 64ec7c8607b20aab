import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPhenotype } from '../../inputs/read-phenotype.ts';
import { CONTEXT, type ImportedPanel, importText } from '../../maize.test-data.ts';
import { evaluateKernels } from '../evaluation/evaluate-kernels.ts';
import { evaluateModels } from '../evaluation/evaluate-model.ts';
import { openFolds } from '../evaluation/open-folds.ts';
import { modelJson, parseModelJson } from '../model-file.ts';
import { predict } from '../predict.ts';
import { SIMBIG1, simbig1Vcf } from '../sampling/simbig1.test-data.ts';
import { type TrainInput, trainModel } from '../train-model.ts';
import { readFixedMarkers } from './fixed-markers.ts';

const LENGTHS = { chains: 1, cycles: 100, burnIn: 0, seed: 1, earlyStop: false };
/** The large QTL of the simulation. */
const LARGE = ['M0001', 'M0278', 'M0481', 'M0645', 'M0841'];

let lines: ImportedPanel;
let input: TrainInput;
beforeAll(async () => {
  // The first large marker lacks every 20th call.
  lines = await importText(simbig1Vcf(new Map([['M0001', 20]])));
  const { table } = await openPhenotype(join(SIMBIG1, 'phenotypes.csv'), CONTEXT);
  input = { panel: lines.panel, phenotype: table, traits: ['y'] };
});
afterAll(async () => {
  await lines[Symbol.asyncDispose]();
});

test.for(['individuals', 'markers'] as const)(
  'from the %s fixed markers are estimated like covariates, and predict',
  async (engine) => {
    const fixedMarkers = await readFixedMarkers(lines.panel, LARGE);
    const model = await trainModel({ ...input, engine, fixedMarkers }, CONTEXT);
    const fit = model.traits[0]!.fit!;
    expect(fit.fixedEffects.map(({ name }) => name)).toEqual(LARGE);
    // 0.404 in the simulation; RR-BLUP gives it a third of that.
    const [first] = fit.fixedEffects;
    expect(Math.abs(first!.estimate - 0.404)).toBeLessThan(3 * first!.standard_error);
    const plain = await trainModel({ ...input, engine }, CONTEXT);
    const place = model.markers.id.indexOf('M0001');
    expect(fit.additive[place]!).toBeGreaterThan(1.5 * plain.traits[0]!.fit!.additive[place]!);
    const read = parseModelJson(modelJson(model));
    const { traits } = await predict({ model: read, panel: lines.panel }, CONTEXT);
    for (const [i, value] of traits[0]!.gebv.entries()) expect(value).toBeCloseTo(fit.gebv[i]!, 8);
  },
);

test('folds predict with fixed markers as a model of each training part does, from individuals and from markers', {
  tags: 'whole',
}, async () => {
  const folds = await openFolds(join(SIMBIG1, 'folds.csv'), CONTEXT);
  const asked = {
    ...input,
    folds: { ...folds, repetitions: folds.repetitions.slice(0, 1) },
    fixedMarkers: await readFixedMarkers(lines.panel, LARGE),
  };
  const { evaluations } = await evaluateKernels({ ...asked, models: ['rrblup'], lengths: LENGTHS }, CONTEXT);
  for (const engine of ['individuals', 'markers'] as const) {
    const [found] = await evaluateModels({ ...asked, engine }, CONTEXT);
    const { perFold, hasFixedEffects, accuracy } = found!.evaluation!;
    // What markers contribute is genetic: records are not corrected for it, and the kinship explains only the rest.
    expect([hasFixedEffects, accuracy]).toEqual([false, null]);
    for (const [k, { r }] of perFold.entries()) expect(r).toBeCloseTo(evaluations[0]!.perFold[k]!.r!, 6);
  }
});

test('fixed large genes win what the kinship shrinks, and unknown or dropped markers are refused', async () => {
  const folds = await openFolds(join(SIMBIG1, 'folds.csv'), CONTEXT);
  const rOf = async (names: readonly string[]) => {
    const { evaluations } = await evaluateKernels(
      {
        ...input,
        ...{ models: ['rrblup', 'kernel-average'], lengths: LENGTHS },
        folds: { ...folds, repetitions: folds.repetitions.slice(0, 1) },
        fixedMarkers: await readFixedMarkers(lines.panel, names),
      },
      CONTEXT,
    );
    return evaluations.map(({ meanFoldR }) => meanFoldR.mean!);
  };
  const [plain, fixed] = [await rOf([]), await rOf(LARGE)];
  for (const [k, r] of fixed.entries()) expect(r).toBeGreaterThan(plain[k]! + 0.1);
  await expect(readFixedMarkers(lines.panel, ['M001'])).rejects.toMatchObject({ code: 'models/unknown-marker' });
  const fixedMarkers = await readFixedMarkers(lines.panel, LARGE);
  await expect(trainModel({ ...input, fixedMarkers, maf: 0.499 }, CONTEXT)).rejects.toMatchObject({
    code: 'models/marker-left-out',
  });
});
