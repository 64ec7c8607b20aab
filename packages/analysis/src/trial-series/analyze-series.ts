import { type FileProblem, fileProblem } from '@heterosis/file-formats/problem';
import { createMatrix, type Matrix, setComputeThreads } from '@heterosis/statgen/linear-algebra';
import {
  chooseStructure,
  fitSeries,
  type SeriesFit,
  type TriedStructure,
} from '@heterosis/statgen/trial-series/fit-series';
import { predictSeries, type SeriesPredictions } from '@heterosis/statgen/trial-series/predict-series';
import { createSeries, type SeriesData, type SeriesTrial } from '@heterosis/statgen/trial-series/series-data';
import { identityKernel, type SeriesKernel, seriesKernel } from '@heterosis/statgen/trial-series/series-kernel';
import { type SeriesStructure, structureModel } from '@heterosis/statgen/trial-series/series-structure';
import { type FactorSummary, linksOf, summarizeFactors } from '@heterosis/statgen/trial-series/series-summary';
import { jointRegression, type Stability, stabilityOf } from '@heterosis/statgen/trial-series/stability';
import { type AnalysisContext, AnalysisError, reportProgress } from '../context.ts';
import { matchIndividuals } from '../inputs/match-names.ts';
import { type SeriesRecords, trialOfRecords } from './series-records.ts';
import type { RelationshipKind, SeriesRelationships } from './series-relationships.ts';

export interface SeriesRequest {
  trait: string;
  structure: SeriesStructure | 'auto';
  /** A variance of lines beside the relationships, one an environment: what these do not explain. */
  residualLines: boolean;
  /** Gives the covariance of the prediction errors over all environments, where lines and records are not too many. */
  errorCovariance?: boolean;
}

/** Classical stability from the table of means, of the lines with a mean in every environment. */
export interface ClassicalStability extends Stability {
  lines: string[];
  /** Slopes of Finlay and Wilkinson, and mean squares of the deviations; null where environments do not differ. */
  regression: { slopes: Float64Array; deviations: Float64Array } | null;
}

export interface SeriesResult {
  trait: string;
  relationships: RelationshipKind;
  environments: string[];
  /** Lines of the kernels, all of them predicted. */
  lines: string[];
  /** Number of lines with a mean in each environment. */
  lineCounts: number[];
  data: SeriesData;
  fit: SeriesFit;
  tried: TriedStructure[];
  predictions: SeriesPredictions;
  factors: FactorSummary | null;
  /** Null when fewer than two lines are in every environment. */
  stability: ClassicalStability | null;
  warnings: FileProblem[];
}

/** A series needs relationships for at least this share of its lines. */
const FEWEST_RELATED = 0.5;
const SHOWN_NAMES = 10;

/**
 * The multi-environment model of one trait, from means with their covariance or from plots.
 *
 * @throws AnalysisError `series/unknown-trait`, `series/one-environment`, `series/few-related`, `series/no-links`,
 * `series/residual-lines`; StatgenError of the fit
 */
export function analyzeSeries(
  records: readonly SeriesRecords[],
  relationships: SeriesRelationships,
  request: SeriesRequest,
  context: AnalysisContext,
): SeriesResult {
  setComputeThreads(context.threads);
  const { trials, warnings } = alignSeries(records, relationships, request);
  requireLinks(trials, relationships, request, warnings);
  const data = createSeries(kernelsOf(relationships, request), trials);
  const onStep = (): void => reportProgress(context, 'fit', 0, 1);
  reportProgress(context, 'fit', 0, 1);
  const rest = restOf(relationships, request);
  const { fit, tried } =
    request.structure === 'auto'
      ? chooseStructure(data, rest, { onStep })
      : { fit: fitOf(data, request.structure, rest, onStep), tried: [] };
  reportProgress(context, 'predict', 0, 1);
  return {
    trait: request.trait,
    relationships: relationships.kind,
    environments: trials.map(({ name }) => name),
    lines: relationships.individuals,
    lineCounts: trials.map(({ lines }) => new Set(lines).size),
    data,
    fit,
    tried,
    predictions: predictSeries(data, fit, {
      withCovariance: request.errorCovariance === true && isCovarianceQuick(data, fit),
    }),
    factors: summarizeFactors(data, fit),
    stability: classicalStability(trials, relationships.individuals),
    warnings,
  };
}

/** Lines and operations up to which the covariance of the prediction errors takes seconds and some megabytes. */
const MOST_LINES = 2_000;
const MOST_OPERATIONS = 2e11;

function isCovarianceQuick({ lineCount, trials, columns }: SeriesData, { parameters }: SeriesFit): boolean {
  const records = trials.reduce((sum, { lines }) => sum + lines.length, 0);
  const width = records + parameters.kernelOf.length * lineCount + (columns[trials.length] ?? 0);
  return lineCount <= MOST_LINES && 2 * lineCount ** 2 * width <= MOST_OPERATIONS;
}

/**
 * The trials of one trait by the lines of the kernels.
 *
 * @throws AnalysisError `series/unknown-trait`, `series/one-environment`, `series/few-related`, `series/residual-lines`
 */
export function alignSeries(
  records: readonly SeriesRecords[],
  relationships: SeriesRelationships,
  { trait, residualLines }: Pick<SeriesRequest, 'trait' | 'residualLines'>,
): { trials: SeriesTrial[]; warnings: FileProblem[] } {
  const warnings: FileProblem[] = [];
  const trials = alignedTrials(recordsOfTrait(records, trait), relationships.individuals, warnings);
  if (residualLines && relationships.additive === null) {
    throw new AnalysisError(
      'series/residual-lines',
      'The lines are unrelated: a variance of lines beside their relationships would be the same variance twice.',
      'Give a genotype, a pedigree or a kinship, or leave out the residual lines.',
    );
  }
  return { trials, warnings };
}

function recordsOfTrait(records: readonly SeriesRecords[], trait: string): SeriesRecords[] {
  const own = records.filter((one) => one.trait === trait);
  if (own.length === 0) {
    const traits = [...new Set(records.map((one) => one.trait))];
    throw new AnalysisError(
      'series/unknown-trait',
      `There are no values of "${trait}".`,
      `There are values of ${traits.join(', ')}.`,
      { trait, traits },
    );
  }
  if (own.length === 1) {
    throw new AnalysisError(
      'series/one-environment',
      `${trait} has values in one environment, ${own[0]?.environment}: a series compares several.`,
      'Add other environments.',
      { trait },
    );
  }
  return own;
}

/** More factors are searched from where fewer ended. */
export function fitOf(
  data: SeriesData,
  structure: SeriesStructure,
  rest: readonly SeriesStructure[],
  onStep: () => void,
): SeriesFit {
  if (structure.kind !== 'fa') return fitSeries(data, [structure, ...rest], { onStep });
  // Refuse too many factors before fewer are fitted.
  structureModel(data, [structure, ...rest]);
  let before: SeriesFit | undefined;
  for (let factors = 1; factors < structure.factors; factors++) {
    before = fitSeries(data, [{ kind: 'fa', factors }, ...rest], { onStep, starts: 2 }, before);
  }
  return fitSeries(data, [structure, ...rest], { onStep }, before);
}

export function kernelsOf(
  { additive, dominance, individuals }: SeriesRelationships,
  request: Pick<SeriesRequest, 'residualLines'>,
): SeriesKernel[] {
  const unrelated = (): SeriesKernel => identityKernel(individuals.length);
  return [
    additive === null ? unrelated() : seriesKernel(additive),
    ...(dominance === null ? [] : [seriesKernel(dominance)]),
    ...(request.residualLines ? [unrelated()] : []),
  ];
}

/** Dominance has a variance of lines and one of their interaction, residual lines a variance an environment. */
export function restOf(
  { dominance }: SeriesRelationships,
  { residualLines }: Pick<SeriesRequest, 'residualLines'>,
): SeriesStructure[] {
  return [
    ...(dominance === null ? [] : [{ kind: 'cs' } as const]),
    ...(residualLines ? [{ kind: 'diag' } as const] : []),
  ];
}

/** The means by lines of the kernels; lines without relationships are left out and named. */
function alignedTrials(
  records: readonly SeriesRecords[],
  individuals: readonly string[],
  warnings: FileProblem[],
): SeriesTrial[] {
  const names = [...new Set(records.flatMap(({ lines }) => lines))];
  const { both, onlyLeft } = matchIndividuals(names, individuals, { suggestionsPerName: 0 });
  const placeOf = new Map(individuals.map((name, i) => [name, i]));
  const rowOf = new Map(both.map(({ left, right }) => [left, placeOf.get(right) ?? -1]));
  if (both.length < FEWEST_RELATED * names.length || both.length < 2) {
    throw new AnalysisError(
      'series/few-related',
      `Only ${both.length} of ${names.length} lines with values have relationships.`,
      'Check that the names of both files agree; a series needs the relationships of at least half of its lines.',
      { lines: names.length, related: both.length },
    );
  }
  if (onlyLeft.length > 0) {
    const shown = onlyLeft.slice(0, SHOWN_NAMES).join(', ') + (onlyLeft.length > SHOWN_NAMES ? ', …' : '');
    warnings.push(
      fileProblem('warning', 'W-MN-UNRELATED', {
        message: `${onlyLeft.length} of ${names.length} lines with values have no relationships and are left out: ${shown}.`,
        suggestion: 'Add them to the genotype, pedigree or kinship.',
      }),
    );
  }
  return records.map((own) => {
    const trial = trialOfRecords(own, rowOf);
    const count = new Set(trial.lines).size;
    if (count >= 2) return trial;
    throw new AnalysisError(
      'series/few-related',
      `${own.environment} has ${count} lines with relationships, and needs two.`,
      'Leave the environment out, or check the names of its lines.',
      { environment: own.environment },
    );
  });
}

/** Unrelated lines link environments only where they stand in both. */
function requireLinks(
  trials: readonly SeriesTrial[],
  { additive }: SeriesRelationships,
  { structure }: SeriesRequest,
  warnings: FileProblem[],
): void {
  const { groups } = linksOf(trials);
  if (groups.length === 1) return;
  const named = groups.map((group) => group.map((j) => trials[j]?.name).join(', ')).join('; ');
  if (additive === null && (structure === 'auto' || structure.kind !== 'diag')) {
    throw new AnalysisError(
      'series/no-links',
      `No line links these groups of environments: ${named}.`,
      'Analyse them apart, give relationships of the lines, or choose the structure diag.',
      { groups: groups.length },
    );
  }
  warnings.push(
    fileProblem('warning', 'W-MN-LINKS', {
      message: `No line stands in two of these groups of environments, which are compared by relationships alone: ${named}.`,
      suggestion: 'OK if this is right.',
    }),
  );
}

function classicalStability(trials: readonly SeriesTrial[], individuals: readonly string[]): ClassicalStability | null {
  const values = trials.map(({ lines, y }) => new Map(Array.from(lines, (line, i) => [line, y[i]])));
  const everywhere = [...individuals.keys()].filter((line) => values.every((own) => own.has(line)));
  // Of plots in one stage there is no single value of a line in an environment.
  if (everywhere.length < 2 || trials.some(({ terms }) => terms.length > 0)) return null;
  const table = createMatrix(everywhere.length, trials.length);
  for (const [j, own] of values.entries()) {
    for (const [i, line] of everywhere.entries()) table.data[i + j * table.rows] = own.get(line) ?? Number.NaN;
  }
  const lines = everywhere.map((line) => individuals[line]);
  return { lines, ...stabilityOf(table), regression: regressionOf(table) };
}

function regressionOf(table: Matrix): ClassicalStability['regression'] {
  const { rows: g, columns: e, data } = table;
  const sums = Array.from({ length: e }, (_, j) => data.subarray(j * g, (j + 1) * g).reduce((a, b) => a + b, 0));
  if (sums.every((sum) => sum === sums[0])) return null;
  const { slopes, deviations } = jointRegression(table);
  return { slopes, deviations };
}
