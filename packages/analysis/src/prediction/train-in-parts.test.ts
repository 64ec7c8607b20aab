import { createHash } from 'node:crypto';
import { blocksOf } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import { expect, test } from 'vitest';
import { packRecord, unpackRecord } from '../results/binary-record.ts';
import { modelJson } from './model-file.ts';
import { openSmallPanel, smallPanel, smallPhenotype, withStandardErrors } from './small-panel.test-data.ts';
import {
  beginTraining,
  computeTile,
  finishTraining,
  type TrainingPlan,
  tileFromBytes,
  tileMb,
  tilesOf,
} from './train-in-parts.ts';
import { type TrainInput, trainModel } from './train-model.ts';
import type { TrainedModel } from './trained-model.ts';

const CONTEXT = { threads: 1 };
const INDIVIDUALS = 1100;

/** Without missing calls, unless asked for. */
function inputOf(markers: number, missing = false): TrainInput & { engine: 'markers' } {
  const world = smallPanel(INDIVIDUALS, markers, 50);
  if (!missing) world.dosages = world.dosages.map((row) => row.map((call, j) => call ?? j % 3));
  return {
    panel: openSmallPanel(world),
    phenotype: smallPhenotype(world, 3),
    traits: ['y', 'age'],
    principalComponents: 2,
    engine: 'markers',
  };
}

/** Of what a training says; the time that it took is not in it. */
const hashOf = (model: TrainedModel): string => createHash('sha256').update(modelJson(model)).digest('hex');

async function planOf(input: TrainInput, side: number, leastGflop = 0): Promise<TrainingPlan> {
  const begun = await beginTraining(input, { markers: side, leastGflop }, CONTEXT);
  if ('model' in begun) throw new TypeError('it was finished at once');
  // As it travels to other machines.
  return unpackRecord<TrainingPlan>(packRecord(begun.plan));
}

async function trainInParts(input: TrainInput, side: number): Promise<{ model: TrainedModel; tiles: number }> {
  const plan = await planOf(input, side);
  const tiles = new Map<string, Uint8Array>();
  for (const tile of tilesOf(plan).toReversed()) {
    const numbers = await computeTile(blocksOf(input.panel), plan, tile, CONTEXT);
    // Wherever it lies in memory when it is read again.
    const bytes = Buffer.alloc(numbers.byteLength + 1);
    bytes.set(new Uint8Array(numbers.buffer), 1);
    tiles.set(JSON.stringify(tile), bytes.subarray(1));
  }
  const model = await finishTraining(
    input,
    plan,
    async (tile) => tileFromBytes(plan, tile, tiles.get(JSON.stringify(tile)) ?? new Uint8Array(0)),
    CONTEXT,
  );
  return { model, tiles: tiles.size };
}

test('a training in parts has the bytes of one in a piece, whatever the size of the tiles', async () => {
  const input = inputOf(60);
  const whole = hashOf(await trainModel(input, CONTEXT));
  // All, for principal components and the trait observed on all; those with the other trait.
  const selections = 2;
  for (const [side, blocks] of [
    [59, 2],
    [30, 2],
    [7, 9],
  ] as const) {
    const { model, tiles } = await trainInParts(input, side);
    expect(tiles).toBe((selections * blocks * (blocks + 1)) / 2);
    expect(hashOf(model)).toBe(whole);
  }
});

test('markers that were pruned to fit into memory stay out of the parts', async () => {
  const world = smallPanel(1600, 220, 40);
  const copies = 4;
  const markers = world.markers.flatMap((marker) =>
    Array.from({ length: copies }, (_, copy) => ({ ...marker, chromosome: '1', id: `${marker.id}.${copy}` })),
  );
  const dosages = world.dosages.map((row) => row.flatMap((call, j) => Array<number>(copies).fill(call ?? j % 3)));
  const panel = openSmallPanel({ ...world, markers, dosages });
  const input = { panel, phenotype: smallPhenotype(world, 3), traits: ['y'], memoryMb: 160 };
  const { model } = await trainInParts(input, 100);
  expect(model.engine?.reason).toContain('pruning by LD');
  expect(hashOf(model)).toBe(hashOf(await trainModel(input, CONTEXT)));
});

test('what is small, has missing calls or known errors, or is computed from the individuals is finished at once', {
  tags: 'whole',
}, async () => {
  const input = inputOf(60);
  const inOne = async (asked: TrainInput, side: number, leastGflop: number): Promise<void> => {
    const begun = await beginTraining(asked, { markers: side, leastGflop }, CONTEXT);
    expect('model' in begun && hashOf(begun.model)).toBe(hashOf(await trainModel(asked, CONTEXT)));
  };
  await inOne(input, 60, 0);
  await inOne(input, 30, 0.01);
  await inOne({ ...input, engine: 'individuals' }, 30, 0);
  await inOne(inputOf(60, true), 30, 0);
  const phenotype = withStandardErrors(input.phenotype);
  await inOne({ ...input, phenotype, traits: ['y'], standardErrors: ['se'] }, 30, 0);
  // Twice some 1,000 individuals, 60² products each.
  expect((await planOf(input, 30, 0.005)).side).toBe(30);
});

test('a tile of a million individuals stays within some GB', async () => {
  const plan = await planOf(inputOf(60), 30);
  expect(tileMb({ ...plan, side: 8192, individuals: 100_000 }).memoryMb).toBeLessThan(2_000);
  expect(tileMb({ ...plan, side: 4000, individuals: 1_000_000 }).memoryMb).toBeLessThan(3_000);
});
