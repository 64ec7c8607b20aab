// How many individuals, plots, years and how much money each stage of a scheme takes, before anything is simulated.
import type { ProgrammeScheme, ProgrammeStage } from './programme-schemes.ts';

export type StageList = 'start' | 'cycle' | 'end';

/** Where a stage stands in its scheme. */
export interface StagePlace {
  list: StageList;
  index: number;
}

/** What a stage takes and makes, in a cycle that began with what an earlier one left. */
export interface StageSize extends StagePlace {
  stage: ProgrammeStage;
  /** Individuals that it begins with, and that it makes, treats or keeps. */
  from: number;
  individuals: number;
  crosses: number;
  plots: number;
  /** Individuals genotyped. */
  genotyped: number;
  cost: number;
  /** Years from the begin of its list to its own begin and end. */
  begins: number;
  ends: number;
}

/** A number that asks for more than there is. */
export interface SizeProblem extends StagePlace {
  field: string;
  message: string;
}

export interface SchemeSizes {
  stages: StageSize[];
  problems: SizeProblem[];
  /** Of each list done once; of the cycle the last one. */
  cost: Record<StageList, number>;
  years: Record<StageList, number>;
  /** Of the whole programme. */
  totalCost: number;
  totalYears: number;
  /** Individuals made, plots, and records of the largest training, over the whole programme. */
  gametes: number;
  largestPopulation: number;
  /** Σ over all trainings of n² and n³, and the largest n. */
  trainings: { squares: number; cubes: number; largest: number };
}

interface Population {
  size: number;
  families: number;
  genotyped: boolean;
}

interface Walk {
  scheme: ProgrammeScheme;
  populations: Map<string, Population>;
  /** Records of each training of a model, the newest last. */
  records: Map<string, number[]>;
  gametes: number;
  largest: number;
  trainings: SchemeSizes['trainings'];
}

const NOBODY: Population = { size: 0, families: 0, genotyped: false };

/** @param founders how many founders there are */
export function schemeSizes(scheme: ProgrammeScheme, founders: number): SchemeSizes {
  const walk: Walk = {
    scheme,
    populations: new Map([['founders', { size: founders, families: founders, genotyped: true }]]),
    records: new Map(),
    gametes: 0,
    largest: founders,
    trainings: { squares: 0, cubes: 0, largest: 0 },
  };
  const problems = new Map<string, SizeProblem>();
  const cost = { start: 0, cycle: 0, end: 0 };
  const years = { start: 0, cycle: 0, end: 0 };
  let totalCost = 0;
  let stages: StageSize[] = [];
  const run = (list: StageList) => {
    const done = stagesOf(walk, list, problems);
    cost[list] = done.reduce((sum, stage) => sum + stage.cost, 0);
    years[list] = done.at(-1)?.ends ?? 0;
    totalCost += cost[list];
    stages = [...stages.filter((stage) => stage.list !== list), ...done];
  };
  run('start');
  let settled = '';
  for (let cycle = 0; cycle < scheme.cycles; cycle++) {
    const before = { totalCost, gametes: walk.gametes, ...walk.trainings };
    run('cycle');
    const { squares, cubes } = walk.trainings;
    const added = {
      totalCost: totalCost - before.totalCost,
      gametes: walk.gametes - before.gametes,
      squares: squares - before.squares,
      cubes: cubes - before.cubes,
    };
    const now = JSON.stringify([...walk.populations, added]);
    if (now === settled) {
      // A cycle that begins and ends like the one before makes all the others alike.
      const left = scheme.cycles - cycle - 1;
      totalCost += left * added.totalCost;
      walk.gametes += left * added.gametes;
      walk.trainings.squares += left * added.squares;
      walk.trainings.cubes += left * added.cubes;
      break;
    }
    settled = now;
  }
  run('end');
  return {
    stages,
    problems: [...problems.values()],
    cost,
    years,
    totalCost,
    totalYears: years.start + scheme.cycles * years.cycle + years.end,
    gametes: walk.gametes,
    largestPopulation: walk.largest,
    trainings: walk.trainings,
  };
}

function stagesOf(walk: Walk, list: StageList, problems: Map<string, SizeProblem>): StageSize[] {
  let year = 0;
  return (walk.scheme[list] ?? []).map((stage, index) => {
    const put = (field: string, message: string) =>
      problems.set(`${list} ${index} ${field}`, { list, index, field, message });
    const done = sizeOfStage(stage, walk, put);
    const begins = year;
    year += stage.years ?? 0;
    return { list, index, stage, ...done, begins, ends: year };
  });
}

type Sized = Pick<StageSize, 'from' | 'individuals' | 'crosses' | 'plots' | 'genotyped' | 'cost'>;

function sizeOfStage(stage: ProgrammeStage, walk: Walk, put: (field: string, message: string) => void): Sized {
  const { populations, scheme } = walk;
  const named = 'population' in stage ? stage.population : stage.from;
  const from = populations.get(named) ?? NOBODY;
  const price = (what: keyof NonNullable<ProgrammeScheme['costs']>) => scheme.costs?.[what] ?? 0;
  const sized = { from: from.size, individuals: from.size, crosses: 0, plots: 0, genotyped: 0, cost: 0 };
  const make = (into: string, made: Population) => {
    populations.set(into, made);
    walk.largest = Math.max(walk.largest, made.size);
    return made.size;
  };
  switch (stage.do) {
    case 'take': {
      const [first, last] = stage.range ?? [1, stage.individuals?.length ?? from.size];
      if (stage.individuals === undefined && last > from.size)
        put('range', `There are ${from.size} individuals at this point`);
      const size = Math.min(
        last - first + 1,
        stage.individuals === undefined ? Math.max(0, from.size - first + 1) : last,
      );
      return { ...sized, individuals: make(stage.into, { ...from, size, families: Math.min(size, from.families) }) };
    }
    case 'cross': {
      const male = stage.with === undefined ? from : (populations.get(stage.with) ?? NOBODY);
      if (stage.with === undefined && from.size < 2) put('from', 'A cross needs two parents');
      const crosses = crossesOf(stage, { f: from.size, m: male.size });
      const possible = (from.size * (from.size - 1)) / 2;
      if (stage.plan === 'useful' && crosses > possible)
        put('crosses', `${from.size} parents make ${possible} different pairs`);
      const size = crosses * (stage.progeny ?? 1);
      walk.gametes += 2 * size;
      const made = { size, families: crosses, genotyped: false };
      return { ...sized, individuals: make(stage.into, made), crosses, cost: crosses * price('cross') };
    }
    case 'backcross': {
      const size = from.size * (stage.progeny ?? 1);
      walk.gametes += 2 * size;
      const made = { size, families: from.size, genotyped: false };
      return { ...sized, individuals: make(stage.into, made), crosses: from.size, cost: from.size * price('cross') };
    }
    case 'self': {
      const size = from.size * (stage.progeny ?? 1);
      const generations = stage.generations ?? 1;
      walk.gametes += 2 * size * generations;
      const made = { size, families: from.families, genotyped: false };
      return { ...sized, individuals: make(stage.into, made), cost: size * generations * price('self') };
    }
    case 'dh': {
      const size = from.size * stage.lines;
      walk.gametes += size;
      const made = { size, families: from.families, genotyped: false };
      return { ...sized, individuals: make(stage.into, made), cost: size * price('dh') };
    }
    case 'genotype': {
      const genotyped = from.genotyped ? 0 : from.size;
      populations.set(named, { ...from, genotyped: true });
      return { ...sized, genotyped, cost: genotyped * price('genotype') };
    }
    case 'phenotype': {
      const plots = stage.same_plots === true ? 0 : from.size * stage.environments * stage.replicates;
      return { ...sized, plots, cost: plots * price('plot') };
    }
    case 'testcross': {
      const hybrids = stage.same_plots === true ? 0 : from.size * (populations.get(stage.testers)?.size ?? 0);
      const plots = hybrids * stage.environments * stage.replicates;
      return { ...sized, plots, cost: hybrids * price('seed') + plots * price('plot') };
    }
    case 'train': {
      const records = walk.records.get(stage.model) ?? [];
      records.push(from.size);
      walk.records.set(stage.model, records.slice(-(stage.window ?? records.length)));
      const n = (walk.records.get(stage.model) ?? []).reduce((sum, size) => sum + size, 0);
      walk.trainings.squares += n * n;
      walk.trainings.cubes += n ** 3;
      walk.trainings.largest = Math.max(walk.trainings.largest, n);
      return sized;
    }
    case 'select':
    case 'release': {
      if (stage.count > from.size) put('count', `There are ${from.size} candidates`);
      const most = stage.do === 'select' ? (stage.per_family ?? from.size) * from.families : from.size;
      if (stage.count <= from.size && stage.count > most)
        put('count', `${from.families} families give at most ${most} at ${most / from.families} each`);
      const size = Math.min(stage.count, from.size, most);
      const made = { ...from, size, families: Math.min(size, from.families) };
      return { ...sized, individuals: stage.do === 'select' ? make(stage.into, made) : size };
    }
    case 'recycle':
      return { ...sized, individuals: make(stage.into, from) };
    default:
      return sized;
  }
}

function crossesOf(
  { plan, crosses, with: other }: Extract<ProgrammeStage, { do: 'cross' }>,
  { f, m }: { f: number; m: number },
): number {
  if (plan === 'circular') return f;
  if (plan === 'paired') return Math.min(f, m);
  if (plan === 'all') return other === undefined ? (f * (f - 1)) / 2 : f * m;
  return crosses ?? f;
}

/** What a simulation is of. */
export interface SimulatedSize {
  loci: number;
  founders: number;
  /** Individuals and markers of the model whose effects are drawn; 0 without one. */
  modelRecords: number;
  modelMarkers: number;
}

/** Measured with one thread of a machine of 2024: gametes and their values by word, products, factors. */
const SECONDS_PER_GAMETE_LOCUS = 2.5e-10;
const SECONDS_PER_SQUARE_LOCUS = 4e-12;
const SECONDS_PER_CUBE = 1.8e-11;
const SECONDS_PER_DRAWN = 1e-9;
/** What a replicate takes besides. */
const SECONDS_PER_STAGE = 2e-4;

/** Seconds of one thread for a replicate, roughly. */
export function secondsOfReplicate(
  scheme: ProgrammeScheme,
  sizes: SchemeSizes,
  { loci, modelRecords, modelMarkers }: SimulatedSize,
): number {
  const stages = scheme.start.length + scheme.cycles * scheme.cycle.length + (scheme.end?.length ?? 0);
  return (
    stages * SECONDS_PER_STAGE +
    sizes.gametes * loci * SECONDS_PER_GAMETE_LOCUS +
    sizes.trainings.squares * loci * SECONDS_PER_SQUARE_LOCUS +
    sizes.trainings.cubes * SECONDS_PER_CUBE +
    2 * modelRecords * modelMarkers * SECONDS_PER_DRAWN
  );
}

/** Of a process without work. */
const BASE_MB = 250;

/** Memory of a thread that simulates, in MB. */
export function memoryOfReplicate(
  sizes: SchemeSizes,
  { loci, founders, modelRecords, modelMarkers }: SimulatedSize,
): number {
  const { largest } = sizes.trainings;
  const haplotypes = 3 * (sizes.largestPopulation + founders) * (loci / 4);
  const training = 24 * largest * largest + largest * loci;
  const posterior = 16 * modelRecords * modelMarkers + 8 * modelRecords * modelRecords;
  return BASE_MB + (haplotypes + training + posterior) / 2 ** 20;
}
