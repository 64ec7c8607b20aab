import { blocksOf } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import { subsetPanel } from '@heterosis/file-formats/genotype/panel/subset-panel';
import { expect, test } from 'vitest';
import { pruneMarkers, USUAL_WINDOWS } from '../genotype/prune-markers.ts';
import { estimateEvaluation, evaluateModels } from './evaluation/evaluate-model.ts';
import { openSmallPanel, smallPanel, smallPhenotype } from './small-panel.test-data.ts';
import { estimateTraining, trainModel } from './train-model.ts';

const CONTEXT = { threads: 1 };
const INDIVIDUALS = 1600;
const DISTINCT = 220;
const COPIES = 4;
/** Less than the equations of 880 markers and the kinship of 1,600 individuals take, enough for those of 220. */
const MEMORY_MB = 160;

/** Each marker four times in a row. */
function copiedPanel() {
  const world = smallPanel(INDIVIDUALS, DISTINCT, 40);
  for (const [j, marker] of world.markers.entries()) marker.chromosome = String(1 + Math.floor((3 * j) / DISTINCT));
  const markers = world.markers.flatMap((marker) =>
    Array.from({ length: COPIES }, (_, copy) => ({ ...marker, id: `${marker.id}.${copy}` })),
  );
  const dosages = world.dosages.map((row) => row.flatMap((call) => Array<number | null>(COPIES).fill(call)));
  return { phenotype: smallPhenotype(world, 3), panel: openSmallPanel({ ...world, markers, dosages }) };
}

test('markers that do not fit into memory are pruned by LD, and the model is that of those left', async () => {
  const { panel, phenotype } = copiedPanel();
  const input = { phenotype, traits: ['y'], callRate: 0.8 };
  const model = await trainModel({ ...input, panel, memoryMb: MEMORY_MB }, CONTEXT);
  expect(model.engine?.name).toBe('markers');
  expect(model.engine?.reason).toMatch(
    /^all 880 markers do not fit into memory, and pruning by LD \(r² > 0\.95\) left 220; the kinship of the individuals/,
  );
  expect(model.markersRead).toBe(DISTINCT * COPIES);
  const { kept } = await pruneMarkers(blocksOf(panel), { ...USUAL_WINDOWS, r2: 0.95 }, CONTEXT);
  const left = subsetPanel(panel, { samples: null, markers: [...kept.keys()].filter((j) => kept[j] === 1) });
  const expected = await trainModel({ ...input, panel: left, engine: 'markers' }, CONTEXT);
  expect(model.markers).toEqual(expected.markers);
  const [own, other] = [model, expected].map(({ traits }) => ({ ...traits[0]?.fit, seconds: 0 }));
  expect(own).toEqual(other);
  const folds = { ...input, nFold: 3, nRepetition: 1 };
  const [[pruned], [byHand]] = [
    await evaluateModels({ ...folds, panel, memoryMb: MEMORY_MB }, CONTEXT),
    await evaluateModels({ ...folds, panel: left, engine: 'markers' }, CONTEXT),
  ];
  expect(pruned?.evaluation?.engine.reason).toContain('pruning by LD');
  expect(pruned?.evaluation?.points).toEqual(byHand?.evaluation?.points);
});

test('the estimate of a run that will prune says so, for as many markers as fit', async () => {
  const { panel, phenotype } = copiedPanel();
  const input = { phenotype, panel, traits: ['y'], callRate: 0.8, memoryMb: MEMORY_MB };
  for (const plan of [await estimateTraining(input, CONTEXT), await estimateEvaluation(input, CONTEXT)]) {
    const { markers, atMost } = plan.pruning ?? { markers: 0, atMost: 0 };
    expect(markers).toBe(DISTINCT * COPIES);
    expect(atMost).toBeGreaterThan(DISTINCT);
    expect(atMost).toBeLessThan(DISTINCT * COPIES);
    expect(plan.estimate.memoryMb).toBeLessThanOrEqual(MEMORY_MB);
    expect(plan.estimate.memoryMb).toBeGreaterThan(0.98 * MEMORY_MB);
    expect(plan.reason).toContain(`until at most ${atMost} are left, for which this is the estimate; the kinship of`);
  }
  expect((await estimateTraining({ ...input, memoryMb: 4000 }, CONTEXT)).pruning).toBeUndefined();
  await expect(estimateTraining({ ...input, memoryMb: 100 }, CONTEXT)).rejects.toMatchObject({
    code: 'analysis/does-not-fit',
  });
});

test('what needs the kinship of the individuals is not pruned, and neither is what fits', async () => {
  const { panel, phenotype } = copiedPanel();
  const input = { panel, phenotype, traits: ['y'], callRate: 0.8 };
  const refused = { code: 'analysis/does-not-fit' };
  await expect(trainModel({ ...input, engine: 'individuals', memoryMb: MEMORY_MB }, CONTEXT)).rejects.toMatchObject(
    refused,
  );
  await expect(trainModel({ ...input, memoryMb: 100 }, CONTEXT)).rejects.toMatchObject(refused);
  const { engine, markers } = await trainModel({ ...input, memoryMb: 4000 }, CONTEXT);
  expect(engine?.reason).not.toContain('pruning');
  expect(markers.id.length).toBeGreaterThan(DISTINCT);
});
