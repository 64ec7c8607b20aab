import { type AdjustedMeans, adjustedMeans } from '@heterosis/file-formats/tables/phenotype/adjusted-means';
import type { PhenotypeReading } from '@heterosis/file-formats/tables/phenotype/read-phenotype';
import { modelTerms } from '@heterosis/file-formats/tables/phenotype/reduction-report';
import { setComputeThreads } from '@heterosis/statgen/linear-algebra';
import { fitLineVariances, type LineVariances, MAX_FIXED_EFFECTS } from '@heterosis/statgen/mixed-model/line-variances';
import { meanStandardErrors } from '@heterosis/statgen/mixed-model/mean-errors';
import { type AnalysisContext, reportProgress } from '../context.ts';

/** Notes on a mean. */
export type MeanFlag = 'missing' | 'not_estimable' | 'single_value' | 'other_group';

/** Why there are no variance components. */
export type NoComponents = 'single_values' | 'too_few' | 'too_many_cells' | 'not_computed';

/** Values of a trait in one environment, as shown in a box plot. */
export interface EnvironmentValues {
  name: string;
  n: number;
  min: number;
  lowerQuartile: number;
  median: number;
  upperQuartile: number;
  max: number;
}

/** The adjusted means of a trait with all their statistics. */
export interface TraitMeans {
  name: string;
  unit: string | null;
  /**
   * The fitted fixed model, for display: `line + environment + replicate in environment`; null for single values.
   */
  model: string | null;
  individuals: string[];
  /** One per individual; NaN where missing or not estimable. */
  means: Float64Array;
  /** Standard errors under the fixed model; NaN if undefined. */
  standardErrors: Float64Array;
  /** Observations behind each mean. */
  observations: Int32Array;
  flags: (MeanFlag | null)[];
  /** Individuals with a mean. */
  n: number;
  /** Residual mean square of the fixed model and its degrees of freedom; null for single values. */
  residual: { variance: number; degrees: number } | null;
  /** Groups of individuals that share no environment; 1 when all are connected. */
  groups: number;
  environments: EnvironmentValues[];
  /** Lines whose effects are fixed in the mixed model. */
  checks: string[];
  components: LineVariances | null;
  /** Null when there are components. */
  withoutComponents: NoComponents | null;
  /** 1 − MS(error)/MS(lines), see `entryMeanHeritability` of the phenotype reader. */
  h2EntryMean: number | null;
  /** After Cullis, Smith & Coombes (2006), see `fitLineVariances`. */
  h2Cullis: number | null;
}

export interface TraitMeansOptions {
  /** Names as the table has them; all numeric traits by default. */
  traits?: readonly string[];
  /**
   * Upper limit of work on variance components, in observations fitted (1 takes about 20 µs); later traits get none.
   * Default no limit. Without one, a file with a thousand traits would take minutes to check.
   */
  componentBudget?: number;
}

/** Fixed effects whose equations cost as much as one observation, cubed. */
const CUBES_PER_OBSERVATION = 2000;

/**
 * Adjusted means of the numeric traits of a phenotype file with standard errors, variance components by REML and both
 * estimates of H². All analyses of the file use these means.
 */
export function* traitMeans(
  reading: PhenotypeReading,
  context: AnalysisContext,
  { traits, componentBudget = Number.POSITIVE_INFINITY }: TraitMeansOptions = {},
): Generator<TraitMeans> {
  const { table } = reading;
  if (table === null) return;
  setComputeThreads(context.threads);
  const chosen = table.traits.flatMap(({ name, kind }, index) =>
    kind === 'numeric' && (traits === undefined || traits.includes(name)) ? [index] : [],
  );
  let budget = componentBudget;
  for (const [done, index] of chosen.entries()) {
    reportProgress(context, 'fit', done, chosen.length);
    const means = meansOfTrait(reading, table.individuals, index, budget);
    budget -= means.work;
    yield means.result;
  }
}

function meansOfTrait(
  reading: PhenotypeReading,
  individuals: string[],
  index: number,
  budget: number,
): { result: TraitMeans; work: number } {
  const { table, observations } = reading;
  const column = table?.traits[index];
  const records = observations[index];
  if (column === undefined || records === undefined) throw new RangeError(`there is no trait ${index}`);
  const fitted = adjustedMeans(records);
  const { model } = fitted;
  const work = model === null ? 0 : model.value.length + model.cellCount ** 3 / CUBES_PER_OBSERVATION;
  const isWithinBudget = work <= budget;
  const components =
    model === null || !isWithinBudget
      ? null
      : fitLineVariances({
          line: model.individual,
          cell: model.cell,
          value: model.value,
          lineCount: individuals.length,
          cellCount: model.cellCount,
          environmentOfCell: model.environmentOfCell,
          isFixedLine: model.checks,
        });
  const { checks = null } = model ?? {};
  const result: TraitMeans = {
    name: column.name,
    unit: column.unit,
    model: model === null ? null : modelTerms(model, reading.design.replicates),
    individuals,
    means: fitted.values,
    standardErrors: standardErrorsOf(fitted),
    observations: fitted.observations,
    flags: flagsOf(fitted),
    n: fitted.values.reduce((count, value) => count + Number(!Number.isNaN(value)), 0),
    residual:
      model === null || model.errorDegrees < 1
        ? null
        : { variance: model.errorSumOfSquares / model.errorDegrees, degrees: model.errorDegrees },
    groups: fitted.groups,
    environments: environmentValues(reading, index),
    checks: checks === null ? [] : individuals.filter((_, i) => checks[i] === 1 && fitted.observations[i] > 0),
    components,
    withoutComponents: components !== null ? null : isWithinBudget ? reasonOf(fitted) : 'not_computed',
    h2EntryMean: fitted.h2,
    h2Cullis: components?.cullisH2 ?? null,
  };
  return { result, work: isWithinBudget ? work : 0 };
}

function standardErrorsOf({ model, values }: AdjustedMeans): Float64Array {
  const none = new Float64Array(values.length).fill(Number.NaN);
  if (model === null || model.errorDegrees < 1) return none;
  // Environments of a group have equal weight, as have the cells of an environment.
  const environmentsOfGroup = new Map<number, Set<number>>();
  const cellsOfEnvironment = new Float64Array(model.environmentCount);
  for (let cell = 0; cell < model.cellCount; cell++) {
    const group = model.groupOfCell[cell];
    const environment = model.environmentOfCell[cell];
    cellsOfEnvironment[environment]++;
    environmentsOfGroup.set(group, (environmentsOfGroup.get(group) ?? new Set()).add(environment));
  }
  const weight = Float64Array.from(
    model.groupOfCell,
    (group, cell) =>
      1 / (environmentsOfGroup.get(group)?.size ?? 1) / cellsOfEnvironment[model.environmentOfCell[cell]],
  );
  return (
    meanStandardErrors({
      line: model.individual,
      cell: model.cell,
      lineCount: values.length,
      cellCount: model.cellCount,
      groupOfLine: model.groupOfIndividual,
      groupOfCell: model.groupOfCell,
      weight,
      residualVariance: model.errorSumOfSquares / model.errorDegrees,
    }) ?? none
  );
}

function flagsOf({ values, observations, model, environments }: AdjustedMeans): (MeanFlag | null)[] {
  const sizes = new Map<number, number>();
  for (const group of model?.groupOfIndividual ?? []) sizes.set(group, (sizes.get(group) ?? 0) + 1);
  sizes.delete(-1);
  const [largest] = [...sizes].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0] ?? [-1];
  return Array.from(values, (value, i) => {
    if (observations[i] === 0) return 'missing';
    if (Number.isNaN(value)) return 'not_estimable';
    if (model === null) return environments > 1 ? 'single_value' : null;
    return model.groupOfIndividual[i] === largest ? null : 'other_group';
  });
}

function reasonOf({ model }: AdjustedMeans): NoComponents {
  if (model === null) return 'single_values';
  return model.cellCount > MAX_FIXED_EFFECTS ? 'too_many_cells' : 'too_few';
}

function environmentValues({ observations, design }: PhenotypeReading, index: number): EnvironmentValues[] {
  const records = observations[index];
  if (records === undefined) return [];
  const values = design.environments.map((): number[] => []);
  for (let i = 0; i < records.value.length; i++) {
    const value = records.value[i] ?? Number.NaN;
    if (!Number.isNaN(value)) values[records.cellEnvironment[records.cell[i] ?? 0] ?? 0]?.push(value);
  }
  return design.environments.flatMap((name, environment): EnvironmentValues[] => {
    const sorted = Float64Array.from(values[environment] ?? []).sort();
    if (sorted.length === 0) return [];
    return [
      {
        name,
        n: sorted.length,
        min: quantile(sorted, 0),
        lowerQuartile: quantile(sorted, 0.25),
        median: quantile(sorted, 0.5),
        upperQuartile: quantile(sorted, 0.75),
        max: quantile(sorted, 1),
      },
    ];
  });
}

/** Linear interpolation between order statistics (Hyndman & Fan 1996, type 7). */
function quantile(sorted: Float64Array, share: number): number {
  const place = share * (sorted.length - 1);
  const below = Math.floor(place);
  const low = sorted[below] ?? Number.NaN;
  const high = sorted[Math.min(sorted.length - 1, below + 1)] ?? Number.NaN;
  return low + (place - below) * (high - low);
}
