import { prepareGwas as prepareNull } from '@heterosis/statgen/association/prepare-gwas';
import { setComputeThreads } from '@heterosis/statgen/linear-algebra';
import { MINIMUM_INDIVIDUALS } from '@heterosis/statgen/mixed-model/fit-reml';
import { StatgenError } from '@heterosis/statgen/statgen-error';
import { type AnalysisContext, AnalysisError, reportProgress } from '../context.ts';
import { describeError, type ErrorExtra } from '../describe-error.ts';
import type { EnginePlan } from '../engine/plan-engine.ts';
import { type AlignedTrait, alignPhenotype } from '../inputs/align-phenotype.ts';
import {
  type AlignedCovariate,
  type AnalysedCovariate,
  alignCovariates,
  covariateColumns,
  observedPositions,
  requireCovariates,
  requireFewGroups,
} from '../inputs/covariates.ts';
import { markerRanges } from '../inputs/open-panel.ts';
import { panelKinship } from '../inputs/panel-kinship.ts';
import { type AlignedKinship, alignKinship, kinshipAmong } from '../inputs/read-kinship.ts';
import { requireDiploids } from '../inputs/require-diploids.ts';
import { type AlignedErrors, alignErrors } from '../inputs/value-errors.ts';
import { withConditionMarkers } from './condition-on-markers.ts';
import { testsByChromosome } from './gwas-by-chromosome.ts';
import { estimateTests, markersTested } from './gwas-in-marker-space.ts';
import { GWAS_DEFAULTS, type GwasInput, type GwasState, type MadeTests } from './gwas-state.ts';
import { pruneKinshipToFit, testsWithPrunedKinship } from './gwas-with-pruned-kinship.ts';
import { errorsOfTrait } from './residual-lines.ts';
import { permutationsFrom, scanPermutations } from './scan-permutations.ts';
import { searchStepwise } from './search-stepwise.ts';

export interface PreparedGwas {
  /** Traits observed on the same individuals form one state: they share kinship, decomposition and rotation. */
  states: GwasState[];
  errors: { trait: string; error: ErrorExtra }[];
}

/** A trait and its individuals in the analysis. */
interface ObservedTrait {
  trait: AlignedTrait;
  individuals: Int32Array;
  withoutCovariate: number;
  withoutKinship: number;
  errors: AlignedErrors | null;
}

/**
 * Prepares the association tests: individuals with genotype, value and covariates, filters and kinship among these,
 * its decomposition and the null model of each trait. A trait that cannot be analysed is listed with its reason.
 *
 * @throws AnalysisError when names, traits or covariates do not match
 */
export async function prepareGwas(input: GwasInput, context: AnalysisContext): Promise<PreparedGwas> {
  setComputeThreads(context.threads);
  if (input.dominance === true) requireDiploids(input.panel, 'The test of dominance');
  reportProgress(context, 'match', 0, 1);
  const { groups, covariates, kinship } = alignInput(input);
  const prepared: PreparedGwas = { states: [], errors: [] };
  for (const group of groups) await prepareGroup(input, group, { covariates, kinship }, prepared, context);
  return prepared;
}

/**
 * What a GWAS takes on this machine, from names and phenotypes alone: that of its largest group of traits.
 *
 * @throws AnalysisError `analysis/does-not-fit`, and as `prepareGwas` when names, traits or covariates do not match
 */
export async function estimateGwas(input: GwasInput, context: AnalysisContext): Promise<EnginePlan> {
  const largest = alignInput(input).groups.toSorted((a, b) => b[0].individuals.length - a[0].individuals.length)[0];
  const { individuals, errors } = largest[0];
  const chromosomes = await chromosomesLeftOut(input);
  return await estimateTests(input, { individuals, traits: largest.length, chromosomes, errors }, context);
}

/** How many chromosomes are left out, one after the other; 0 where none is. */
async function chromosomesLeftOut({ panel, leaveOneChromosomeOut = false }: GwasInput): Promise<number> {
  if (!leaveOneChromosomeOut) return 0;
  return new Set((await panel.chromosomeRuns()).map(({ chromosome }) => chromosome)).size;
}

/** Traits in groups of the same individuals, covariates and the kinship given, by the individuals of the panel. */
function alignInput(input: GwasInput): AlignedInputs & { groups: ObservedTrait[][] } {
  const { panel, phenotype, traits } = input;
  const choices = requireCovariates(phenotype, input.covariates ?? [], traits);
  const aligned = alignPhenotype(panel.samples, phenotype, traits, input);
  const covariates = alignCovariates(panel.samples, phenotype, choices, input);
  const kinship = input.kinship === undefined ? null : alignKinship(panel.samples, input.kinship, input);
  const names = aligned.map(({ column }) => column.name);
  const errors = alignErrors(panel.samples, { ...input, traits: names }, input);
  const observed = aligned.map((trait, t): ObservedTrait => {
    const { positions, withoutCovariate } = observedPositions(trait, covariates);
    const individuals = kinship === null ? positions : positions.filter((i) => kinship.rows[i] >= 0);
    return {
      trait,
      individuals,
      withoutCovariate,
      withoutKinship: positions.length - individuals.length,
      errors: errors[t],
    };
  });
  // Each trait has errors of its own, and with them a decomposition of its own.
  const groups = [
    ...Map.groupBy(
      observed,
      ({ individuals, errors: own, trait }) => `${own === null ? '' : trait.column.name}:${individuals.join()}`,
    ).values(),
  ];
  return { groups, covariates, kinship };
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
  const { fixed = GWAS_DEFAULTS.fixed } = input;
  const { individuals } = group[0];
  try {
    for (const observed of group) requireEnough(observed, aligned.covariates);
    const { matrix, analysed } = await withConditionMarkers(
      covariateColumns(aligned.covariates, individuals),
      input.conditionOn ?? [],
      input.panel,
      individuals,
    );
    requireFewGroups(analysed, individuals.length, 1 + fixed);
    const chromosomes = await chromosomesLeftOut(input);
    const sizes = { individuals, traits: group.length, chromosomes, errors: group[0].errors };
    const { plan, places, pruned } = await pruneKinshipToFit(input, sizes, context);
    const engine = { name: plan.engine, reason: plan.reason, ...(pruned === undefined ? {} : { pruned }) };
    const [{ trait: first, errors }] = group;
    const known =
      errors === null
        ? null
        : await errorsOfTrait(errors, individuals, async () => ({
            kinship: (await kinshipOf(input, individuals, aligned.kinship, context)).kinship,
            ...{ principalComponents: fixed, covariates: matrix },
            y: Float64Array.from(individuals, (i) => first.values[i]),
          }));
    if (plan.engine === 'markers' || chromosomes > 0) {
      const made =
        places !== null
          ? await testsWithPrunedKinship(input, individuals, places, context)
          : await (plan.engine === 'markers' ? markersTested : testsByChromosome)(input, individuals, context);
      const stateOfTests = async (traits: readonly ObservedTrait[]): Promise<GwasState> => ({
        ...commonState(input, traits, individuals, analysed, engine),
        ownKinship: null,
        ...(await made.test(
          matrix,
          traits.map(({ trait }) => Float64Array.from(individuals, (i) => trait.values[i])),
          known?.covariance,
        )),
        errors: known?.figures ?? null,
      });
      await prepareStates(group, stateOfTests, prepared);
      return;
    }
    const stateOf = async (traits: readonly ObservedTrait[]): Promise<GwasState> => {
      const { kinship, addedToDiagonal, markers } = await kinshipOf(input, individuals, aligned.kinship, context);
      reportProgress(context, 'fit', 0, 1);
      const model = prepareNull({
        kinship,
        overwritesKinship: true,
        traits: traits.map(({ trait }) => Float64Array.from(individuals, (i) => trait.values[i])),
        principalComponents: fixed,
        covariates: matrix,
        errors: known?.covariance,
      });
      const largest = await scanPermutations(
        input,
        { state: model, individuals },
        markerRanges(input.panel.markerCount),
        context,
      );
      return {
        ...commonState(input, traits, individuals, analysed, engine),
        ownKinship:
          aligned.kinship === null
            ? null
            : { without: traits.map(({ withoutKinship }) => withoutKinship), addedToDiagonal },
        m: markers,
        model,
        errors: known?.figures ?? null,
        panelTests: null,
        chromosomesLeftOut: null,
        permutations: permutationsFrom(input, largest),
        stepwise: await searchStepwise(input, { state: model, individuals, markers }, context),
      };
    };
    await prepareStates(group, stateOf, prepared);
  } catch (error) {
    const described = describeError(error);
    if (described === null) throw error;
    for (const { trait } of group) prepared.errors.push({ trait: trait.column.name, error: described });
  }
}

/** What a state says of its traits and settings. */
function commonState(
  input: GwasInput,
  traits: readonly ObservedTrait[],
  individuals: Int32Array,
  covariates: AnalysedCovariate[],
  engine: GwasState['engine'],
): Omit<GwasState, 'ownKinship' | 'errors' | keyof MadeTests> {
  const {
    panel,
    test,
    fixed = GWAS_DEFAULTS.fixed,
    maf = GWAS_DEFAULTS.maf,
    callRate = GWAS_DEFAULTS.callRate,
  } = input;
  return {
    traits: traits.map(({ trait }) => trait.column.name),
    test,
    fixed,
    dominance: input.dominance ?? false,
    covariates,
    withoutCovariate: traits.map(({ withoutCovariate }) => withoutCovariate),
    maf,
    callRate,
    individuals,
    markersRead: panel.markerCount,
    engine,
  };
}

/** The state of a group; if it fails, that of each trait on its own. */
async function prepareStates(
  group: readonly ObservedTrait[],
  stateOf: (traits: readonly ObservedTrait[]) => Promise<GwasState>,
  prepared: PreparedGwas,
): Promise<void> {
  const together = await attempt(() => stateOf(group));
  if (together.state !== null) {
    prepared.states.push(together.state);
    return;
  }
  if (group.length === 1) {
    prepared.errors.push({ trait: group[0].trait.column.name, error: together.error });
    return;
  }
  for (const one of group) {
    const alone = await attempt(() => stateOf([one]));
    if (alone.state === null) prepared.errors.push({ trait: one.trait.column.name, error: alone.error });
    else prepared.states.push(alone.state);
  }
}

/** The kinship of the individuals analysed, and the number of markers that pass the filters among them. */
async function kinshipOf(
  input: GwasInput,
  individuals: Int32Array,
  own: AlignedKinship | null,
  context: AnalysisContext,
) {
  const { panel, maf = GWAS_DEFAULTS.maf, callRate = GWAS_DEFAULTS.callRate, kinshipPrecision = 'double' } = input;
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

async function attempt(
  prepare: () => Promise<GwasState>,
): Promise<{ state: GwasState; error: null } | { state: null; error: ErrorExtra }> {
  try {
    return { state: await prepare(), error: null };
  } catch (error) {
    const described = describeError(error);
    if (described === null) throw error;
    return { state: null, error: described };
  }
}
