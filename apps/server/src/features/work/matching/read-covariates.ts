import { AnalysisError } from '@heterosis/analysis/context';
import { type CovariateKind, requireCovariates } from '@heterosis/analysis/inputs/covariates';
import { ENVIRONMENT, leavesOutEnvironments, requireGroupColumn } from '@heterosis/analysis/prediction/leave-out';
import type { ProblemCode } from '@heterosis/contracts/problem';
import type { Services } from '../../../platform/http/app.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { type FileRow, readPhenotypeTable } from '../../data/files/index.ts';

/** Covariates as named in the request body of a run. */
export interface ChosenCovariates {
  covariates: string[];
  /** Chosen kinds, by name. */
  covariate_kinds?: Record<string, CovariateKind> | undefined;
}

/**
 * The covariates by their names in the phenotype file, and the chosen kinds. Refuses names that are not a column of
 * the file, columns that do not describe individuals, and the run's traits.
 */
export async function readCovariates(
  { storage }: Services,
  phenotype: FileRow,
  traits: readonly string[],
  { covariates, covariate_kinds: kinds = {} }: ChosenCovariates,
): Promise<Partial<ChosenCovariates>> {
  if (covariates.length === 0) return {};
  const choices = covariates.map((name) => ({ name, kind: kinds[name] }));
  try {
    const found = requireCovariates(await readPhenotypeTable(storage, phenotype), choices, traits);
    const chosen = found.filter(({ name }) =>
      choices.some((choice) => choice.kind !== undefined && choice.name.toLowerCase() === name.toLowerCase()),
    );
    return {
      covariates: found.map(({ name }) => name),
      ...(chosen.length === 0
        ? {}
        : { covariate_kinds: Object.fromEntries(chosen.map(({ name, kind }) => [name, kind])) }),
    };
  } catch (error) {
    throw refusedColumn(error, 'body.covariates');
  }
}

/**
 * The column of a phenotype file whose groups are left out, by its name there; `environment` where the design of the
 * file has several and no column of this name groups individuals.
 */
export async function readGroupColumn(
  { storage }: Services,
  phenotype: FileRow,
  column: string | undefined,
): Promise<string | undefined> {
  if (column === undefined) return undefined;
  try {
    const table = await readPhenotypeTable(storage, phenotype);
    return leavesOutEnvironments(table, column) && table.environments.length > 1
      ? ENVIRONMENT
      : requireGroupColumn(table, column).name;
  } catch (error) {
    throw refusedColumn(error, 'body.leave_out');
  }
}

function refusedColumn(error: unknown, field: string): unknown {
  if (!(error instanceof AnalysisError)) return error;
  return new Problem(error.code as ProblemCode, `${error.message} ${error.suggestion}`, {
    cause: error,
    details: error.details,
    invalidParams: [{ name: field, reason: error.message }],
  });
}
