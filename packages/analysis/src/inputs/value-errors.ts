import type { PhenotypeTable } from '@heterosis/file-formats/tables/phenotype/phenotype-table';
import type { KnownErrors } from '@heterosis/statgen/genomic-prediction/known-errors';
import { createMatrix } from '@heterosis/statgen/linear-algebra';
import type { ErrorCovariance } from '@heterosis/statgen/mixed-model/whitening';
import { AnalysisError } from '../context.ts';
import type { EngineTask } from '../engine/engine-task.ts';
import { type NameMatching, phenotypeRows, requireTraits } from './align-phenotype.ts';

/** What is known of the errors of the values of a phenotype table. */
export interface ValueErrors {
  /** Whether errors are known to be correlated, or only their standard errors are known. */
  from: 'covariance' | 'standard errors';
  /** By the name of the trait. */
  traits: ReadonlyMap<string, TraitErrors>;
}

/** Ω of the values of a trait. */
export interface TraitErrors {
  /** Place in Ω of each row of the table; −1 without a value. */
  places: Int32Array;
  covariance: ErrorCovariance;
}

/** How an analysis is told of errors. */
export interface ErrorInput {
  phenotype: PhenotypeTable;
  traits: readonly string[];
  /** From a file of means; else from `standardErrors`. */
  errors?: ValueErrors;
  /** Columns of the phenotype file, one for each trait. */
  standardErrors?: readonly string[];
  /** Fits a variance of lines beside known errors, of what the kinship does not explain. */
  residualLines?: boolean;
}

/** The errors of one trait by the individuals of a genotype. */
export interface AlignedErrors extends KnownErrors {
  from: ValueErrors['from'];
  /** Whether Ω is diagonal. */
  areIndependent: boolean;
}

/**
 * Why errors need the kinship of the individuals, and what the equations of the markers take instead: these have C =
 * Z'R⁻¹Z once, with R diagonal.
 */
export const ERRORS_OF_INDIVIDUALS = {
  covariance: {
    reason: 'The whole covariance of the errors, n × n, needs the kinship of the individuals.',
    suggestion: 'Leave out --engine markers, or take --weights se.',
  },
  environments: {
    reason:
      'Means over several environments share the estimates of these: their errors are correlated, n × n, and need the kinship of the individuals.',
    suggestion: 'Leave out --engine markers, or take --weights none.',
  },
  residualLines: {
    reason:
      'A variance of lines beside known errors needs the kinship of the individuals: the products of the markers would be made again at each of its values.',
    suggestion: 'Leave out --engine markers or --residual-lines.',
  },
} as const;

/** What known errors mean for how they are computed with. */
export interface ErrorNeeds {
  /** Of the plan; empty where none are known. */
  task: Pick<EngineTask, 'errors' | 'residualLines'>;
  /** Why only the kinship of the individuals can be used; null where both engines take them. */
  needsIndividuals: { reason: string; suggestion: string } | null;
}

/** @param errors of the traits of an analysis; null where one variance is estimated for all */
export function errorNeeds(errors: readonly (AlignedErrors | null)[]): ErrorNeeds {
  const known = errors.filter((one) => one !== null);
  if (known.length === 0) return { task: {}, needsIndividuals: null };
  const correlated = known.find(({ areIndependent }) => !areIndependent);
  const residualLines = known.some((one) => one.residualLines);
  const { covariance, environments } = ERRORS_OF_INDIVIDUALS;
  return {
    task: { errors: correlated === undefined ? 'independent' : 'correlated', residualLines },
    needsIndividuals:
      correlated !== undefined
        ? correlated.from === 'covariance'
          ? covariance
          : environments
        : residualLines
          ? ERRORS_OF_INDIVIDUALS.residualLines
          : null,
  };
}

/**
 * The errors of each trait by the individuals of a genotype; null for a trait whose errors are unknown, so that one
 * variance is estimated for all.
 *
 * @throws AnalysisError `errors/columns`, `errors/not-positive`, `errors/missing`, `errors/of-plots`, `errors/unknown`,
 * `models/trait-not-in-phenotype`, `match/nothing-in-common`
 */
export function alignErrors(
  samples: readonly string[],
  input: ErrorInput,
  matching: NameMatching,
): (AlignedErrors | null)[] {
  const { phenotype, traits, residualLines = false } = input;
  const known = input.errors ?? errorsOfColumns(input);
  if (known === null) {
    if (residualLines) {
      throw new AnalysisError(
        'errors/unknown',
        'A variance of lines cannot be told from that of errors which are unknown.',
        'Give the standard errors or the covariance of the means, or leave out the residual lines.',
      );
    }
    return traits.map(() => null);
  }
  const rows = phenotypeRows(samples, phenotype, matching);
  return traits.map((trait) => {
    const found = known.traits.get(trait);
    if (found === undefined) return null;
    const { places, covariance } = found;
    return {
      from: known.from,
      residualLines,
      areIndependent: covariance instanceof Float64Array,
      among: (individuals) =>
        among(
          covariance,
          individuals.map((i) => places[rows[i]]),
        ),
    };
  });
}

/** Some rows and columns of Ω. */
function among(covariance: ErrorCovariance, places: Int32Array): ErrorCovariance {
  if (covariance instanceof Float64Array) return Float64Array.from(places, (place) => covariance[place]);
  const n = places.length;
  const result = createMatrix(n, n);
  for (let j = 0; j < n; j++) {
    const column = places[j] * covariance.rows;
    for (let i = 0; i < n; i++) result.data[i + j * n] = covariance.data[places[i] + column];
  }
  return result;
}

/** Standard errors in columns of the phenotype file, as `ErrorInput` names them; null where none are named. */
function errorsOfColumns({ phenotype, traits, standardErrors = [] }: ErrorInput): ValueErrors | null {
  if (standardErrors.length === 0) return null;
  if (standardErrors.length !== traits.length) {
    throw new AnalysisError(
      'errors/columns',
      `There are ${traits.length} traits and ${standardErrors.length} columns of standard errors.`,
      'Name one column of standard errors for each trait, in the order of the traits.',
      { traits: traits.length, columns: standardErrors.length },
    );
  }
  const columns = standardErrors.map((name) => requireTraits(phenotype, [name])[0] ?? name);
  return {
    from: 'standard errors',
    traits: new Map(traits.map((trait, k) => [trait, errorsOfColumn(phenotype, trait, columns[k])])),
  };
}

function errorsOfColumn(phenotype: PhenotypeTable, trait: string, column: string): TraitErrors {
  const indexOf = (name: string): number => phenotype.traits.findIndex((one) => one.name === name);
  const values = phenotype.values[indexOf(trait)] ?? new Float64Array();
  const errors = phenotype.values[indexOf(column)] ?? new Float64Array();
  if (phenotype.reductions[indexOf(trait)] !== 'as given') {
    throw new AnalysisError(
      'errors/of-plots',
      `"${trait}" has several values a line, which become one mean: a standard error of each value is not that of the mean.`,
      'Analyse the plots with heterosis trial and take its means with their covariance, or give one row a line.',
      { trait },
    );
  }
  for (const [row, value] of values.entries()) {
    if (Number.isNaN(value)) continue;
    const individual = phenotype.individuals[row];
    if (Number.isNaN(errors[row])) {
      throw new AnalysisError(
        'errors/missing',
        `${individual} has a value of "${trait}" and no standard error in "${column}".`,
        'Fill in the standard error, or leave out the value: without, one plot would count as much as ten.',
        { trait, column, individual },
      );
    }
    if (!(errors[row] > 0)) {
      throw new AnalysisError(
        'errors/not-positive',
        `The standard error of "${trait}" of ${individual} is ${errors[row]}, and must be above 0.`,
        'Correct it; a value that is known exactly has no place among means.',
        { trait, column, individual },
      );
    }
  }
  return { places: Int32Array.from(values.keys()), covariance: errors.map((error) => error * error) };
}
