import { DOSAGE_UNITS, POLYPLOID_UNITS, ploidyOf } from '@heterosis/file-formats/genotype/panel/dosages';
import type { PanelBlocks } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import type { PhenotypeTable } from '@heterosis/file-formats/tables/phenotype/phenotype-table';
import type { CovariateUse } from '@heterosis/statgen/association/add-covariates';
import { type GeneAction, geneActionColumns } from '@heterosis/statgen/association/gene-actions/gene-actions';
import {
  createGeneActionTester,
  type GeneActionTests,
} from '@heterosis/statgen/association/gene-actions/test-gene-actions';
import { fixedEffectsOf } from '@heterosis/statgen/association/prepare-gwas';
import { countCalls, frequencyA2, type MarkerFilter, passesFilter } from '@heterosis/statgen/genotypes/call-counts';
import { dosageClasses, NO_CLASS } from '@heterosis/statgen/genotypes/dosage-classes';
import {
  addOuterProduct,
  createMatrix,
  type Matrix,
  matrixOf,
  mirrorLower,
  setComputeThreads,
} from '@heterosis/statgen/linear-algebra';
import { MINIMUM_INDIVIDUALS } from '@heterosis/statgen/mixed-model/fit-reml';
import { type AnalysisContext, AnalysisError, reportProgress } from '../../context.ts';
import type { EngineTask } from '../../engine/engine-task.ts';
import { measureRates, usableMemoryMb } from '../../engine/machine-rates.ts';
import { estimateGeneActions } from '../../engine/plan-engine.ts';
import { alignPhenotype, type NameMatching } from '../../inputs/align-phenotype.ts';
import {
  type AnalysedCovariate,
  alignCovariates,
  type CovariateChoice,
  covariateColumns,
  observedPositions,
  requireCovariates,
  requireFewGroups,
} from '../../inputs/covariates.ts';
import { type MarkerRange, markerRanges, type RangeCalls, readRange } from '../../inputs/open-panel.ts';

export interface GeneActionInput extends NameMatching, MarkerFilter {
  panel: PanelBlocks;
  phenotype: PhenotypeTable;
  trait: string;
  covariates: readonly (string | CovariateChoice)[];
  /** Principal components of the kinship as fixed effects. */
  fixed: number;
  actions: readonly GeneAction[];
  /** Tests the markers of each chromosome with the kinship of all others. */
  leaveOneChromosomeOut?: boolean;
}

/** The model of a trait without marker, and its tests. */
export interface GeneActionScan {
  trait: string;
  /** Panel positions of the individuals analysed. */
  individuals: Int32Array;
  markersRead: number;
  withoutCovariate: number;
  /** As requested, with the outcome of each. */
  covariates: { analysed: AnalysedCovariate[]; uses: CovariateUse[] };
  /** Columns of X, the intercept among them. */
  fixedEffects: number;
  nullModel: { h2: number; kinshipVariance: number; residualVariance: number; logLikelihood: number };
  /** The tests of all markers, in the order of the panel; where chromosomes are left out, one after the other. */
  blocks(): AsyncGenerator<GeneActionBlock>;
}

/** The tests of consecutive markers, by marker and action. */
export interface GeneActionBlock extends MarkerRange {
  tested: TestedAction[];
}

/** A marker tested under a gene action. */
export interface TestedAction {
  /** Panel index. */
  marker: number;
  freqA2: number;
  action: GeneAction;
  tests: GeneActionTests;
}

/**
 * Tests markers under gene actions of polyploids, exactly and by P3D, see `createGeneActionTester`. Missing dosages are
 * the mode among all that are genotyped, the smallest of several; fractional dosages count as they are where the action
 * is additive and as the nearest class elsewhere. K = CCᵀ over its mean diagonal, C the dosages of all markers that
 * pass the limits, centred on the individuals analysed; `nullModel` and principal components are those of this K even
 * where chromosomes are left out. O(n²m) time; the panel is read twice, and once more to leave chromosomes out.
 *
 * @throws AnalysisError when names, traits or covariates do not match
 */
export async function scanGeneActions(input: GeneActionInput, context: AnalysisContext): Promise<GeneActionScan> {
  const { panel } = input;
  setComputeThreads(context.threads);
  reportProgress(context, 'match', 0, 1);
  const { trait, covariates, individuals, withoutCovariate } = observedIn(input);
  const n = individuals.length;
  const { matrix, analysed } = covariateColumns(covariates, individuals);
  requireFewGroups(analysed, n, 1 + input.fixed);
  const all = await crossProductOf(input, individuals, [{ first: 0, count: panel.markerCount }], context);
  const kinship = kinshipOf(all);
  const { x, uses } = fixedEffectsOf({ kinship, principalComponents: input.fixed, covariates: matrix });
  reportProgress(context, 'fit', 0, 1);
  const y = Float64Array.from(individuals, (i) => trait.values[i]);
  const tester = createGeneActionTester(kinship, x, y);
  return {
    trait: trait.column.name,
    individuals,
    markersRead: panel.markerCount,
    withoutCovariate,
    covariates: { analysed, uses },
    fixedEffects: x.columns,
    nullModel: tester.nullModel,
    blocks:
      input.leaveOneChromosomeOut === true
        ? () => blocksByChromosome({ input, individuals, all, x, y }, context)
        : () => blocksOf(input, individuals, { tester, runs: [{ first: 0, count: panel.markerCount }] }, context),
  };
}

/** The individuals with genotype, value and covariates. */
function observedIn(input: GeneActionInput) {
  const { panel, phenotype, trait: name } = input;
  const choices = requireCovariates(phenotype, input.covariates, [name]);
  const [trait] = alignPhenotype(panel.samples, phenotype, [name], input);
  if (trait === undefined) throw new TypeError('no trait was asked for');
  const covariates = alignCovariates(panel.samples, phenotype, choices, input);
  const { positions: individuals, withoutCovariate } = observedPositions(trait, covariates);
  const n = individuals.length;
  if (n < MINIMUM_INDIVIDUALS) {
    throw new AnalysisError(
      'analysis/too-few-individuals',
      `${n} individuals have genotype, "${name}" and covariates; at least ${MINIMUM_INDIVIDUALS} are needed.`,
      'Add individuals, or check that the names agree.',
      { n },
    );
  }
  return { trait, covariates, individuals, withoutCovariate };
}

/**
 * What the tests take on this machine, from names and phenotypes alone; of a marker with all classes of dosage.
 *
 * @throws AnalysisError as `scanGeneActions` when names, traits or covariates do not match
 */
export async function estimateGeneActionScan(
  input: GeneActionInput,
  { threads }: AnalysisContext,
): Promise<ReturnType<typeof estimateGeneActions>> {
  const { panel, actions, leaveOneChromosomeOut = false } = input;
  const ploidy = ploidyOf(panel);
  const observed = observedIn(input).individuals.length;
  const runs = leaveOneChromosomeOut ? await panel.chromosomeRuns() : [];
  const task: EngineTask = {
    ...{
      analysis: 'gwas',
      individuals: panel.samples.length,
      observed,
      markers: panel.markerCount,
      traits: 1,
      groups: 1,
    },
    ...{ needsIndividuals: null, needsMarkers: null },
    geneActions: actions.map((action) => (action === 'general' ? ploidy : action === 'diplo-general' ? 2 : 1)),
    chromosomesLeftOut: new Set(runs.map(({ chromosome }) => chromosome)).size,
  };
  return estimateGeneActions(task, { threads, memoryMb: usableMemoryMb(), rates: measureRates() });
}

async function* blocksByChromosome(
  {
    input,
    individuals,
    all,
    x,
    y,
  }: {
    input: GeneActionInput;
    individuals: Int32Array;
    /** CCᵀ of all chromosomes. */
    all: Matrix;
    x: Matrix;
    y: Float64Array;
  },
  context: AnalysisContext,
): AsyncGenerator<GeneActionBlock> {
  const chromosomes = Map.groupBy(await input.panel.chromosomeRuns(), ({ chromosome }) => chromosome);
  for (const runs of chromosomes.values()) {
    const others = await crossProductOf(input, individuals, runs, context);
    for (let i = 0; i < others.data.length; i++) others.data[i] = all.data[i] - others.data[i];
    const tester = createGeneActionTester(kinshipOf(others), x, y);
    yield* blocksOf(input, individuals, { tester, runs }, context);
  }
}

/** CCᵀ of the markers of some ranges, C centred on the individuals analysed; the lower triangle. */
async function crossProductOf(
  input: GeneActionInput,
  individuals: Int32Array,
  runs: readonly MarkerRange[],
  context: AnalysisContext,
): Promise<Matrix> {
  const n = individuals.length;
  const kernel = createMatrix(n, n);
  const ranges = runs.flatMap((run) => rangesWithin(run));
  for (const [block, range] of ranges.entries()) {
    reportProgress(context, 'kinship', block, ranges.length);
    const columns: Float64Array[] = [];
    for await (const { copies } of filledMarkers(input, individuals, range)) {
      const mean = copies.reduce((sum, value) => sum + value, 0) / n;
      columns.push(copies.map((value) => value - mean));
    }
    addOuterProduct(kernel, joined(columns, n));
  }
  return kernel;
}

const rangesWithin = ({ first, count }: MarkerRange, size?: number): MarkerRange[] =>
  markerRanges(count, size).map((range) => ({ first: first + range.first, count: range.count }));

/** Both triangles of a cross-product over its mean diagonal. */
function kinshipOf(crossProduct: Matrix): Matrix {
  const n = crossProduct.rows;
  const kernel = matrixOf(n, n, crossProduct.data.slice());
  let trace = 0;
  let largest = 0;
  for (let i = 0; i < n; i++) {
    trace += kernel.data[i * (n + 1)];
    largest = Math.max(largest, kernel.data[i * (n + 1)]);
  }
  // What is left of a difference by rounding is no kinship.
  if (!(trace > 0 && largest > ROUNDING * n)) {
    throw new AnalysisError(
      'gwas/no-markers-left',
      'No marker that passes the limits, besides those of a chromosome that is left out, varies among the individuals analysed.',
      'Lower the limits of allele frequency and call rate; with markers of one chromosome alone, leave none out.',
    );
  }
  for (let i = 0; i < kernel.data.length; i++) kernel.data[i] *= n / trace;
  return mirrorLower(kernel);
}

/** Squares of copies below this, a marker and individual, are differences of equal sums. */
const ROUNDING = 1e-9;

interface FilledMarker {
  /** In the range. */
  place: number;
  freqA2: number;
  copies: Float64Array;
  classes: Uint8Array;
}

/** Markers of a range that pass the limits among the individuals analysed, missing dosages filled with the mode. */
async function* filledMarkers(
  { panel, maf, callRate }: GeneActionInput,
  individuals: Int32Array,
  range: MarkerRange,
): AsyncGenerator<FilledMarker> {
  const calls = await readRange(panel, range);
  const selection = { panelSize: panel.samples.length, individuals };
  const counts = countCalls(calls.packed, range.count, selection, calls.dosages);
  const everybody = new Uint8Array(panel.samples.length);
  for (let place = 0; place < range.count; place++) {
    if (!passesFilter(counts, place, { maf, callRate })) continue;
    dosageClasses(calls, place, { panelSize: panel.samples.length }, everybody);
    const mode = modeOf(everybody);
    const own = copiesOf(calls, place, everybody);
    const classes = Uint8Array.from(individuals, (i) => (everybody[i] === NO_CLASS ? mode : everybody[i]));
    const copies = Float64Array.from(individuals, (i) => (everybody[i] === NO_CLASS ? mode : own(i)));
    yield { place, freqA2: frequencyA2(counts, place), copies, classes };
  }
}

/** Copies of A2 of an individual of the panel with a call. */
function copiesOf({ dosages }: RangeCalls, place: number, classes: Uint8Array): (i: number) => number {
  const row = dosages?.rows[place] ?? -1;
  if (dosages === undefined || row < 0) return (i) => classes[i];
  const perCopy = dosages.ploidy === undefined ? DOSAGE_UNITS : POLYPLOID_UNITS;
  const from = row * classes.length;
  return (i) => dosages.values[from + i] / perCopy;
}

/** The most frequent class; the smallest of several, 0 where all are missing. */
function modeOf(classes: Uint8Array): number {
  const counts = new Int32Array(256);
  for (const one of classes) counts[one]++;
  let mode = 0;
  for (let one = 1; one < NO_CLASS; one++) if (counts[one] > counts[mode]) mode = one;
  return mode;
}

function joined(columns: readonly Float64Array[], n: number): Matrix {
  const matrix = createMatrix(n, columns.length);
  for (const [j, column] of columns.entries()) matrix.data.set(column, j * n);
  return matrix;
}

/** Numbers in the columns of a block at a time, about: each marker has as many as it has classes, for each action. */
const BLOCK_NUMBERS = 1 << 22;
const MOST_BLOCK_MARKERS = 256;

async function* blocksOf(
  input: GeneActionInput,
  individuals: Int32Array,
  { tester, runs }: { tester: ReturnType<typeof createGeneActionTester>; runs: readonly MarkerRange[] },
  context: AnalysisContext,
): AsyncGenerator<GeneActionBlock> {
  const { panel, actions } = input;
  const n = individuals.length;
  const ploidy = ploidyOf(panel);
  const affordable = Math.floor(BLOCK_NUMBERS / (n * (actions.length + 2 * ploidy)));
  const size = Math.max(1, Math.min(MOST_BLOCK_MARKERS, affordable));
  const ranges = runs.flatMap((run) => rangesWithin(run, size));
  for (const [block, range] of ranges.entries()) {
    reportProgress(context, 'test', block, ranges.length);
    const asked: (Omit<TestedAction, 'tests'> & { from: number; to: number })[] = [];
    const columns: Float64Array[] = [];
    for await (const { place, freqA2, ...dosages } of filledMarkers(input, individuals, range)) {
      for (const action of actions) {
        const own = geneActionColumns(action, { ...dosages, ploidy });
        if (own === null) continue;
        const from = columns.length;
        columns.push(...own);
        asked.push({ marker: range.first + place, freqA2, action, from, to: columns.length });
      }
    }
    const rotated = tester.rotate(joined(columns, n)).data;
    const tested = asked.flatMap(({ from, to, ...one }): TestedAction[] => {
      const own = Array.from({ length: to - from }, (_, k) => rotated.subarray((from + k) * n, (from + k + 1) * n));
      const tests = tester.test(own);
      return tests === null ? [] : [{ ...one, tests }];
    });
    yield { ...range, tested };
  }
}
