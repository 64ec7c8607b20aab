import { blocksOf } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import { expect, test } from 'vitest';
import { panelKinship } from '../inputs/panel-kinship.ts';
import { evaluateModels } from './evaluation/evaluate-model.ts';
import { modelJson, parseModelJson } from './model-file.ts';
import { predict } from './predict.ts';
import { openSmallPanel, smallPanel, smallPhenotype } from './small-panel.test-data.ts';
import { trainModel } from './train-model.ts';

const CONTEXT = { threads: 1 };
const small = smallPanel(40, 60, 90);
const panel = openSmallPanel(small);
const phenotype = smallPhenotype(small, 4);
const settings = { panel, phenotype, traits: ['y'], covariates: ['age'] };

/** The kinship of the markers as a table, its individuals in another order and with one that has no genotype. */
async function markerTable() {
  const { kernels } = await panelKinship(
    { panel: blocksOf(panel), methods: ['vanraden1'], maf: 0.05, callRate: 0.9 },
    CONTEXT,
  );
  const n = small.samples.length;
  const places = [...small.samples.keys()].toReversed();
  const size = n + 1;
  const values = new Float64Array(size * size);
  for (const [i, a] of places.entries())
    for (const [j, b] of places.entries()) values[i + j * size] = kernels.vanraden1!.data[a + b * n]!;
  values[n + n * size] = 1;
  return { individuals: [...places.map((i) => small.samples[i]!), 'not genotyped'], values };
}

test('the kinship of the markers, given as a file, gives the same values, reliabilities and folds', async () => {
  const kinshipTable = await markerTable();
  const own = (await trainModel({ ...settings, kinshipTable }, CONTEXT)).traits[0]!.fit!;
  const usual = (await trainModel(settings, CONTEXT)).traits[0]!.fit!;
  expect(own.additive).toHaveLength(0);
  expect(own.variance.h2).toBeCloseTo(usual.variance.h2, 8);
  for (const [i, value] of usual.gebv.entries()) {
    expect(own.gebv[i]).toBeCloseTo(value, 6);
    expect(own.reliability[i]).toBeCloseTo(usual.reliability[i]!, 6);
  }
  const folds = { nFold: 4, nRepetition: 2, seed: 7 };
  const [one] = await evaluateModels({ ...settings, ...folds, kinshipTable }, CONTEXT);
  const [other] = await evaluateModels({ ...settings, ...folds }, CONTEXT);
  for (const [k, { r }] of other!.evaluation!.perFold.entries())
    expect(one!.evaluation!.perFold[k]!.r).toBeCloseTo(r!, 6);
});

test('a model of a kinship file survives its file, and says why it predicts no other genotype and no dominance', async () => {
  const kinshipTable = await markerTable();
  const model = parseModelJson(modelJson(await trainModel({ ...settings, kinshipTable }, CONTEXT)));
  expect(model.individuals).toEqual(small.samples);
  await expect(predict({ model, panel }, CONTEXT)).rejects.toMatchObject({ code: 'predictions/no-marker-effects' });
  await expect(trainModel({ ...settings, kinshipTable, dominance: true }, CONTEXT)).rejects.toMatchObject({
    code: 'models/kinship-with-dominance',
  });
});
