import type { BlockDosages } from '@heterosis/file-formats/genotype/panel/dosages';
import type { GenotypePanel } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import { packedLength } from '@heterosis/file-formats/genotype/panel/packed-calls';
import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';
import {
  createCandidateReliability,
  type ReliabilityModel,
} from '@heterosis/statgen/genomic-prediction/candidate-reliability';
import { type CallCounts, countCalls, frequencyA2 } from '@heterosis/statgen/genotypes/call-counts';
import { type CallValues, decodeBlock } from '@heterosis/statgen/genotypes/decode-block';
import {
  divisorOf,
  KINSHIP_CODINGS,
  type KinshipMethod,
  kinshipDivisor,
} from '@heterosis/statgen/kinship/accumulate-kinship';
import {
  addOuterProduct,
  createMatrix,
  type Matrix,
  mirrorLower,
  multiply,
  selectRowsAndColumns,
  setComputeThreads,
} from '@heterosis/statgen/linear-algebra';
import { unpackErrors } from '@heterosis/statgen/mixed-model/whitening';
import { type AnalysisContext, AnalysisError, reportProgress } from '../../context.ts';
import { type MarkerMatch, matchMarkers } from '../../inputs/match-markers.ts';
import { type RangeCalls, readRange } from '../../inputs/open-panel.ts';
import { kernelMethods } from '../train-model.ts';
import type { TrainedModel, TraitFit } from '../trained-model.ts';

/** Reliabilities by the individuals predicted. */
export interface CandidateReliability {
  /** Of breeding values. */
  breeding: Float64Array;
  /** Prediction error variances of breeding values. */
  pev: Float64Array;
  /** Of genotypic values; null without dominance. */
  genotypic: Float64Array | null;
}

/** Individuals of a panel, with the markers of a model in it. */
export interface PanelIndividuals {
  panel: GenotypePanel;
  match: MarkerMatch;
  /** Positions in the panel. */
  individuals: Int32Array;
}

/** Markers decoded at a time. */
const MARKERS_PER_PRODUCT = 512;
/** Maximum number of candidate × training kinship entries held in memory. */
const ENTRIES_AT_A_TIME = 3e7;
/** The frequencies of a model and of its training genotype differ by rounding at most. */
const SAME_FREQUENCY = 1e-9;
/** Four missing calls. */
const ALL_MISSING = 0b01010101;

/**
 * Reliabilities of any individuals, computed from the training genotypes. Kinships use the markers, allele
 * frequencies and divisor of the model. Missing calls and markers that the candidates lack take the training mean,
 * which lowers the kinship. Memory O(n² + n · candidates), with candidates processed in chunks; time O(n²m + n ·
 * candidates · (n + m)).
 *
 * @param match markers of the model in the panel of the candidates
 * @returns one a trait given
 * @throws AnalysisError `predictions/not-the-training-genotype`
 */
export async function candidateReliabilities(
  input: {
    model: TrainedModel;
    fits: readonly TraitFit[];
    training: GenotypePanel;
    panel: GenotypePanel;
    match: MarkerMatch;
  },
  context: AnalysisContext,
): Promise<CandidateReliability[]> {
  const { model, fits, panel, match } = input;
  setComputeThreads(context.threads);
  const training = trainingPanel(model, input.training);
  const candidates: PanelIndividuals = { panel, match, individuals: Int32Array.from(panel.samples.keys()) };
  const results = new Map<TraitFit, CandidateReliability>();
  // Without dominance, p comes from all genotyped individuals and the traits share one kinship.
  const groups = model.settings.dominance ? fits.map((fit) => [fit]) : fits.length > 0 ? [fits] : [];
  for (const group of groups) {
    const observed = model.settings.dominance ? observedIn(group[0]) : null;
    const parts = await kinshipParts({ model, observed, training, candidates }, context);
    const reliabilityOf = group.map((fit) => createCandidateReliability(reliabilityModel(fit, parts.kernels)));
    for (const fit of group) {
      const count = panel.samples.length;
      const genotypic = fit.dominance === null ? null : new Float64Array(count);
      results.set(fit, { breeding: new Float64Array(count), pev: new Float64Array(count), genotypic });
    }
    for await (const { first, across, own } of parts.chunks()) {
      for (const [k, fit] of group.entries()) {
        const seen = observedIn(fit);
        const everyone = Int32Array.from({ length: own[0].length }, (_, i) => i);
        const chunk = { across: across.map((matrix) => selectRowsAndColumns(matrix, seen, everyone)), own };
        const result = results.get(fit);
        const breeding = reliabilityOf[k](chunk, [0]);
        result?.breeding.set(breeding, first);
        result?.pev.set(
          breeding.map((share, i) => fit.variance.additive * own[0][i] * (1 - share)),
          first,
        );
        result?.genotypic?.set(reliabilityOf[k](chunk, [0, 1]), first);
      }
    }
  }
  return fits.flatMap((fit) => results.get(fit) ?? []);
}

/** Individuals of the model with an observed value of a trait. */
export function observedIn({ observed }: TraitFit): Int32Array {
  return Int32Array.from(observed.keys()).filter((i) => !Number.isNaN(observed[i]));
}

/** What reliabilities rest on, of kernels among the individuals of the model. */
export function reliabilityModel(fit: TraitFit, kernels: readonly Matrix[]): ReliabilityModel {
  const observed = observedIn(fit);
  const n = observed.length;
  const x = createMatrix(n, 1 + fit.design.length);
  x.data.fill(1, 0, n);
  for (const [k, column] of fit.design.entries()) x.data.set(column, (k + 1) * n);
  const { additive, dominance, residual } = fit.variance;
  return {
    kernels: kernels.map((kernel) => selectRowsAndColumns(kernel, observed, observed)),
    variances: dominance === null ? [additive] : [additive, dominance],
    residual,
    ...(fit.errors === undefined ? {} : { errors: unpackErrors(fit.errors.covariance, n) }),
    x,
  };
}

/**
 * The genotypes that a model was trained on: those given, or those predicted where these hold all individuals.
 *
 * @param why what needs them, as the beginning of a sentence that goes on with "the individuals of the training"
 * @throws AnalysisError `predictions/training-genotype`
 */
export function trainingGenotype(
  { model, training, panel }: { model: TrainedModel; training: GenotypePanel | undefined; panel: GenotypePanel },
  why: string,
): GenotypePanel {
  if (training !== undefined) return training;
  const samples = new Set(panel.samples);
  const absent = model.individuals.filter((name) => !samples.has(name)).length;
  if (absent === 0) return panel;
  throw new AnalysisError(
    'predictions/training-genotype',
    `${why} the individuals of the training, and the genotype lacks ${groupedNumber(absent)} of these ${groupedNumber(model.individuals.length)}.`,
    'Give the genotype of the training too (--genotype-train), or a genotype that holds these individuals as well.',
    { absent },
  );
}

/**
 * Finds the individuals and markers of a model in its training genotype.
 *
 * @throws AnalysisError `predictions/not-the-training-genotype`
 */
export function trainingPanel(model: TrainedModel, panel: GenotypePanel): PanelIndividuals {
  const place = new Map(panel.samples.map((name, i) => [name, i]));
  const individuals = Int32Array.from(model.individuals, (name) => place.get(name) ?? -1);
  const absent = model.individuals.filter((_, i) => individuals[i] < 0);
  if (absent.length > 0) {
    throw notTraining(
      `${groupedNumber(absent.length)} individuals of the model are not in it, the first is "${absent[0]}"`,
    );
  }
  const match = matchMarkers(model.markers, panel.markers);
  if (match.missing > 0) throw notTraining(`it lacks ${groupedNumber(match.missing)} markers of the model`);
  return { panel, match, individuals };
}

function notTraining(reason: string): AnalysisError {
  return new AnalysisError(
    'predictions/not-the-training-genotype',
    `The genotype given is not the one that the model was trained on: ${reason}.`,
    'Give the genotype file of the training, or leave it out: reliabilities of new individuals then stay empty.',
  );
}

export interface KinshipParts {
  kernels: Matrix[];
  /** Of the products of marker codes, one a kernel. */
  divisors: number[];
  chunks(): AsyncGenerator<{ first: number; across: Matrix[]; own: Float64Array[] }>;
}

/**
 * Kinships among the individuals of the model, and an iterator over those with the candidates.
 *
 * @param observed individuals of the model whose allele frequencies count, null for all
 * @param further individuals that stand beside those of the model, after them
 */
export async function kinshipParts(
  {
    model,
    observed,
    training,
    candidates,
    further,
  }: {
    model: TrainedModel;
    observed: Int32Array | null;
    training: PanelIndividuals;
    candidates: PanelIndividuals;
    further?: PanelIndividuals;
  },
  context: AnalysisContext,
): Promise<KinshipParts> {
  const methods = kernelMethods(model.settings);
  const size = training.individuals.length + (further?.individuals.length ?? 0);
  const frequenciesOf = observed === null ? undefined : observed.map((i) => training.individuals[i]);
  const kernels = methods.map(() => createMatrix(size, size));
  const sums = methods.map(() => 0);
  const blocks = markerBlocks(model, training, frequenciesOf);
  for (let block = 0; block < blocks.count; block++) {
    reportProgress(context, 'kinship', block, blocks.count);
    const { counts, base, trained, coded } = await blocks.read(block, methods);
    const beside =
      further === undefined ? null : await callsOf(further, block * MARKERS_PER_PRODUCT, blocks.sizeOf(block));
    requireFrequencies(model, training.match, counts, block * MARKERS_PER_PRODUCT);
    const markers = Int32Array.from({ length: counts.missing.length }, (_, j) => j);
    for (const [k, method] of methods.entries()) {
      addOuterProduct(kernels[k], stacked(trained(coded[k]), turned(further, beside, coded[k], block)));
      sums[k] += divisorOf(method, counts, base, markers);
    }
  }
  reportProgress(context, 'kinship', blocks.count, blocks.count);
  function turned(of: PanelIndividuals | undefined, calls: RangeCalls | null, values: CallValues, block: number) {
    if (of === undefined || calls === null) return null;
    return decoded(of, calls, turnedAs(values, block * MARKERS_PER_PRODUCT, training.match, of.match));
  }
  const divisors = methods.map((method, k) => kinshipDivisor(method, sums[k]));
  for (const [k, kernel] of kernels.entries()) {
    for (let i = 0; i < kernel.data.length; i++) kernel.data[i] /= divisors[k];
    mirrorLower(kernel);
  }
  const perChunk = Math.max(1, Math.floor(ENTRIES_AT_A_TIME / size));
  async function* chunks(): AsyncGenerator<{ first: number; across: Matrix[]; own: Float64Array[] }> {
    for (let first = 0; first < candidates.individuals.length; first += perChunk) {
      const part = { ...candidates, individuals: candidates.individuals.subarray(first, first + perChunk) };
      const across = methods.map(() => createMatrix(size, part.individuals.length));
      const own = methods.map(() => new Float64Array(part.individuals.length));
      for (let block = 0; block < blocks.count; block++) {
        const { trained, coded } = await blocks.read(block, methods);
        const from = block * MARKERS_PER_PRODUCT;
        const calls = await callsOf(part, from, blocks.sizeOf(block));
        const beside = further === undefined ? null : await callsOf(further, from, blocks.sizeOf(block));
        for (const [k, values] of coded.entries()) {
          const z = decoded(part, calls, turnedAs(values, from, training.match, part.match));
          multiply(stacked(trained(values), turned(further, beside, values, block)), z, {
            transposeB: true,
            alpha: 1 / divisors[k],
            beta: 1,
            into: across[k],
          });
          addSquares(z, divisors[k], own[k]);
        }
      }
      yield { first, across, own };
    }
  }
  return { kernels, divisors, chunks };
}

/** Reads the model's markers block by block from the training genotype. */
function markerBlocks(model: TrainedModel, training: PanelIndividuals, frequenciesOf: Int32Array | undefined) {
  const markers = model.markers.id.length;
  const panelSize = training.panel.samples.length;
  const sizeOf = (block: number): number => Math.min(MARKERS_PER_PRODUCT, markers - block * MARKERS_PER_PRODUCT);
  return {
    count: Math.ceil(markers / MARKERS_PER_PRODUCT),
    sizeOf,
    async read(block: number, methods: readonly KinshipMethod[]) {
      const count = sizeOf(block);
      const calls = await callsOf(training, block * MARKERS_PER_PRODUCT, count);
      const { packed, dosages } = calls;
      const counts = countCalls(packed, count, { panelSize, individuals: training.individuals }, dosages);
      const base =
        frequenciesOf === undefined
          ? counts
          : countCalls(packed, count, { panelSize, individuals: frequenciesOf }, dosages);
      return {
        counts,
        base,
        coded: methods.map((method) => KINSHIP_CODINGS[method](counts, base)),
        trained: (values: CallValues) => decoded(training, calls, values),
      };
    },
  };
}

function requireFrequencies(model: TrainedModel, match: MarkerMatch, counts: CallCounts, first: number): void {
  for (let j = 0; j < counts.missing.length; j++) {
    const p = frequencyA2(counts, j);
    const frequency = match.isSwapped[first + j] === 1 ? 1 - p : p;
    if (Math.abs(frequency - model.markers.freqA2[first + j]) <= SAME_FREQUENCY) continue;
    throw notTraining(`marker ${model.markers.id[first + j]} has another allele frequency in it`);
  }
}

/** Calls of consecutive model markers in a panel, which may order them differently; missing for markers it lacks. */
async function callsOf({ panel, match }: PanelIndividuals, first: number, count: number): Promise<RangeCalls> {
  const n = panel.samples.length;
  const stride = packedLength(n);
  const packed = new Uint8Array(count * stride).fill(ALL_MISSING);
  const rows = new Int32Array(count).fill(-1);
  const fractional: BlockDosages['values'][] = [];
  let ploidy: number | undefined;
  for (let j = 0; j < count; ) {
    const start = match.panelIndex[first + j];
    let next = j + 1;
    for (let at = start; at >= 0 && next < count && match.panelIndex[first + next] === at + 1; at++) next++;
    if (start >= 0) {
      const calls = await readRange(panel, { first: start, count: next - j });
      packed.set(calls.packed, j * stride);
      for (const [k, row] of calls.dosages?.rows.entries() ?? []) {
        if (row < 0 || calls.dosages === undefined) continue;
        ({ ploidy } = calls.dosages);
        rows[j + k] = fractional.push(calls.dosages.values.subarray(row * n, (row + 1) * n)) - 1;
      }
    }
    j = next;
  }
  if (fractional.length === 0) return { packed, dosages: undefined };
  const size = fractional.length * n;
  const values = ploidy === undefined ? new Uint16Array(size) : new Uint32Array(size);
  for (const [row, units] of fractional.entries()) values.set(units, row * n);
  return { packed, dosages: { rows, values, ...(ploidy === undefined ? {} : { ploidy }) } };
}

/** Values of calls, with alleles swapped at markers where the two panels count different alleles. */
function turnedAs(values: CallValues, first: number, one: MarkerMatch, other: MarkerMatch): CallValues {
  const turned = values.slice();
  for (let j = 0; 4 * j < values.length; j++) {
    if (one.isSwapped[first + j] === other.isSwapped[first + j]) continue;
    turned[4 * j] = values[4 * j + 3];
    turned[4 * j + 3] = values[4 * j];
  }
  return turned;
}

/** Individuals × markers. */
function decoded(
  { panel, individuals }: PanelIndividuals,
  { packed, dosages }: RangeCalls,
  values: CallValues,
): Matrix {
  const count = values.length / 4;
  const z = createMatrix(individuals.length, count);
  const selection = { panelSize: panel.samples.length, individuals };
  decodeBlock(
    packed,
    count,
    selection,
    Int32Array.from({ length: count }, (_, j) => j),
    values,
    z.data,
    dosages,
  );
  return z;
}

/** Rows of two matrices under each other. */
function stacked(upper: Matrix, lower: Matrix | null): Matrix {
  if (lower === null) return upper;
  const both = createMatrix(upper.rows + lower.rows, upper.columns);
  for (let j = 0; j < upper.columns; j++) {
    both.data.set(upper.data.subarray(j * upper.rows, (j + 1) * upper.rows), j * both.rows);
    both.data.set(lower.data.subarray(j * lower.rows, (j + 1) * lower.rows), j * both.rows + upper.rows);
  }
  return both;
}

function addSquares(z: Matrix, divisor: number, into: Float64Array): void {
  for (let j = 0; j < z.columns; j++) {
    for (let i = 0; i < z.rows; i++) into[i] += z.data[i + j * z.rows] ** 2 / divisor;
  }
}
