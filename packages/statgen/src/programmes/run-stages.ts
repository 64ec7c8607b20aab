import { createRandomStream, type RandomStream } from '../random/random-stream.ts';
import { StatgenError } from '../statgen-error.ts';
import { planPairs } from './cross-plans.ts';
import { measureHybrids, measurePopulation, type Recorder } from './measure-population.ts';
import { crossPairs, doubleGametes, type PackedPopulation, pickIndividuals, selfPlants } from './packed-population.ts';
import { modelOf, type ProgrammeState, populationOf, type StageRun } from './programme-state.ts';
import { columnOf, hybridValues, rowMeans, traitIndex, trueValues, valuesOf } from './programme-world.ts';
import type { Costs, MeasureStage, Stage, TrialDesign } from './scheme.ts';
import { scoreIndividuals } from './score-individuals.ts';
import { selectIndividuals } from './select-individuals.ts';
import { TrainingRecords } from './train-on-records.ts';

type Doing = { [Kind in Stage['do']]: (stage: Extract<Stage, { do: Kind }>, run: StageRun) => void };

const DOING: Doing = {
  take(stage, { state }) {
    const from = populationOf(state, stage.from);
    const chosen =
      stage.individuals?.map((name) => {
        const place = state.founderNames.indexOf(name);
        if (place < 0) throw new StatgenError('bad-option', `there is no founder "${name}"`);
        return place;
      }) ?? placesOf(stage.range ?? [1, from.size], from.size);
    put(state, stage.into, pickIndividuals(state.world.genome, from, chosen));
  },
  cross(stage, run) {
    const { state, random } = run;
    const female = populationOf(state, stage.from);
    const male = stage.with === undefined ? female : populationOf(state, stage.with);
    const pairs = planPairs(stage, { female, male }, run);
    const progeny = stage.progeny ?? 1;
    spend(state, 'cross', pairs.length);
    put(state, stage.into, crossPairs({ genome: state.world.genome, random }, { female, male, pairs }, progeny));
  },
  backcross(stage, { state, random }) {
    const female = populationOf(state, stage.from);
    const male = populationOf(state, stage.to);
    const pairs = Array.from({ length: female.size }, (_, i) => [i, 0] as const);
    spend(state, 'cross', pairs.length);
    put(
      state,
      stage.into,
      crossPairs({ genome: state.world.genome, random }, { female, male, pairs }, stage.progeny ?? 1),
    );
  },
  self(stage, { state, random }) {
    let plants = populationOf(state, stage.from);
    for (let generation = 0; generation < (stage.generations ?? 1); generation++) {
      plants = selfPlants({ genome: state.world.genome, random }, plants, generation === 0 ? (stage.progeny ?? 1) : 1);
      spend(state, 'self', plants.size);
    }
    put(state, stage.into, plants);
  },
  dh(stage, { state, random }) {
    const made = doubleGametes({ genome: state.world.genome, random }, populationOf(state, stage.from), stage.lines);
    spend(state, 'dh', made.size);
    put(state, stage.into, made);
  },
  genotype(stage, { state }) {
    const population = populationOf(state, stage.population);
    if (!population.genotyped) spend(state, 'genotype', population.size);
    population.genotyped = true;
  },
  phenotype(stage, { state, random }) {
    const population = populationOf(state, stage.population);
    const trait = traitIndex(state.world, stage.trait);
    const errorVariance = errorOf(state, stage);
    observe(
      population,
      stage.as,
      { truth: trueValues(state.world, population, trait).values, trait, errorVariance },
      random,
    );
    if (stage.same_plots !== true) spend(state, 'plot', population.size * stage.environments * stage.replicates);
  },
  testcross(stage, { state, random }) {
    const population = populationOf(state, stage.population);
    const testers = populationOf(state, stage.testers);
    const trait = traitIndex(state.world, stage.trait);
    const truth = rowMeans(hybridValues(state.world, population, testers, trait), testers.size);
    const errorVariance = errorOf(state, stage) / testers.size;
    observe(population, stage.as, { truth, trait, errorVariance }, random);
    const hybrids = population.size * testers.size;
    if (stage.same_plots === true) return;
    spend(state, 'seed', hybrids);
    spend(state, 'plot', hybrids * stage.environments * stage.replicates);
  },
  combine(stage, { state }) {
    const population = populationOf(state, stage.population);
    const columns = stage.columns.map((name) => columnOf(state.world, population, name));
    const weights = columns.map(({ errorVariance }) => 1 / errorVariance);
    if (!weights.every((weight) => weight > 0 && Number.isFinite(weight))) {
      throw new StatgenError('bad-option', 'only means of trials have an error variance by which they are weighted');
    }
    const sum = weights.reduce((a, b) => a + b, 0);
    const values = new Float64Array(population.size);
    for (const [c, column] of columns.entries()) {
      for (let i = 0; i < values.length; i++) values[i] += (weights[c] * column.values[i]) / sum;
    }
    population.columns.set(stage.as, { values, trait: columns[0].trait, errorVariance: 1 / sum });
  },
  index(stage, { state }) {
    const population = populationOf(state, stage.population);
    const values = new Float64Array(population.size);
    for (const [name, weight] of Object.entries(stage.weights)) {
      const column = columnOf(state.world, population, name);
      for (let i = 0; i < values.length; i++) values[i] += weight * column.values[i];
    }
    population.columns.set(stage.as, { values, trait: -1, errorVariance: Number.NaN });
  },
  train(stage, { state, record }) {
    const population = genotypedOf(state, stage.population);
    const column = columnOf(state.world, population, stage.column);
    let records = state.records.get(stage.model);
    if (records === undefined) {
      records = new TrainingRecords(state.world.genome, state.world.chip);
      state.records.set(stage.model, records);
    }
    records.add(population, column.values);
    const model = records.fit(column.trait, stage.window ?? Number.POSITIVE_INFINITY);
    state.models.set(stage.model, model);
    if (stage.stage !== undefined) {
      record(stage.stage, 'reml_vu', model.varianceEffect);
      record(stage.stage, 'reml_ve', model.varianceError);
    }
  },
  predict(stage, { state }) {
    const population = genotypedOf(state, stage.population);
    const model = modelOf(state, stage.model);
    const values = valuesOf(state.world.genome, population, model.table, model.intercept);
    population.columns.set(stage.as, { values, trait: model.trait, errorVariance: Number.NaN });
  },
  score(stage, run) {
    scoreIndividuals(stage, run);
  },
  select(stage, { state, random }) {
    const from = populationOf(state, stage.from);
    const chosen = selectIndividuals(state.world, from, stage, random);
    const selected = pickIndividuals(state.world.genome, from, chosen);
    selected.ranked = true;
    put(state, stage.into, selected);
  },
  recycle(stage, { state }) {
    put(state, stage.into, populationOf(state, stage.from));
  },
  measure(stage, { state, record }) {
    const population = populationOf(state, stage.population);
    if (stage.hybrids_with !== undefined) {
      const males = populationOf(state, stage.hybrids_with);
      measureHybrids(state.world, { females: population, males }, stage, record);
      return;
    }
    measure(state, population, stage, record);
  },
  release(stage, { state, random, record }) {
    const from = populationOf(state, stage.from);
    const chosen = selectIndividuals(state.world, from, stage, random);
    const released = pickIndividuals(state.world.genome, from, chosen);
    released.ranked = true;
    measure(state, released, { stage: stage.stage ?? 'release' }, record);
  },
};

/**
 * Does the stages of a list in their order. The random numbers of a stage depend on seed, replicate, cycle and its
 * name only, so that equal stages of two schemes draw the same ones.
 *
 * @throws StatgenError `bad-option` naming the stage
 */
export function runStages(
  state: ProgrammeState,
  stages: readonly Stage[],
  keys: { seed: number; replicate: number; cycle: number },
  record: Recorder,
): void {
  const seen = new Map<string, number>();
  for (const stage of stages) {
    const name = stageName(stage);
    const times = seen.get(name) ?? 0;
    seen.set(name, times + 1);
    const random = createRandomStream(keys.seed, 'programme', keys.replicate, keys.cycle, name, times);
    try {
      (DOING[stage.do] as (stage: Stage, run: StageRun) => void)(stage, { state, random, record });
    } catch (error) {
      if (!(error instanceof StatgenError)) throw error;
      throw new StatgenError(error.code, `cycle ${keys.cycle}, stage "${name}": ${error.message}`, error.details);
    }
    state.year += stage.years ?? 0;
  }
}

/** The name of a stage, or what it does and makes. */
function stageName(stage: Stage): string {
  if (stage.name !== undefined) return stage.name;
  if ('into' in stage) return `${stage.do} ${stage.into}`;
  if ('as' in stage) return `${stage.do} ${stage.population} ${stage.as}`;
  if (stage.do === 'measure') return `measure ${stage.stage}`;
  return `${stage.do} ${stage.do === 'release' ? stage.from : stage.population}`;
}

function genotypedOf(state: ProgrammeState, name: string): PackedPopulation {
  const population = populationOf(state, name);
  if (population.genotyped) return population;
  throw new StatgenError('bad-option', `the population "${name}" is not genotyped; put a stage "genotype" before`);
}

function put(state: ProgrammeState, name: string, population: PackedPopulation): void {
  state.populations.set(name, population);
}

function spend(state: ProgrammeState, what: keyof Costs, count: number): void {
  state.cost += count * (state.scheme.costs?.[what] ?? 0);
}

function errorOf({ scheme }: ProgrammeState, { environments, replicates, error }: TrialDesign): number {
  const { environment, plot } = error ?? scheme.error;
  return environment / environments + plot / (environments * replicates);
}

function observe(
  population: PackedPopulation,
  as: string,
  { truth, trait, errorVariance }: { truth: Float64Array; trait: number; errorVariance: number },
  random: RandomStream,
): void {
  const sd = Math.sqrt(errorVariance);
  population.columns.set(as, { values: truth.map((value) => value + sd * random.normal()), trait, errorVariance });
}

function measure(
  state: ProgrammeState,
  population: PackedPopulation,
  stage: Pick<MeasureStage, 'stage' | 'criterion' | 'trait' | 'report' | 'selected'>,
  record: Recorder,
): void {
  const { selected, ...asked } = stage;
  measurePopulation(
    state.world,
    population,
    {
      ...asked,
      index: state.scheme.index,
      ...(selected === undefined ? {} : { selected: populationOf(state, selected) }),
    },
    record,
  );
}

function placesOf([first, last]: readonly [number, number], size: number): number[] {
  if (last > size) throw new StatgenError('bad-option', `the range ends at ${last}, and there are ${size} individuals`);
  return Array.from({ length: last - first + 1 }, (_, k) => first - 1 + k);
}
