import type { TFunction } from 'i18next';

/** The name that every dialog below proposes. */
export const AGAIN = 'Yield (again)';
export const t = (() => AGAIN) as unknown as TFunction;
export const ID = (last: number): string => `01900000-0000-7000-8000-00000000000${last}`;
export const TRAITS: string[] = ['yield', 'height'];
export const RENAMES: { from: string; to: string }[] = [{ from: 'L-1', to: 'L1' }];

/** What a dialog knows of the columns of the files before it has read them. */
export const UNREAD = {
  ...{ availableTraits: [], availableCovariates: [], availableGroups: [], codeLike: [], traits: TRAITS },
  covariance: null,
};

type Asked = Readonly<Record<string, unknown>>;

/** How a run of a kind is asked for again: exported as `repeated` by `repeated.test-data.ts` of its folder. */
export interface Repeated<Run = never> {
  /** Values of its own options, where they are others than everywhere. */
  own?: Asked;
  /** The inputs of a request with these options. */
  inputs: (options: Asked) => Record<string, unknown>;
  /** The request of the dialog that repeats a run, before anything is changed. */
  again: (run: Run) => unknown;
}

/** Inputs of kinds that compute traits of a genotype and a phenotype. */
export const ofTraits = ({ covariate_kinds: kinds, standard_errors: errors }: Asked) => ({
  ...{ genotype_id: ID(1), phenotype_id: ID(2), traits: TRAITS, renames: RENAMES },
  // What a request means that does not say it.
  weights: errors === undefined ? 'none' : 'se',
  ...(kinds === undefined ? {} : { covariates: Object.keys(kinds as object) }),
});
