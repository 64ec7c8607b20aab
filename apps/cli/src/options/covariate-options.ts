import {
  type Covariate,
  type CovariateChoice,
  codeLikeCovariates,
  requireCovariates,
} from '@heterosis/analysis/inputs/covariates';
import type { CommandIo, ReportedProblem } from '../command.ts';

type PhenotypeTable = Parameters<typeof requireCovariates>[0];

/**
 * Finds the columns of `--covariates` in the phenotype file, and warns of numbers that look like group codes.
 *
 * @throws AnalysisError like `requireCovariates`
 */
export function readCovariatesOption(
  asked: readonly string[],
  table: PhenotypeTable,
  traits: readonly string[],
  { path, io }: { path: string; io: CommandIo },
): Covariate[] {
  const columns = new Set([...table.traits, ...table.groups].map(({ name }) => name));
  const choices = asked.map((text) => choiceOf(text, columns));
  const covariates = requireCovariates(table, choices, traits);
  io.report(codeLikeCovariates(table, choices).map(codeWarning), path);
  return covariates;
}

/** Splits `family:factor`, unless a column has exactly that name. */
function choiceOf(text: string, columns: ReadonlySet<string>): CovariateChoice {
  const [, name, kind] = /^(.*?)\s*:\s*(factor|numeric)$/i.exec(text) ?? [];
  if (name === undefined || kind === undefined || columns.has(text)) return { name: text };
  return { name, kind: kind.toLowerCase() === 'factor' ? 'factor' : 'numeric' };
}

function codeWarning({ name, levels, n }: ReturnType<typeof codeLikeCovariates>[number]): ReportedProblem {
  return {
    severity: 'warning',
    code: 'W-COVARIATE-CODE',
    line: null,
    column: name,
    value: String(levels),
    message: `The covariate "${name}" holds ${levels} different whole numbers among ${n} individuals, and is taken as a measurement with one slope.`,
    suggestion: `If they are codes for groups, write ${name}:factor; if not, ${name}:numeric.`,
  };
}
