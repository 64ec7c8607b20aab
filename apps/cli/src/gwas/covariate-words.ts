import type { CovariateSummary } from '@heterosis/analysis/inputs/covariates';
import type { ReportedProblem } from '../command.ts';

/** What was fitted beside the mean, as a line of the report. */
export function covariateLines(covariates: CovariateSummary[], withoutCovariate: number): string[] {
  const used = covariates
    .filter(({ use }) => use === 'used')
    .map(({ name, groups }) =>
      groups === undefined ? name : `${name} (${groups.count} groups, reference ${groups.reference})`,
    );
  if (covariates.length === 0) return [];
  const left =
    withoutCovariate === 0 ? '' : `; ${withoutCovariate} individuals with a value were left out for want of one`;
  return [`covariates: ${used.length === 0 ? 'none' : used.join(', ')}${left}`];
}

function covariateWarning({ name, use }: CovariateSummary): ReportedProblem {
  const reason =
    use === 'constant'
      ? 'is the same for all individuals analysed'
      : 'is a combination of the intercept, the principal components and the covariates before it';
  return {
    severity: 'warning',
    code: 'W-GWAS-COVARIATE',
    line: null,
    column: name,
    value: null,
    message: `The covariate "${name}" ${reason}, and was left out.`,
    suggestion: 'The result is the same as without it.',
  };
}

function conditionWarning({ name, use }: CovariateSummary): ReportedProblem {
  const reason = use === 'constant' ? 'is monomorphic among the individuals analysed' : 'follows from the model before';
  return {
    severity: 'warning',
    code: 'W-GWAS-COVARIATE',
    line: null,
    column: null,
    value: name,
    message: `The marker "${name}" ${reason}, and was left out of the model.`,
    suggestion: 'The result is the same as without it.',
  };
}

const SHOWN_GROUPS = 10;

function groupWarnings({ name, use, groups }: CovariateSummary): ReportedProblem[] {
  if (groups === undefined || use !== 'used') return [];
  const { alone, explained } = groups;
  const warning = (code: string, of: readonly string[], message: string, suggestion: string): ReportedProblem[] =>
    of.length === 0
      ? []
      : [{ severity: 'warning', code, line: null, column: name, value: String(of.length), message, suggestion }];
  const listed = (names: readonly string[]): string =>
    names.slice(0, SHOWN_GROUPS).join(', ') + (names.length > SHOWN_GROUPS ? ', …' : '');
  return [
    ...warning(
      'W-GWAS-GROUP-OF-ONE',
      alone,
      `Of the groups of "${name}", ${alone.length} ${alone.length === 1 ? 'has' : 'have'} a single individual: ${listed(alone)}.`,
      'Such an individual is fitted exactly and says nothing about markers. Check the spelling, or put small groups together.',
    ),
    ...warning(
      'W-GWAS-COVARIATE',
      explained,
      `Of the groups of "${name}", ${explained.length} ${explained.length === 1 ? 'follows' : 'follow'} from what is in the model before: ${listed(explained)}.`,
      'The result is the same without their effects.',
    ),
  ];
}

/** What is to be said of covariates and of markers conditioned on. */
export function fixedEffectWarnings(
  covariates: readonly CovariateSummary[],
  conditionedOn: readonly CovariateSummary[],
): { ofFile: ReportedProblem[]; ofMarkers: ReportedProblem[] } {
  const isLeftOut = ({ use }: CovariateSummary): boolean => use !== 'used';
  return {
    ofFile: [...covariates.filter(isLeftOut).map(covariateWarning), ...covariates.flatMap(groupWarnings)],
    ofMarkers: conditionedOn.filter(isLeftOut).map(conditionWarning),
  };
}
