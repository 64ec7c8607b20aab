import type { ByteSource } from '@heterosis/file-formats/byte-source';
import type { PanelBlocks } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import type { PhenotypeTable } from '@heterosis/file-formats/tables/phenotype/phenotype-table';
import { type GwasNull, prepareGwas as prepareNull } from '@heterosis/statgen/association/prepare-gwas';
import {
  type AssociationTest,
  type GwasColumns as BlockColumns,
  createMarkerTester,
  MARKER_TESTED,
} from '@heterosis/statgen/association/test-markers';
import { setComputeThreads } from '@heterosis/statgen/linear-algebra';
import { MINIMUM_INDIVIDUALS } from '@heterosis/statgen/mixed-model/fit-reml';
import { StatgenError } from '@heterosis/statgen/statgen-error';
import { type AnalysisContext, AnalysisError, reportProgress } from '../context.ts';
import { describeError, type ErrorExtra } from '../describe-error.ts';
import { type AlignedTrait, alignPhenotype, type NameMatching } from '../inputs/align-phenotype.ts';
import { type MarkerRange, markerRanges, packedRanges } from '../inputs/open-panel.ts';
import { type KinshipPrecision, panelKinship, panelSelection } from '../inputs/panel-kinship.ts';
import { packRecord, readRecordItem, unpackRecord } from '../results/binary-record.ts';
import {
  type AlignedCovariate,
  type AnalysedCovariate,
  alignCovariates,
  covariateColumns,
  observedPositions,
  requireCovariates,
  requireFewGroups,
} from './covariates.ts';

export interface GwasInput extends NameMatching {
  panel: PanelBlocks;
  phenotype: PhenotypeTable;
  traits: readonly string[];
  test: AssociationTest;
  /** Principal components of the kinship as fixed effects; 0 unless told. */
  fixed?: number;
  /**
   * Columns of the phenotype file as further fixed effects: numbers as they are, words and design columns as groups. Individuals
   * that lack one of them are left out.
   */
  covariates?: readonly string[];
  /** 0.05 unless told; among the individuals of the trait. */
  maf?: number;
  /** 0.9 unless told; among the individuals of the trait. */
  callRate?: number;
  /** Of the kinship; `double` unless told. */
  kinshipPrecision?: KinshipPrecision;
}

/**
 * What the tests of any marker need, for traits observed on the same individuals. Plain data: {@link gwasStateToBytes} makes
 * one block of bytes of it, so that workers can share the markers among them.
 */
export interface GwasState {
  traits: string[];
  test: AssociationTest;
  fixed: number;
  /** What was asked for; `model.covariates` says which of their columns add something. */
  covariates: AnalysedCovariate[];
  /** Individuals with a value that were left out for want of a covariate, one entry a trait. */
  withoutCovariate: number[];
  maf: number;
  callRate: number;
  /** Positions in the panel of the individuals analysed. */
  individuals: Int32Array;
  /** Markers that pass the filters among them. */
  m: number;
  /** Markers of the panel, tested or not. */
  markersRead: number;
  model: GwasNull;
}

export interface PreparedGwas {
  /** Traits observed on the same individuals stand together: they share kinship, decomposition and rotation. */
  states: GwasState[];
  errors: { trait: string; error: ErrorExtra }[];
}

/** Results of one trait for the markers tested, in panel order. */
export interface GwasColumns {
  trait: string;
  test: AssociationTest;
  /** Individuals analysed. */
  n: number;
  /** Place of each marker in the panel. */
  markerIndex: Int32Array;
  freqA2: Float64Array;
  /** Score, (β/sd)² or likelihood ratio, χ² with one degree of freedom. */
  statistic: Float64Array;
  /** Effect of one copy of A2; for SCORE the one-step estimate. */
  beta: Float64Array;
  sd: Float64Array;
  /** h² fitted with the marker; for SCORE that of the null model. */
  h2: Float64Array;
  p: Float64Array;
  negLog10P: Float64Array;
  /** 1 where h² ended at 0 or 0.99. */
  atBound: Uint8Array;
}

const DEFAULTS = { fixed: 0, maf: 0.05, callRate: 0.9 };

/** A trait with the individuals that are analysed. */
interface ObservedTrait {
  trait: AlignedTrait;
  individuals: Int32Array;
  withoutCovariate: number;
}

/**
 * Prepares the association tests: individuals with genotype, value and covariates, filters and standardized kinship among
 * these, its decomposition and the null model of each trait. A trait that cannot be analysed is listed with its reason.
 *
 * @throws AnalysisError when names, traits or covariates do not fit
 */
export async function prepareGwas(input: GwasInput, context: AnalysisContext): Promise<PreparedGwas> {
  const { panel, phenotype, traits } = input;
  setComputeThreads(context.threads);
  reportProgress(context, 'match', 0, 1);
  const names = requireCovariates(phenotype, input.covariates ?? [], traits);
  const aligned = alignPhenotype(panel.samples, phenotype, traits, input);
  const covariates = alignCovariates(panel.samples, phenotype, names, input);
  const observed = aligned.map((trait): ObservedTrait => {
    const { positions, withoutCovariate } = observedPositions(trait, covariates);
    return { trait, individuals: positions, withoutCovariate };
  });
  const prepared: PreparedGwas = { states: [], errors: [] };
  for (const group of Map.groupBy(observed, ({ individuals }) => individuals.join()).values()) {
    await prepareGroup(input, group, covariates, prepared, context);
  }
  return prepared;
}

/** Traits of one group together; when one of them fails, each by itself, so that it does not stop the others. */
async function prepareGroup(
  input: GwasInput,
  group: readonly ObservedTrait[],
  covariates: readonly AlignedCovariate[],
  prepared: PreparedGwas,
  context: AnalysisContext,
): Promise<void> {
  const { panel, test, fixed = DEFAULTS.fixed, maf = DEFAULTS.maf, callRate = DEFAULTS.callRate } = input;
  const { individuals } = group[0];
  try {
    for (const observed of group) requireEnough(observed, covariates);
    const { matrix, analysed } = covariateColumns(covariates, individuals);
    requireFewGroups(analysed, individuals.length, 1 + fixed);
    const { kernels, scan } = await panelKinship(
      {
        panel,
        methods: ['standardized'],
        withMarkerColumns: false,
        maf,
        callRate,
        individuals,
        precision: input.kinshipPrecision ?? 'double',
      },
      context,
    );
    const kinship = kernels.standardized;
    if (kinship === undefined) throw new TypeError('the standardized kinship was not computed');
    const stateOf = (traits: readonly ObservedTrait[]): GwasState => ({
      traits: traits.map(({ trait }) => trait.column.name),
      test,
      fixed,
      covariates: analysed,
      withoutCovariate: traits.map(({ withoutCovariate }) => withoutCovariate),
      maf,
      callRate,
      individuals,
      m: scan.keptCount,
      markersRead: panel.markerCount,
      model: prepareNull({
        kinship,
        traits: traits.map(({ trait }) => Float64Array.from(individuals, (i) => trait.values[i])),
        principalComponents: fixed,
        covariates: matrix,
      }),
    });
    reportProgress(context, 'fit', 0, 1);
    const together = attempt(() => stateOf(group));
    if (together.state !== null) prepared.states.push(together.state);
    else if (group.length === 1) prepared.errors.push({ trait: group[0].trait.column.name, error: together.error });
    else {
      for (const one of group) {
        const alone = attempt(() => stateOf([one]));
        if (alone.state === null) prepared.errors.push({ trait: one.trait.column.name, error: alone.error });
        else prepared.states.push(alone.state);
      }
    }
  } catch (error) {
    const described = describeError(error);
    if (described === null) throw error;
    for (const { trait } of group) prepared.errors.push({ trait: trait.column.name, error: described });
  }
}

/** Before the genotype is read for a kinship; says when it is the covariates that leave too few individuals. */
function requireEnough(
  { trait, individuals, withoutCovariate }: ObservedTrait,
  covariates: readonly AlignedCovariate[],
): void {
  const n = individuals.length;
  if (n >= MINIMUM_INDIVIDUALS) return;
  if (withoutCovariate === 0) {
    throw new StatgenError(
      'too-few-individuals',
      `an association test needs at least ${MINIMUM_INDIVIDUALS} individuals with genotype and phenotype, there are ${n}`,
      { n, minimum: MINIMUM_INDIVIDUALS },
    );
  }
  const names = covariates.map(({ name }) => `"${name}"`).join(', ');
  throw new AnalysisError(
    'analysis/too-few-individuals',
    `Of ${n + withoutCovariate} individuals with genotype and "${trait.column.name}", ${n} have a value of ${names}.`,
    `At least ${MINIMUM_INDIVIDUALS} are needed: fill in the covariates, or leave out those with many gaps.`,
    { n, withoutCovariate },
  );
}

function attempt(prepare: () => GwasState): { state: GwasState; error: null } | { state: null; error: ErrorExtra } {
  try {
    return { state: prepare(), error: null };
  } catch (error) {
    const described = describeError(error);
    if (described === null) throw error;
    return { state: null, error: described };
  }
}

/** Results of some consecutive markers as the kernel gives them: an entry for each marker read, tested or not. */
export interface TestedBlock {
  /** Place in the panel of the first marker. */
  first: number;
  columns: BlockColumns;
}

/**
 * Tests a range of the panel's markers by one or several tests, block by block: what is known of a block before the next one
 * is read is all that is held. Ranges and blocks are independent of each other.
 */
export async function* testBlocks(
  state: GwasState,
  tests: readonly AssociationTest[],
  panel: PanelBlocks,
  range: MarkerRange,
  context: AnalysisContext,
): AsyncGenerator<TestedBlock> {
  setComputeThreads(context.threads);
  const tester = createMarkerTester(state.model, {
    ...panelSelection(panel.samples.length, state.individuals),
    filter: { maf: state.maf, callRate: state.callRate },
    tests,
  });
  const blocks = markerRanges(range.count).map(({ first, count }) => ({ first: range.first + first, count }));
  let block = 0;
  reportProgress(context, 'test', block, blocks.length);
  for await (const { first, count, packed } of packedRanges(panel, blocks)) {
    yield { first, columns: tester.test(packed, count) };
    reportProgress(context, 'test', ++block, blocks.length);
  }
}

/**
 * Tests a range of the panel's markers; ranges are independent of each other. Markers below the limits, monomorphic, or
 * explained by the fixed effects have no entry in the result.
 *
 * @returns one entry a trait of the state
 */
export async function testGwasMarkers(
  state: GwasState,
  panel: PanelBlocks,
  range: MarkerRange,
  context: AnalysisContext,
): Promise<GwasColumns[]> {
  const parts: GwasColumns[][] = state.traits.map(() => []);
  for await (const { first, columns } of testBlocks(state, [state.test], panel, range, context)) {
    const tested = testedMarkers(columns);
    for (const [t, trait] of state.traits.entries()) {
      const results = columns.traits[t][state.test];
      if (results === undefined) throw new TypeError(`the test ${state.test} was not run`);
      parts[t].push({
        trait,
        test: state.test,
        n: state.model.n,
        markerIndex: tested.map((j) => first + j),
        freqA2: gather(columns.frequencyA2, tested),
        statistic: gather(results.statistic, tested),
        beta: gather(results.beta, tested),
        sd: gather(results.se, tested),
        h2: gather(results.h2, tested),
        p: gather(results.p, tested),
        negLog10P: gather(results.negLog10P, tested),
        atBound: Uint8Array.from(tested, (j) => results.atBound[j]),
      });
    }
  }
  return parts.map((columns, t) =>
    concatColumns(columns, { trait: state.traits[t], test: state.test, n: state.model.n }),
  );
}

/** Places within a block of the markers that have results. */
export function testedMarkers(columns: BlockColumns): Int32Array {
  const places = new Int32Array(columns.count);
  let count = 0;
  for (let j = 0; j < columns.count; j++) if (columns.status[j] === MARKER_TESTED) places[count++] = j;
  return places.subarray(0, count);
}

function gather(values: Float64Array, places: Int32Array): Float64Array {
  const chosen = new Float64Array(places.length);
  for (let i = 0; i < places.length; i++) chosen[i] = values[places[i]];
  return chosen;
}

/** Results of consecutive ranges as one; `of` describes the trait in case there is no part. */
export function concatColumns(
  parts: readonly GwasColumns[],
  of: Pick<GwasColumns, 'trait' | 'test' | 'n'> | undefined = parts.at(0),
): GwasColumns {
  if (of === undefined) throw new RangeError('there are no parts to put together');
  const length = parts.reduce((sum, part) => sum + part.p.length, 0);
  const floats = (key: 'freqA2' | 'statistic' | 'beta' | 'sd' | 'h2' | 'p' | 'negLog10P'): Float64Array =>
    joined(
      new Float64Array(length),
      parts.map((part) => part[key]),
    );
  return {
    trait: of.trait,
    test: of.test,
    n: of.n,
    markerIndex: joined(
      new Int32Array(length),
      parts.map((part) => part.markerIndex),
    ),
    freqA2: floats('freqA2'),
    statistic: floats('statistic'),
    beta: floats('beta'),
    sd: floats('sd'),
    h2: floats('h2'),
    p: floats('p'),
    negLog10P: floats('negLog10P'),
    atBound: joined(
      new Uint8Array(length),
      parts.map((part) => part.atBound),
    ),
  };
}

function joined<A extends Float64Array | Int32Array | Uint8Array>(whole: A, parts: readonly A[]): A {
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** A state as bytes, for other processes and machines. */
export function gwasStateToBytes(state: GwasState): Uint8Array {
  return packRecord(state);
}

/** Reads what {@link gwasStateToBytes} wrote. Throws RangeError for anything else. */
export function gwasStateFromBytes(bytes: Uint8Array): GwasState {
  return unpackRecord<GwasState>(bytes);
}

/** Results of a range as bytes. */
export function columnsToBytes(columns: readonly GwasColumns[]): Uint8Array {
  return packRecord(columns);
}

/** The results of one trait only. Throws RangeError for what {@link columnsToBytes} has not written. */
export function readColumns(source: Pick<ByteSource, 'read'>, trait: number): Promise<GwasColumns> {
  return readRecordItem<GwasColumns>(source, trait);
}

/** Entries `from` … `end − 1` of the columns; shares their memory. */
export function partOfColumns(columns: GwasColumns, from: number, end: number): GwasColumns {
  return {
    trait: columns.trait,
    test: columns.test,
    n: columns.n,
    markerIndex: columns.markerIndex.subarray(from, end),
    freqA2: columns.freqA2.subarray(from, end),
    statistic: columns.statistic.subarray(from, end),
    beta: columns.beta.subarray(from, end),
    sd: columns.sd.subarray(from, end),
    h2: columns.h2.subarray(from, end),
    p: columns.p.subarray(from, end),
    negLog10P: columns.negLog10P.subarray(from, end),
    atBound: columns.atBound.subarray(from, end),
  };
}
