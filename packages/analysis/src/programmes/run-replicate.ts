import { drawArchitecture, type TraitArchitecture } from '@heterosis/statgen/programmes/draw-architecture';
import type { TrueTrait } from '@heterosis/statgen/programmes/programme-world';
import type { Scheme } from '@heterosis/statgen/programmes/scheme';
import { simulateReplicate } from '@heterosis/statgen/programmes/simulate-programme';
import type { ProgrammeKey } from '@heterosis/statgen/programmes/summarize-replicates';
import { createRandomStream } from '@heterosis/statgen/random/random-stream';
import { drawTruth, type ModelTruth } from './model-truth.ts';
import type { ProgrammeMaterial } from './read-programme-files.ts';

/** What all replicates share. */
export interface ReplicateTask {
  material: ProgrammeMaterial;
  scheme: Scheme;
  seed: number;
  /** In place of the material's traits: drawn anew in each replicate. */
  truth?: ModelTruth | readonly TraitArchitecture[] | undefined;
}

/** What a replicate has measured: the same quantities in the same order in all of them. */
export interface ReplicateResult {
  keys: ProgrammeKey[];
  values: Float64Array;
}

/** One replicate, the same wherever it is computed. @throws StatgenError */
export function runReplicate({ material, scheme, seed, truth }: ReplicateTask, replicate: number): ReplicateResult {
  const { genome, founders, founderNames } = material;
  const traits = drawTraits({ material, seed, truth }, replicate);
  const found = simulateReplicate({ scheme, genome, founders, founderNames, seed }, traits, replicate);
  return {
    keys: found.map(({ cycle, stage, quantity }) => ({ cycle, stage, quantity })),
    values: Float64Array.from(found, ({ value }) => value),
  };
}

function drawTraits({ material, seed, truth }: Omit<ReplicateTask, 'scheme'>, replicate: number): TrueTrait[] {
  const { genome, founders, traits } = material;
  if (truth === undefined) return traits;
  if ('place' in truth) return drawTruth(truth, genome, seed, replicate);
  return truth.map((one) =>
    drawArchitecture(genome, founders, one, createRandomStream(seed, 'programme architecture', replicate, one.trait)),
  );
}
