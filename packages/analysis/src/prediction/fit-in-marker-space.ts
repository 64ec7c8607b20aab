import type { GenotypePanel } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import { blocksOf } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import { requireHeterozygotes } from '@heterosis/statgen/genomic-prediction/additive-dominance';
import type { FixedModel } from '@heterosis/statgen/genomic-prediction/fixed-effects';
import type { KnownErrors } from '@heterosis/statgen/genomic-prediction/known-errors';
import type { MarkerEffects } from '@heterosis/statgen/genomic-prediction/marker-effects';
import type { MarkerScan } from '@heterosis/statgen/genotypes/marker-scan';
import { type DominanceKinships, dominanceKinships } from '@heterosis/statgen/marker-space/dominance-equations';
import type { CrossProducts } from '@heterosis/statgen/marker-space/dosage-products';
import { fitMarkerDominance } from '@heterosis/statgen/marker-space/fit-dominance';
import { createMarkerSpaceModel, markerSpaceComponents } from '@heterosis/statgen/marker-space/fit-marker-space';
import { fitWeighedMarkers } from '@heterosis/statgen/marker-space/fit-weighed-markers';
import { type MarkerKinship, markerKinship } from '@heterosis/statgen/marker-space/marker-equations';
import type { PackedMarkers } from '@heterosis/statgen/marker-space/packed-markers';
import { type AnalysisContext, reportProgress } from '../context.ts';
import { describeError, type ErrorExtra } from '../describe-error.ts';
import { withReliabilities } from '../engine/engine-costs.ts';
import type { AlignedCovariate } from '../inputs/covariates.ts';
import { panelMarkers } from '../inputs/panel-markers.ts';
import type { TraitVariances } from './fit-trait.ts';
import type { ModelSettings } from './trained-model.ts';
import { requireEnough, type TrainingTrait, termOf } from './training-data.ts';

/** What a fit says, without what only a kinship of individuals has. */
export type TraitFigures = Omit<TraitVariances, 'weights' | 'structure' | 'residualLines'>;

export interface FittedTrait {
  trait: TrainingTrait;
  found: { figures: TraitFigures; effects: MarkerEffects } | null;
  error: ErrorExtra | null;
}

/** What the equations of markers may be given instead of computing it. */
export interface SharedMarkers {
  /** The markers of the panel that pass the filters. */
  markers?: PackedMarkers;
  /** D'D of some individuals of the panel (null: all), for each of {@link productsNeeded}. */
  productsOf?: (individuals: Int32Array | null) => Promise<CrossProducts>;
}

/**
 * Whose products a training needs, by their places in the panel, null for all: of each group of traits observed on the
 * same individuals, and of all for principal components.
 */
export function productsNeeded(
  traits: readonly TrainingTrait[],
  { principalComponents }: Pick<ModelSettings, 'principalComponents'>,
): (Int32Array | null)[] {
  const needed = groupsOf(traits).map(([{ values }]) => individualsOf(values));
  return principalComponents > 0 && !needed.includes(null) ? [null, ...needed] : needed;
}

const groupsOf = (traits: readonly TrainingTrait[]): TrainingTrait[][] => [...Map.groupBy(traits, groupKey).values()];

/** The same for traits observed on the same individuals; known errors are those of one trait. */
export const groupKey = ({ column, values, errors }: TrainingTrait): string =>
  `${errors === null ? '' : column.name}:${missingKey(values)}`;

/** Panel positions of the individuals with a value; null when all have one. */
function individualsOf(values: Float64Array): Int32Array | null {
  const observed = Int32Array.from(values.keys()).filter((i) => !Number.isNaN(values[i]));
  return observed.length === values.length ? null : observed;
}

/**
 * The models of all traits from the equations of the markers; those of `createTraitFitter`, to rounding. Traits
 * observed on the same individuals share the equations, unless they have errors of their own.
 */
export async function fitInMarkerSpace(
  panel: GenotypePanel,
  traits: readonly TrainingTrait[],
  covariates: readonly AlignedCovariate[],
  settings: ModelSettings,
  context: AnalysisContext,
  { markers: packed, productsOf }: SharedMarkers = {},
): Promise<{ scan: MarkerScan; traits: FittedTrait[] }> {
  const markers = packed ?? (await panelMarkers({ panel: blocksOf(panel), ...settings }, context));
  // Without a name of their own, the products of all do not outlive the components made from them.
  const additive = settings.dominance
    ? null
    : markerFixedModel(markers, covariates, settings, {
        productsOfAll: settings.principalComponents > 0 ? await productsOf?.(null) : undefined,
      });
  const fitted = new Map<TrainingTrait, FittedTrait>();
  const groups = groupsOf(traits);
  for (const [place, group] of groups.entries()) {
    reportProgress(context, 'fit', place, groups.length);
    const onProgress = (done: number, total: number): void =>
      reportProgress(context, 'fit', place + done / total / 2, groups.length);
    const { errors } = group[0];
    const products = errors === null ? await productsOf?.(individualsOf(group[0].values)) : undefined;
    const fitGroup =
      errors !== null
        ? weighedFitter(markers, covariates, { settings, errors, additive }, onProgress)
        : additive === null
          ? dominanceFitter(markers, covariates, settings, onProgress)
          : additiveFitter(markers, additive, { settings, products }, onProgress);
    const fit = (chosen: readonly TrainingTrait[]): void => {
      const started = performance.now();
      for (const trait of chosen) requireEnough(trait, covariates, settings);
      const found = fitGroup(chosen.map(({ values }) => values));
      const seconds = (performance.now() - started) / 1000 / chosen.length;
      for (const [k, trait] of chosen.entries()) {
        const { figures, effects } = found[k];
        fitted.set(trait, { trait, error: null, found: { figures: { ...figures, seconds }, effects } });
      }
    };
    try {
      fit(group);
    } catch (error) {
      if (describeError(error) === null) throw error;
      // One trait stops the fit of all: each has its own reason, or none.
      for (const trait of group) {
        try {
          fit([trait]);
        } catch (own) {
          const described = describeError(own);
          if (described === null) throw own;
          fitted.set(trait, { trait, found: null, error: described });
        }
      }
    }
  }
  reportProgress(context, 'fit', groups.length, groups.length);
  return { scan: markers.scan, traits: traits.flatMap((trait) => fitted.get(trait) ?? []) };
}

/** Fits traits that are observed on the same individuals. */
type GroupFitter = (
  traits: readonly Float64Array[],
) => { figures: Omit<TraitFigures, 'seconds'>; effects: MarkerEffects }[];

function additiveFitter(
  markers: PackedMarkers,
  fixed: FixedModel,
  { settings, products }: { settings: ModelSettings; products: CrossProducts | undefined },
  onProgress: (done: number, total: number) => void,
): GroupFitter {
  const model = createMarkerSpaceModel({
    ...{ markers, method: settings.kinship, fixed, onProgress },
    ...(products === undefined ? {} : { products }),
    withReliabilities: withReliabilities(markers.panelSize, markers.m),
  });
  return (traits) =>
    model.fit(traits).map(({ effects, intercept, boundary, varianceAdditive, varianceResidual, ...figures }) => ({
      effects: { intercept, additive: effects },
      figures: {
        ...figures,
        additive: varianceAdditive,
        dominance: null,
        residual: varianceResidual,
        atBoundary: boundary === 'none' ? [] : [boundary === 'genetic-zero' ? 'additive' : 'residual'],
        genotypic: null,
      },
    }));
}

function dominanceFitter(
  markers: PackedMarkers,
  covariates: readonly AlignedCovariate[],
  settings: ModelSettings,
  onProgress: (done: number, total: number) => void,
): GroupFitter {
  const { optimizeSeconds } = settings;
  return (traits) => {
    const kinships = observedKinships(markers, traits[0] ?? new Float64Array(0), settings);
    const fits = fitMarkerDominance(
      {
        ...{ markers, kinships, onProgress },
        fixed: markerFixedModel(markers, covariates, settings, { kinship: kinships.additive }),
        withReliabilities: withReliabilities(markers.panelSize, markers.m, true),
        now: () => performance.now(),
        ...(optimizeSeconds === null ? {} : { optimizeSeconds }),
      },
      traits,
    );
    return fits.map((fit) => ({
      effects: fit.effects,
      figures: {
        ...{ n: fit.n, mean: fit.mean, fixed: fit.fixed, x: fit.x },
        ...{ additive: fit.varianceAdditive, dominance: fit.varianceDominance, residual: fit.varianceResidual },
        ...{ heritability: fit.heritability, logLikelihood: fit.logLikelihood },
        ...{ iterations: fit.iterations, converged: fit.converged },
        atBoundary: fit.boundary.map((component) => component.replace('-zero', '')),
        gebv: fit.breedingValue,
        reliability: fit.reliability,
        pev: fit.pev,
        genotypic: { value: fit.genotypicValue, reliability: fit.genotypicReliability },
      },
    }));
  };
}

/** A trait with known errors, additive or with dominance. */
function weighedFitter(
  markers: PackedMarkers,
  covariates: readonly AlignedCovariate[],
  { settings, errors, additive }: { settings: ModelSettings; errors: KnownErrors; additive: FixedModel | null },
  onProgress: (done: number, total: number) => void,
): GroupFitter {
  return (traits) =>
    traits.map((y) => {
      const dominance = additive === null ? observedKinships(markers, y, settings) : null;
      const kinship = dominance?.additive ?? markerKinship(markers, settings.kinship);
      const fixed = additive ?? markerFixedModel(markers, covariates, settings, { kinship });
      const { effects, breedingValue, varianceAdditive, varianceDominance, varianceResidual, ...figures } =
        fitWeighedMarkers(
          { markers, additive: kinship, dominance, y, errors, fixed },
          { withReliabilities: withReliabilities(markers.panelSize, markers.m, settings.dominance), onProgress },
        );
      return {
        effects,
        figures: {
          ...figures,
          additive: varianceAdditive,
          dominance: varianceDominance,
          residual: varianceResidual,
          gebv: breedingValue,
        },
      };
    });
}

/**
 * The kinships of a model with dominance, p of the individuals with a value.
 *
 * @throws StatgenError `no-heterozygotes`
 */
export function observedKinships(
  markers: PackedMarkers,
  y: Float64Array,
  { kinship: method }: ModelSettings,
): DominanceKinships {
  const observed = Int32Array.from(y.keys()).filter((i) => !Number.isNaN(y[i]));
  const kinships = dominanceKinships(markers, method, observed.length === y.length ? null : observed);
  requireHeterozygotes({ scan: markers.scan, hasHeterozygotes: kinships.hasHeterozygotes }, observed.length);
  return kinships;
}

/** What principal components are computed from. */
interface KinshipOfAll {
  /** By default by the frequencies among all genotyped individuals. */
  kinship?: MarkerKinship;
  /** D'D of all genotyped individuals; computed where it is not given. */
  productsOfAll?: CrossProducts | undefined;
}

/** Covariates and principal components of the kinship of all genotyped individuals. */
export function markerFixedModel(
  markers: PackedMarkers,
  covariates: readonly AlignedCovariate[],
  { principalComponents, kinship: method }: ModelSettings,
  { kinship = markerKinship(markers, method), productsOfAll }: KinshipOfAll = {},
): FixedModel {
  return {
    terms: covariates.map(termOf),
    components: markerSpaceComponents(markers, kinship, null, principalComponents, productsOfAll),
  };
}

/** The same for traits observed on the same individuals. */
function missingKey(values: Float64Array): string {
  const missing: number[] = [];
  for (let i = 0; i < values.length; i++) if (Number.isNaN(values[i])) missing.push(i);
  return missing.join();
}
