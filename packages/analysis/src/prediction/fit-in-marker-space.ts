import type { GenotypePanel } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import { blocksOf } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import type { FixedModel } from '@heterosis/statgen/genomic-prediction/fixed-effects';
import type { MarkerEffects } from '@heterosis/statgen/genomic-prediction/marker-effects';
import type { MarkerScan } from '@heterosis/statgen/genotypes/marker-scan';
import { createMarkerSpaceModel, markerSpaceComponents } from '@heterosis/statgen/marker-space/fit-marker-space';
import { markerKinship } from '@heterosis/statgen/marker-space/marker-equations';
import type { PackedMarkers } from '@heterosis/statgen/marker-space/packed-markers';
import { type AnalysisContext, reportProgress } from '../context.ts';
import { describeError, type ErrorExtra } from '../describe-error.ts';
import { withReliabilities } from '../engine/plan-engine.ts';
import type { AlignedCovariate } from '../inputs/covariates.ts';
import { panelMarkers } from '../inputs/panel-markers.ts';
import type { TraitVariances } from './fit-trait.ts';
import type { ModelSettings } from './trained-model.ts';
import { requireEnough, type TrainingTrait } from './training-data.ts';

/** What a fit says, without what only a kinship of individuals has. */
export type TraitFigures = Omit<TraitVariances, 'weights' | 'structure'>;

export interface FittedTrait {
  trait: TrainingTrait;
  found: { figures: TraitFigures; effects: MarkerEffects } | null;
  error: ErrorExtra | null;
}

/**
 * RR-BLUP of all traits from the equations of the markers; the additive model of `createTraitFitter`, to rounding.
 * Traits observed on the same individuals share the equations.
 */
export async function fitInMarkerSpace(
  panel: GenotypePanel,
  traits: readonly TrainingTrait[],
  covariates: readonly AlignedCovariate[],
  settings: ModelSettings,
  context: AnalysisContext,
): Promise<{ scan: MarkerScan; traits: FittedTrait[] }> {
  const markers = await panelMarkers({ panel: blocksOf(panel), ...settings }, context);
  const fixed = markerFixedModel(markers, covariates, settings);
  const fitted = new Map<TrainingTrait, FittedTrait>();
  const fit = (model: ReturnType<typeof createMarkerSpaceModel>, chosen: readonly TrainingTrait[]): void => {
    const started = performance.now();
    for (const trait of chosen) requireEnough(trait, covariates, settings);
    const fits = model.fit(chosen.map(({ values }) => values));
    const seconds = (performance.now() - started) / 1000 / chosen.length;
    for (const [k, trait] of chosen.entries()) {
      const { effects, intercept, boundary, varianceAdditive, varianceResidual, ...figures } = fits[k];
      fitted.set(trait, {
        trait,
        error: null,
        found: {
          effects: { intercept, additive: effects },
          figures: {
            ...figures,
            additive: varianceAdditive,
            dominance: null,
            residual: varianceResidual,
            atBoundary: boundary === 'none' ? [] : [boundary === 'genetic-zero' ? 'additive' : 'residual'],
            seconds,
            genotypic: null,
          },
        },
      });
    }
  };
  const groups = [...Map.groupBy(traits, ({ values }) => missingKey(values)).values()];
  for (const [place, group] of groups.entries()) {
    reportProgress(context, 'fit', place, groups.length);
    const model = createMarkerSpaceModel({
      markers,
      method: settings.kinship,
      fixed,
      withReliabilities: withReliabilities(markers.panelSize, markers.m),
      onProgress: (done, total) => reportProgress(context, 'fit', place + done / total / 2, groups.length),
    });
    try {
      fit(model, group);
    } catch (error) {
      if (describeError(error) === null) throw error;
      // One trait stops the fit of all: each has its own reason, or none.
      for (const trait of group) {
        try {
          fit(model, [trait]);
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

/** Covariates and principal components of the kinship of all genotyped individuals. */
export function markerFixedModel(
  markers: PackedMarkers,
  covariates: readonly AlignedCovariate[],
  { principalComponents, kinship }: ModelSettings,
): FixedModel {
  return {
    terms: covariates.map(({ groups, values }) => ({ values, isFactor: groups !== null })),
    components: markerSpaceComponents(markers, markerKinship(markers, kinship), null, principalComponents),
  };
}

/** The same for traits observed on the same individuals. */
export function missingKey(values: Float64Array): string {
  const missing: number[] = [];
  for (let i = 0; i < values.length; i++) if (Number.isNaN(values[i])) missing.push(i);
  return missing.join();
}
