import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { effectsOfModel } from '@heterosis/analysis/crossing/crossing-effects';
import { readParentalHaplotypes } from '@heterosis/analysis/crossing/parental-haplotypes';
import { ploidyOf } from '@heterosis/analysis/crossing/polyploids';
import { type MadePair, madePairs, placesOfPairs } from '@heterosis/analysis/planning/made-pairs';
import {
  type PlanPedigree,
  planTablesOfModel,
  relationshipByPedigree,
} from '@heterosis/analysis/planning/pedigree-tables';
import { type PlanResult, planCrosses, weightsPerDeviation } from '@heterosis/analysis/planning/plan';
import {
  candidatesCsv,
  curveCsv,
  madePairsCsv,
  plannedCrossesCsv,
  rankedPairsCsv,
} from '@heterosis/analysis/planning/plan-csv';
import { planTables } from '@heterosis/analysis/planning/plan-tables';
import { polyploidPlanTables } from '@heterosis/analysis/planning/polyploid-plan-tables';
import type { TrainedModel } from '@heterosis/analysis/prediction/trained-model';
import { unpackRecord } from '@heterosis/analysis/results/binary-record';
import type { CrossingPlanParameters, CrossingPlanReport } from '@heterosis/contracts/work/crossing-plans';
import type { Cross } from '@heterosis/file-formats/tables/crossing-table/crossing-table';
import type { LinkageMap } from '@heterosis/file-formats/tables/linkage-map/linkage-map';
import type { PedigreeTable } from '@heterosis/file-formats/tables/pedigree/pedigree-table';
import { type PlanTables, packPlanTables } from '@heterosis/statgen/mating/plan-tables';
import type { ComputeFunction } from '../../../platform/compute/compute.ts';
import { openStorageLocation, type StorageLocation } from '../../../platform/object-storage/storage-location.ts';
import { readStoredModel } from '../../../platform/object-storage/stored-model.ts';
import {
  openStoredPanel,
  type PanelKeys,
  readingStored,
  readObject,
} from '../../../platform/object-storage/stored-panel.ts';
import type { CrossingPlanResultKind } from './crossing-plans.queries.ts';
import type { FoundCrosses } from './made-crosses.ts';

export interface RunCrossingPlanInput {
  storage: StorageLocation;
  /** Genotype of the candidates, with the key of the original file for their phase; null: individuals of the model. */
  genotype: { panel: PanelKeys; original: string } | null;
  /** Key of the packed pedigree from which coancestries follow; null for those by markers. */
  pedigree: string | null;
  /** Where pairs already made are known from. */
  made: FoundCrosses;
  /** Key of the packed linkage map; null for distances from base pairs. */
  linkageMap: string | null;
  /** Keys of the model's specs, one per trait, in the order of the traits. */
  specs: string[];
  parameters: CrossingPlanParameters;
  /** An empty directory for the results. */
  directory: string;
}

export interface RunCrossingPlanOutput {
  report: CrossingPlanReport;
  files: Partial<Record<CrossingPlanResultKind, string>>;
}

type Reading = Parameters<typeof readObject>[0];

export const compute: ComputeFunction<RunCrossingPlanInput, RunCrossingPlanOutput> = async (input, context) => {
  const { parameters, directory } = input;
  const storage = openStorageLocation(input.storage);
  context.onProgress({ stage: 'read', done: 0, total: 1 });
  const model = await readStoredModel(storage, input.specs);
  const pedigree =
    input.pedigree === null
      ? null
      : descentOf(await readPacked<PedigreeTable>(storage, input.pedigree, 'pedigree'), parameters);
  const material =
    input.genotype === null
      ? materialOfModel(model, pedigree, parameters)
      : await materialOfGenotype(storage, { ...input, genotype: input.genotype, model, pedigree }, context);
  const { tables, figures } = material;
  const made = await readMadePairs(storage, input.made, tables.candidates);
  if (made.length > 0) tables.made = placesOfPairs(made, tables.candidates);
  const result = planCrosses(tables, requestOf(tables, parameters));
  context.onProgress({ stage: 'write', done: 0, total: 1 });
  return {
    report: { ...reportOf(result), made_pairs: tables.made?.length ?? 0, ...figures },
    files: await writeFiles(directory, result, made),
  };
};

/** What a plan is made from, and what is reported of its markers. */
interface Material {
  tables: PlanTables;
  figures: Pick<CrossingPlanReport, 'effect_markers' | 'shared' | 'filled_calls' | 'warnings'>;
}

function descentOf(
  table: PedigreeTable,
  { double_reduction: doubleReduction, founders }: CrossingPlanParameters,
): PlanPedigree {
  return {
    table,
    ...(doubleReduction === undefined ? {} : { doubleReduction }),
    ...(founders === undefined ? {} : { founders }),
  };
}

function materialOfModel(
  model: TrainedModel,
  pedigree: PlanPedigree | null,
  { candidates }: CrossingPlanParameters,
): Material {
  if (pedigree === null) throw new RangeError('candidates without genotype need a pedigree');
  const traits = model.traits.map(({ name }) => name);
  const names = candidates === null ? null : [...new Set(candidates)];
  return {
    tables: planTablesOfModel(model, traits, pedigree, names),
    figures: { effect_markers: null, shared: null, filled_calls: null, warnings: [] },
  };
}

async function materialOfGenotype(
  storage: Reading,
  input: Pick<RunCrossingPlanInput, 'linkageMap' | 'parameters'> & {
    genotype: NonNullable<RunCrossingPlanInput['genotype']>;
    model: TrainedModel;
    pedigree: PlanPedigree | null;
  },
  context: Parameters<typeof compute>[1],
): Promise<Material> {
  const { genotype, parameters, pedigree } = input;
  const { population, missing_map_markers: missingMapMarkers } = parameters;
  const effects = effectsOfModel(input.model);
  const panel = await openStoredPanel(storage, genotype.panel);
  const original = await storage.open(genotype.original);
  try {
    const names = parameters.candidates === null ? panel.samples : [...new Set(parameters.candidates)];
    const ploidy = ploidyOf(panel);
    const relationship = pedigree === null ? {} : { relationship: relationshipByPedigree(pedigree, names, ploidy) };
    const map =
      input.linkageMap === null
        ? { bpPerCm: parameters.bp_per_cm ?? 0 }
        : await readPacked<LinkageMap>(storage, input.linkageMap, 'linkage map');
    const given = { effects, map, population, missingMapMarkers };
    const tablesOfDiploids = async () => {
      const phase = { panel, original, names, ignorePhase: population === null };
      return planTables({ ...given, parents: await readParentalHaplotypes(phase, context), ...relationship }, context);
    };
    const { tables, report, mapReport } =
      ploidy === 2
        ? await tablesOfDiploids()
        : await polyploidPlanTables({ ...given, panel, original, names, ...relationship }, context);
    return {
      tables,
      figures: {
        effect_markers: report.effect_markers,
        shared: report.shared,
        filled_calls: report.filled_calls,
        warnings: mapReport.problems
          .filter(({ severity }) => severity === 'warning')
          .map(({ code, message, suggestion }) => ({ code, message, suggestion })),
      },
    };
  } finally {
    await original.close();
    await panel.close();
  }
}

async function readPacked<Value>(storage: Reading, key: string, what: string): Promise<Value> {
  const bytes = await readObject(storage, key);
  return readingStored(what, () => unpackRecord<Value>(bytes));
}

async function readMadePairs(
  storage: Reading,
  { tables, progeny, catalogue }: FoundCrosses,
  candidates: readonly string[],
): Promise<MadePair[]> {
  const lines = progeny.map((line): Cross => ({ ...line, progenyCount: null, type: 'biparental', line: 0 }));
  const made = madePairs({ from: 'germplasm', name: null, crosses: lines }, candidates, catalogue);
  for (const { name, key } of tables) {
    const crosses = await readPacked<Cross[]>(storage, key, 'crossing table');
    made.push(...madePairs({ from: 'crossing_table', name, crosses }, candidates, catalogue));
  }
  return made;
}

function requestOf(tables: PlanTables, parameters: CrossingPlanParameters) {
  const { weights, low_traits, kept_traits, trait_accuracy } = parameters;
  const isWeighted = Object.keys(weights).length > 0;
  return {
    index: {
      method: parameters.index_method,
      weights: isWeighted
        ? tables.traits.map((trait) => weights[trait] ?? 0)
        : weightsPerDeviation(tables, parameters.index_shares),
      isLow: tables.traits.map((trait) => low_traits.includes(trait)),
      isKept: tables.traits.map((trait) => kept_traits.includes(trait)),
      accuracy: tables.traits.map((trait) => trait_accuracy[trait] ?? 1),
    },
    candidates: null,
    crosses: parameters.crosses,
    mostUses: parameters.max_uses,
    required: parameters.required_pairs,
    forbidden: parameters.forbidden_pairs,
    allowMade: parameters.allow_made,
    mates: parameters.mates,
    cap: parameters.cap,
    fraction: parameters.selected_fraction,
    accuracy: parameters.accuracy,
  };
}

function reportOf({ tables, plan, weights, gains, changes }: PlanResult) {
  const byTrait = (values: ArrayLike<number>) =>
    Object.fromEntries(tables.traits.map((trait, t) => [trait, values[t] ?? 0]));
  return {
    candidates: tables.candidates.length,
    crosses: plan.crosses.length,
    parents: plan.uses.reduce((count, use) => count + (use > 0 ? 1 : 0), 0),
    cap: plan.cap,
    coancestry: plan.coancestry,
    meets_cap: plan.aboveCap === null,
    value: plan.value,
    value_bound: plan.valueBound,
    mates_proven: plan.mateBound - plan.mateMerit <= MATES_ROUNDING * Math.abs(plan.mateMerit),
    is_repaired: plan.isRepaired,
    weights: byTrait(weights),
    gains: byTrait(gains),
    index_information: tables.isTogether === true ? ('model' as const) : ('accuracies' as const),
    changes: byTrait(changes),
  };
}

/** A bound nearer than this share of the merit is the merit but for rounding. */
const MATES_ROUNDING = 1e-9;

async function writeFiles(
  directory: string,
  result: PlanResult,
  made: readonly MadePair[],
): Promise<Partial<Record<CrossingPlanResultKind, string>>> {
  const csv = {
    crosses: plannedCrossesCsv(result),
    candidates: candidatesCsv(result),
    curve: curveCsv(result),
    ...(result.ranking.length > 0 ? { pairs: rankedPairsCsv(result) } : {}),
    ...(made.length > 0 ? { made: madePairsCsv(made) } : {}),
  };
  const files: Partial<Record<CrossingPlanResultKind, string>> = { tables: join(directory, 'plan.tables') };
  for (const [kind, rows] of Object.entries(csv)) {
    const path = join(directory, `${kind}.csv`);
    await pipeline(Readable.from(rows), createWriteStream(path));
    files[kind as CrossingPlanResultKind] = path;
  }
  await writeFile(join(directory, 'plan.tables'), packPlanTables(result.tables));
  return files;
}
