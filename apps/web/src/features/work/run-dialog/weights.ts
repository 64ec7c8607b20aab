import type { RunInputs } from './use-run-inputs.ts';

export type Weights = 'none' | 'se' | 'full';

/** What the form holds: '' where nobody has chosen, and maybe columns that another phenotype file does not have. */
export interface WeightValues {
  weights: Weights | '';
  standard_errors: string[];
}

/** Values to begin with: none chosen, or those of a run that is repeated with changes. */
export function weightValues(
  earlier: { weights?: Weights | undefined; standard_errors?: string[] | undefined } | undefined,
): WeightValues {
  const standard_errors = earlier?.standard_errors ?? [];
  const weights = earlier?.weights ?? (standard_errors.length > 0 ? 'se' : 'none');
  return { weights: earlier === undefined ? '' : weights, standard_errors };
}

/** What is sent, and what there is to choose from. */
export interface WeightChoice {
  weights: Weights;
  standard_errors: string[];
  /** Columns that may hold standard errors: numbers that are no traits of the run. */
  columns: string[];
  /** Whether the file has the covariance of all traits. */
  hasCovariance: boolean;
}

export type WeightInputs = Pick<RunInputs, 'availableTraits' | 'traits' | 'covariance'>;

/** The best that the file has, unless another is chosen that it has too. */
export function weightChoice(inputs: WeightInputs, { weights: chosen, standard_errors }: WeightValues): WeightChoice {
  const { availableTraits, traits, covariance } = inputs;
  const columns = availableTraits.filter((name) => !traits.includes(name));
  const covered = covariance?.traits.map(({ trait }) => trait) ?? [];
  const hasCovariance = traits.length > 0 && traits.every((trait) => covered.includes(trait));
  const named = standard_errors.filter((name) => columns.includes(name));
  const proposed = proposedColumns(inputs, columns);
  // Until the columns of the file are known, keep what was chosen.
  if (availableTraits.length === 0)
    return { ...{ weights: chosen || 'none', columns, hasCovariance }, standard_errors };
  const best = hasCovariance ? 'full' : named.length > 0 || proposed.length > 0 ? 'se' : 'none';
  const has: Record<Weights, boolean> = { full: hasCovariance, se: columns.length > 0, none: true };
  const weights = chosen !== '' && has[chosen] ? chosen : best;
  return {
    ...{ weights, columns, hasCovariance },
    standard_errors: weights !== 'se' ? [] : named.length > 0 ? named : proposed,
  };
}

/** A column for each trait: the one made for it, or one that is called so; none where a trait has none. */
function proposedColumns({ traits, covariance }: WeightInputs, columns: readonly string[]): string[] {
  const found = traits.map((trait) => {
    const made = covariance?.traits.find((one) => one.trait === trait)?.standard_errors;
    return columns.find((name) => name === made) ?? columns.find((name) => isErrorOf(name, trait, traits.length));
  });
  return found.every((name) => name !== undefined) ? found : [];
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');

function isErrorOf(column: string, trait: string, traits: number): boolean {
  const [name, of] = [plain(column), plain(trait)];
  // The last is that of a file of means whose lines were renamed.
  const words = ['se', 'stderr', 'standarderror', 'seforweights'];
  return words.some((word) => name === `${of}${word}` || name === `${word}${of}` || (traits === 1 && name === word));
}
