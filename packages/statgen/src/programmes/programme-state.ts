import type { RandomStream } from '../random/random-stream.ts';
import { StatgenError } from '../statgen-error.ts';
import type { Recorder } from './measure-population.ts';
import type { PackedPopulation } from './packed-population.ts';
import type { ProgrammeWorld } from './programme-world.ts';
import type { Scheme } from './scheme.ts';
import type { TrainedProgrammeModel, TrainingRecords } from './train-on-records.ts';

/** A replicate while it runs. */
export interface ProgrammeState {
  world: ProgrammeWorld;
  scheme: Scheme;
  founderNames: readonly string[];
  populations: Map<string, PackedPopulation>;
  records: Map<string, TrainingRecords>;
  models: Map<string, TrainedProgrammeModel>;
  /** Of this cycle. */
  cost: number;
  /** Since the start. */
  totalCost: number;
  year: number;
}

/** What a stage is done with. */
export interface StageRun {
  state: ProgrammeState;
  random: RandomStream;
  record: Recorder;
}

/** @throws StatgenError `bad-option` */
export function populationOf({ populations }: ProgrammeState, name: string): PackedPopulation {
  const population = populations.get(name);
  if (population !== undefined) return population;
  throw new StatgenError(
    'bad-option',
    `there is no population "${name}" yet; there are ${[...populations.keys()].join(', ')}`,
  );
}

/** @throws StatgenError `bad-option` */
export function modelOf({ models }: ProgrammeState, name: string): TrainedProgrammeModel {
  const model = models.get(name);
  if (model !== undefined) return model;
  throw new StatgenError('bad-option', `no stage has trained the model "${name}" yet`);
}
