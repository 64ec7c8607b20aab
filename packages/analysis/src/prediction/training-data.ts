import type { PhenotypeTable } from '@heterosis/file-formats/tables/phenotype/phenotype-table';
import type { FixedEffect, FixedModel } from '@heterosis/statgen/genomic-prediction/fixed-effects';
import { principalComponents } from '@heterosis/statgen/kinship/principal-components';
import { MINIMUM_INDIVIDUALS } from '@heterosis/statgen/mixed-model/fit-reml';
import { AnalysisError } from '../context.ts';
import { type AlignedTrait, alignPhenotype, type NameMatching } from '../inputs/align-phenotype.ts';
import {
  type AlignedCovariate,
  alignCovariates,
  covariateColumns,
  observedPositions,
  requireCovariates,
  requireFewGroups,
} from '../inputs/covariates.ts';
import { type AlignedErrors, alignErrors, type ErrorInput } from '../inputs/value-errors.ts';
import type { FixedEffectFigures, ModelSettings } from './trained-model.ts';

/** A trait by the individuals of a kinship; NaN also for those that lack a covariate. */
export interface TrainingTrait extends AlignedTrait {
  /** Individuals with a value that lack a covariate. */
  withoutCovariate: number;
  /** Null where one variance is estimated for all. */
  errors: AlignedErrors | null;
}

/** What the values of traits are matched by, and what is known of their errors. */
export type TraitMatching = NameMatching & Omit<ErrorInput, 'phenotype' | 'traits'>;

/** What a model learns from besides genotypes. */
export interface TrainingData {
  traits: TrainingTrait[];
  covariates: AlignedCovariate[];
}

/**
 * Traits and covariates of a phenotype table by the individuals of a genotype or a kinship.
 *
 * @throws AnalysisError when names, traits or covariates do not fit
 */
export function trainingData(
  individuals: readonly string[],
  phenotype: PhenotypeTable,
  traits: readonly string[],
  settings: ModelSettings,
  matching: TraitMatching,
): TrainingData {
  const aligned = alignPhenotype(individuals, phenotype, traits, matching);
  const traitNames = aligned.map(({ column }) => column.name);
  const names = requireCovariates(phenotype, settings.covariates, traitNames);
  const errors = alignErrors(individuals, { ...matching, phenotype, traits: traitNames }, matching);
  const covariates = alignCovariates(individuals, phenotype, names, matching);
  return {
    covariates,
    traits: aligned.map((trait, t) => {
      const { positions, withoutCovariate } = observedPositions(trait, covariates);
      const values = new Float64Array(individuals.length).fill(Number.NaN);
      for (const i of positions) values[i] = trait.values[i];
      return { ...trait, values, withoutCovariate, errors: errors[t] };
    }),
  };
}

/**
 * Refuses traits for which covariates leave too little.
 *
 * @throws AnalysisError `analysis/too-few-individuals`, `gwas/too-many-groups`
 */
export function requireEnough(
  { column, values, withoutCovariate }: TrainingTrait,
  covariates: readonly AlignedCovariate[],
  settings: ModelSettings,
): void {
  const observed = Int32Array.from(values.keys()).filter((i) => !Number.isNaN(values[i]));
  const n = observed.length;
  if (n < MINIMUM_INDIVIDUALS && withoutCovariate > 0) {
    const names = covariates.map(({ name }) => `"${name}"`).join(', ');
    throw new AnalysisError(
      'analysis/too-few-individuals',
      `Of ${n + withoutCovariate} individuals with genotype and "${column.name}", ${n} have a value of ${names}.`,
      `At least ${MINIMUM_INDIVIDUALS} are needed: fill in the covariates, or leave out those with many gaps.`,
      { n, withoutCovariate },
    );
  }
  requireFewGroups(covariateColumns(covariates, observed).analysed, n, 1 + settings.principalComponents);
}

/** A covariate as a fixed effect. */
export const termOf = ({ groups, values, isGenetic = false }: AlignedCovariate): FixedModel['terms'][number] => ({
  ...{ values, isFactor: groups !== null, isGenetic },
});

/** Covariates and principal components of a kinship as fixed effects. */
export function fixedModelOf(
  covariates: readonly AlignedCovariate[],
  kinship: { rows: number; columns: number; data: Float64Array },
  { principalComponents: count }: ModelSettings,
): FixedModel {
  return {
    terms: covariates.map(termOf),
    components: count === 0 ? null : principalComponents(kinship, count),
  };
}

/** Fixed effects with the names of their columns and groups. */
export function fixedEffectFigures(
  effects: readonly FixedEffect[],
  covariates: readonly AlignedCovariate[],
): FixedEffectFigures[] {
  return effects.map(({ term, group, reference, use, estimate, standardError }) => {
    const covariate = covariates.at(term);
    const isComponent = term >= covariates.length;
    const nameOf = (place: number | null) => (place === null ? null : (covariate?.groups?.[place] ?? null));
    return {
      name: isComponent || covariate === undefined ? `PC${term - covariates.length + 1}` : covariate.name,
      group: nameOf(group),
      reference: nameOf(reference),
      use,
      estimate,
      standard_error: standardError,
    };
  });
}
