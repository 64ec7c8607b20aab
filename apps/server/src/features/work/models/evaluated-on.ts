import { createHash } from 'node:crypto';
import { SAMPLE_EXCLUSIONS } from '@heterosis/contracts/options/exclusions';
import type { Model } from '@heterosis/contracts/work/models';
import type { ModelRow } from './models.queries.ts';

type Row = Pick<
  ModelRow,
  'id' | 'genotype_id' | 'phenotype_id' | 'pedigree_id' | 'n_fold' | 'n_repetition' | 'seed' | 'parameters'
>;

/**
 * On what a model is evaluated. Folds are drawn by the seed from the individuals with a record, so that the same files,
 * individuals, covariates and seed give the same folds of the same records. What only changes the model (markers,
 * dominance, kinship, weights) is no part of the key. A file that was deleted is the same as no other.
 */
export function evaluatedOn(row: Row): Model['evaluated_on'] {
  const { covariates = [], covariate_kinds, fixed = 0, leave_out, renames, exclusions } = row.parameters;
  const choosesSamples = Object.keys(SAMPLE_EXCLUSIONS).some((rule) => isGiven(exclusions, rule));
  const fixedEffects = [...covariates, ...Array.from({ length: fixed }, (_, axis) => `PC${axis + 1}`)];
  const isDeleted = row.genotype_id === null || row.phenotype_id === null || isPedigreeDeleted(row);
  const compared = [
    ...[isDeleted ? row.id : null, row.genotype_id, row.phenotype_id, row.pedigree_id],
    leave_out ?? [row.n_fold, row.n_repetition, row.seed],
    ...[fixedEffects, covariates.length > 0 ? (covariate_kinds ?? {}) : {}, renames ?? []],
    // Rules for individuals may count the markers that are left.
    choosesSamples ? exclusions : null,
  ];
  return {
    key: createHash('sha256').update(JSON.stringify(compared)).digest('hex').slice(0, 16),
    seed: row.seed,
    leave_out: leave_out ?? null,
    fixed_effects: fixedEffects,
    chosen_individuals: choosesSamples || (renames ?? []).length > 0,
  };
}

const isPedigreeDeleted = ({ parameters, pedigree_id }: Row): boolean =>
  parameters.single_step === true && pedigree_id === null;

function isGiven(exclusions: object | undefined, rule: string): boolean {
  const value = (exclusions as Record<string, unknown> | undefined)?.[rule];
  return value !== undefined && value !== null && value !== false && !(Array.isArray(value) && value.length === 0);
}
