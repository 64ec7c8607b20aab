import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { effectsOfModel } from '@heterosis/analysis/crossing/crossing-effects';
import { matchCrosses } from '@heterosis/analysis/crossing/match-crosses';
import { readParentalHaplotypes } from '@heterosis/analysis/crossing/parental-haplotypes';
import { type PlanResult, planCrosses, weightsPerDeviation } from '@heterosis/analysis/planning/plan';
import { candidatesCsv, curveCsv, plannedCrossesCsv, rankedPairsCsv } from '@heterosis/analysis/planning/plan-csv';
import { planTables } from '@heterosis/analysis/planning/plan-tables';
import { unpackRecord } from '@heterosis/analysis/results/binary-record';
import type { CrossingPlanParameters, CrossingPlanReport } from '@heterosis/contracts/crossing-plans';
import { type Cross, parentsOfCross } from '@heterosis/file-formats/tables/crossing-table/crossing-table';
import type { LinkageMap } from '@heterosis/file-formats/tables/linkage-map/linkage-map';
import { type PlanTables, packPlanTables } from '@heterosis/statgen/mating/plan-tables';
import type { ComputeFunction } from '../../platform/compute/compute.ts';
import { openStorageLocation, type StorageLocation } from '../../platform/object-storage/storage-location.ts';
import { readStoredModel } from '../../platform/object-storage/stored-model.ts';
import {
  openStoredPanel,
  type PanelKeys,
  readingStored,
  readObject,
} from '../../platform/object-storage/stored-panel.ts';
import type { CrossingPlanResultKind } from './crossing-plans.queries.ts';

export interface RunCrossingPlanInput {
  storage: StorageLocation;
  panel: PanelKeys;
  /** Key of the original genotype file, for the phase of heterozygous candidates. */
  original: string;
  /** Key of the packed crossing table of pairs already made; null without one. */
  madeCrosses: string | null;
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

export const compute: ComputeFunction<RunCrossingPlanInput, RunCrossingPlanOutput> = async (input, context) => {
  const { parameters, directory } = input;
  const { population } = parameters;
  const storage = openStorageLocation(input.storage);
  context.onProgress({ stage: 'read', done: 0, total: 1 });
  const effects = effectsOfModel(await readStoredModel(storage, input.specs));
  const panel = await openStoredPanel(storage, input.panel);
  const original = await storage.open(input.original);
  try {
    const names = parameters.candidates === null ? panel.samples : [...new Set(parameters.candidates)];
    const parents = await readParentalHaplotypes({ panel, original, names, ignorePhase: population === null }, context);
    const map =
      input.linkageMap === null
        ? { bpPerCm: parameters.bp_per_cm ?? 0 }
        : await readPacked<LinkageMap>(storage, input.linkageMap, 'linkage map');
    const { missing_map_markers: missingMapMarkers } = parameters;
    const { tables, report, mapReport } = planTables({ effects, parents, map, population, missingMapMarkers }, context);
    const made =
      input.madeCrosses === null
        ? []
        : madePairs(await readPacked<Cross[]>(storage, input.madeCrosses, 'crossing table'), names);
    const result = planCrosses(tables, requestOf(tables, parameters, made));
    context.onProgress({ stage: 'write', done: 0, total: 1 });
    return {
      report: {
        ...reportOf(result),
        made_pairs: made.length,
        effect_markers: report.effect_markers,
        shared: report.shared,
        filled_calls: report.filled_calls,
        warnings: mapReport.problems
          .filter(({ severity }) => severity === 'warning')
          .map(({ code, message, suggestion }) => ({ code, message, suggestion })),
      },
      files: await writeFiles(directory, result),
    };
  } finally {
    await original.close();
    await panel.close();
  }
};

async function readPacked<Value>(storage: Parameters<typeof readObject>[0], key: string, what: string): Promise<Value> {
  const bytes = await readObject(storage, key);
  return readingStored(what, () => unpackRecord<Value>(bytes));
}

/** Pairs of candidates that a crossing table has already. */
function madePairs(table: readonly Cross[], candidates: readonly string[]): [string, string][] {
  return matchCrosses(table, candidates).crosses.flatMap((cross) => {
    const [one, other, ...more] = parentsOfCross(cross);
    return one !== undefined && other !== undefined && one !== other && more.length === 0
      ? [[one, other] as [string, string]]
      : [];
  });
}

function requestOf(tables: PlanTables, parameters: CrossingPlanParameters, made: readonly [string, string][]) {
  const { weights, low_traits, kept_traits, trait_accuracy } = parameters;
  const isWeighted = Object.keys(weights).length > 0;
  return {
    index: {
      method: parameters.index_method,
      weights: isWeighted ? tables.traits.map((trait) => weights[trait] ?? 0) : weightsPerDeviation(tables),
      isLow: tables.traits.map((trait) => low_traits.includes(trait)),
      isKept: tables.traits.map((trait) => kept_traits.includes(trait)),
      accuracy: tables.traits.map((trait) => trait_accuracy[trait] ?? 1),
    },
    candidates: null,
    crosses: parameters.crosses,
    mostUses: parameters.max_uses,
    required: parameters.required_pairs,
    forbidden: [...parameters.forbidden_pairs, ...made],
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
    meets_cap: plan.meetsCap,
    value: plan.value,
    value_bound: plan.valueBound,
    mates_proven: plan.mateBound - plan.mateMerit <= MATES_ROUNDING * Math.abs(plan.mateMerit),
    is_repaired: plan.isRepaired,
    weights: byTrait(weights),
    gains: byTrait(gains),
    changes: byTrait(changes),
  };
}

/** A bound nearer than this share of the merit is the merit but for rounding. */
const MATES_ROUNDING = 1e-9;

async function writeFiles(
  directory: string,
  result: PlanResult,
): Promise<Partial<Record<CrossingPlanResultKind, string>>> {
  const csv = {
    crosses: plannedCrossesCsv(result),
    candidates: candidatesCsv(result),
    curve: curveCsv(result),
    ...(result.ranking.length > 0 ? { pairs: rankedPairsCsv(result) } : {}),
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
