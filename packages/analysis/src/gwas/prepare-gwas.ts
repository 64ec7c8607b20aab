import type { PanelBlocks } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import type { KinshipTable } from '@heterosis/file-formats/tables/kinship/read-kinship-table';
import type { PhenotypeTable } from '@heterosis/file-formats/tables/phenotype/phenotype-table';
import { type GwasNull, prepareGwas as prepareNull } from '@heterosis/statgen/association/prepare-gwas';
import type { AssociationTest } from '@heterosis/statgen/association/test-markers';
import { setComputeThreads } from '@heterosis/statgen/linear-algebra';
import { MINIMUM_INDIVIDUALS } from '@heterosis/statgen/mixed-model/fit-reml';
import { StatgenError } from '@heterosis/statgen/statgen-error';
import { type AnalysisContext, AnalysisError, reportProgress } from '../context.ts';
import { describeError, type ErrorExtra } from '../describe-error.ts';
import { type AlignedTrait, alignPhenotype, type NameMatching } from '../inputs/align-phenotype.ts';
import {
  type AlignedCovariate,
  type AnalysedCovariate,
  alignCovariates,
  type CovariateChoice,
  covariateColumns,
  observedPositions,
  requireCovariates,
  requireFewGroups,
} from '../inputs/covariates.ts';
import { type KinshipPrecision, panelKinship } from '../inputs/panel-kinship.ts';
import { type AlignedKinship, alignKinship, kinshipAmong } from '../inputs/read-kinship.ts';

export interface GwasInput extends NameMatching {
  panel: PanelBlocks;
  phenotype: PhenotypeTable;
  traits: readonly string[];
  test: AssociationTest;
  /** Principal components of the kinship as fixed effects; default 0. */
  fixed?: number;
  /**
   * Columns of the phenotype file as further fixed effects: numbers as covariates, words and design columns as
   * factors, unless a kind is given. Individuals without a value in one of them are dropped.
   */
  covariates?: readonly (string | CovariateChoice)[];
  /** Also tests the dominance deviation of each marker. */
  dominance?: boolean;
  /** Default 0.05; among the trait's individuals. */
  maf?: number;
  /** Default 0.9; among the trait's individuals. */
  callRate?: number;
  /** Precision of the kinship computed from the markers; default `double`. */
  kinshipPrecision?: KinshipPrecision;
  /** A kinship that replaces the standardized one; individuals not in it are dropped. */
  kinship?: KinshipTable;
}

/**
 * Everything the marker tests need, for traits observed on the same individuals. Plain data: `gwasStateToBytes` packs
 * it into one block of bytes, so that workers can share the markers.
 */
export interface GwasState {
  traits: string[];
  test: AssociationTest;
  fixed: number;
  dominance: boolean;
  /** As requested; `model.covariates` has the outcome of each column. */
  covariates: AnalysedCovariate[];
  /** Individuals with a value that were dropped because a covariate is missing, one entry per trait. */
  withoutCovariate: number[];
  maf: number;
  callRate: number;
  /** Of a kinship from a file; null for that of the markers. */
  ownKinship: {
    /** Individuals with value and covariates that were dropped because they have no kinship, one entry per trait. */
    without: number[];
    /** Added to the diagonal to correct an eigenvalue made negative by rounding; otherwise 0. */
    addedToDiagonal: number;
  } | null;
  /** Panel positions of the individuals analysed. */
  individuals: Int32Array;
  /** Markers that pass the filters among these individuals. */
  m: number;
  /** Markers of the panel, tested or not. */
  markersRead: number;
  model: GwasNull;
}

export interface PreparedGwas {
  /** Traits observed on the same individuals form one state: they share kinship, decomposition and rotation. */
  states: GwasState[];
  errors: { trait: string; error: ErrorExtra }[];
}

const DEFAULTS = { fixed: 0, maf: 0.05, callRate: 0.9 };

/** A trait and its individuals in the analysis. */
interface ObservedTrait {
  trait: AlignedTrait;
  individuals: Int32Array;
  withoutCovariate: number;
  withoutKinship: number;
}

/**
 * Prepares the association tests: individuals with genotype, value and covariates, filters and kinship among these,
 * its decomposition and the null model of each trait. A trait that cannot be analysed is listed with its reason.
 *
 * @throws AnalysisError when names, traits or covariates do not match
 */
export async function prepareGwas(input: GwasInput, context: AnalysisContext): Promise<PreparedGwas> {
  const { panel, phenotype, traits } = input;
  setComputeThreads(context.threads);
  reportProgress(context, 'match', 0, 1);
  const choices = requireCovariates(phenotype, input.covariates ?? [], traits);
  const aligned = alignPhenotype(panel.samples, phenotype, traits, input);
  const covariates = alignCovariates(panel.samples, phenotype, choices, input);
  const kinship = input.kinship === undefined ? null : alignKinship(panel.samples, input.kinship, input);
  const observed = aligned.map((trait): ObservedTrait => {
    const { positions, withoutCovariate } = observedPositions(trait, covariates);
    const individuals = kinship === null ? positions : positions.filter((i) => kinship.rows[i] >= 0);
    return { trait, individuals, withoutCovariate, withoutKinship: positions.length - individuals.length };
  });
  const prepared: PreparedGwas = { states: [], errors: [] };
  for (const group of Map.groupBy(observed, ({ individuals }) => individuals.join()).values()) {
    await prepareGroup(input, group, { covariates, kinship }, prepared, context);
  }
  return prepared;
}

/** What a GWAS needs to know of its individuals besides genotypes and traits. */
interface AlignedInputs {
  covariates: readonly AlignedCovariate[];
  /** Null for the kinship from the markers. */
  kinship: AlignedKinship | null;
}

/** Analyses the traits of one group together; if one fails, each on its own, so that it does not stop the others. */
async function prepareGroup(
  input: GwasInput,
  group: readonly ObservedTrait[],
  aligned: AlignedInputs,
  prepared: PreparedGwas,
  context: AnalysisContext,
): Promise<void> {
  const { panel, test, fixed = DEFAULTS.fixed, maf = DEFAULTS.maf, callRate = DEFAULTS.callRate } = input;
  const { individuals } = group[0];
  try {
    for (const observed of group) requireEnough(observed, aligned.covariates);
    const { matrix, analysed } = covariateColumns(aligned.covariates, individuals);
    requireFewGroups(analysed, individuals.length, 1 + fixed);
    const { kinship, addedToDiagonal, markers } = await kinshipOf(input, individuals, aligned.kinship, context);
    const stateOf = (traits: readonly ObservedTrait[]): GwasState => ({
      traits: traits.map(({ trait }) => trait.column.name),
      test,
      fixed,
      dominance: input.dominance ?? false,
      covariates: analysed,
      withoutCovariate: traits.map(({ withoutCovariate }) => withoutCovariate),
      maf,
      callRate,
      ownKinship:
        aligned.kinship === null
          ? null
          : { without: traits.map(({ withoutKinship }) => withoutKinship), addedToDiagonal },
      individuals,
      m: markers,
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

/** The kinship of the individuals analysed, and the number of markers that pass the filters among them. */
async function kinshipOf(
  input: GwasInput,
  individuals: Int32Array,
  own: AlignedKinship | null,
  context: AnalysisContext,
) {
  const { panel, maf = DEFAULTS.maf, callRate = DEFAULTS.callRate, kinshipPrecision = 'double' } = input;
  const { kernels, scan } = await panelKinship(
    {
      panel,
      methods: own === null ? ['standardized'] : [],
      withMarkerColumns: false,
      maf,
      callRate,
      individuals,
      precision: own === null ? kinshipPrecision : 'double',
    },
    context,
  );
  if (own !== null) return { ...kinshipAmong(own, individuals), markers: scan.keptCount };
  const kinship = kernels.standardized;
  if (kinship === undefined) throw new TypeError('the standardized kinship was not computed');
  return { kinship, addedToDiagonal: 0, markers: scan.keptCount };
}

/** Checked before the genotype is read for a kinship: do covariates or the kinship file leave too few individuals? */
function requireEnough(
  { trait, individuals, withoutCovariate, withoutKinship }: ObservedTrait,
  covariates: readonly AlignedCovariate[],
): void {
  const n = individuals.length;
  if (n >= MINIMUM_INDIVIDUALS) return;
  if (withoutKinship > 0) {
    throw new AnalysisError(
      'analysis/too-few-individuals',
      `Of ${n + withoutKinship} individuals with genotype and "${trait.column.name}", ${n} are in the kinship file.`,
      `At least ${MINIMUM_INDIVIDUALS} are needed: add the others to it, or check that the names agree.`,
      { n, withoutKinship },
    );
  }
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
