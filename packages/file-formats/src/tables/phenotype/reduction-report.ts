import type { ProblemCollector } from '../../problem.ts';
import { groupedNumber } from '../../text/grouped-number.ts';
import type { AdjustedMeans, FittedModel } from './adjusted-means.ts';
import { replicateTerms } from './phenotype-design.ts';
import type { Collected } from './phenotype-observations.ts';
import type { GroupColumn } from './phenotype-table.ts';

const SHOWN_NAMES = 10;

/**
 * Reports how observations became one value per individual: the model that was fitted (I-PH-AGGREGATED), means that are
 * not estimable (W-PH-NOT-ESTIMABLE), replicates left out of a model (W-PH-NO-REPLICATES), groups that share no
 * environment (W-PH-DISCONNECTED) and single values from several environments (W-PH-ENVIRONMENTS).
 *
 * @param reduced one per trait
 * @param groups the group columns of the table, for covariates that separate environments
 */
export function reportReductions(
  reduced: readonly AdjustedMeans[],
  groups: readonly GroupColumn[],
  collected: Collected,
  problems: ProblemCollector,
): void {
  reportModels(reduced, collected, problems);
  for (const [index, means] of reduced.entries()) {
    reportNotEstimable(means, index, collected, problems);
    reportWithoutReplicates(means, index, collected, problems);
    reportGroups(means, index, groups, collected, problems);
    reportSingleValues(means, index, groups, collected, problems);
  }
}

function reportModels(reduced: readonly AdjustedMeans[], collected: Collected, problems: ProblemCollector): void {
  const { traits, individuals } = collected;
  let observations = 0;
  const traitsOfModel = new Map<string, string[]>();
  for (const [index, means] of reduced.entries()) {
    if (means.model === null) continue;
    observations += means.observations.reduce((a, b) => a + b, 0);
    const model = modelInWords(means, collected);
    traitsOfModel.set(model, [...(traitsOfModel.get(model) ?? []), traits[index].header.name]);
  }
  if (traitsOfModel.size === 0) return;
  const models = [...traitsOfModel].map(([model, names]) =>
    traitsOfModel.size === 1 ? model : `${listed(names)}: ${model}`,
  );
  problems.info('I-PH-AGGREGATED', {
    value: String(observations),
    message: `${groupedNumber(observations)} observations of ${groupedNumber(individuals.length)} individuals were reduced to one value per individual and trait (${models.join('; ')}).`,
    suggestion: 'The means can be downloaded with the number of observations behind each.',
  });
}

/**
 * The terms of a fitted model, `line + environment + replicate in environment`: those that are in it, not those that
 * the columns of the file would allow.
 *
 * @param replicates what replicates and blocks are called in the file, see {@link replicateTerms}
 */
export function modelTerms(model: FittedModel, replicates: string): string {
  const terms = ['line'];
  if (model.environmentCount > 1) terms.push('environment');
  if (model.hasReplicates) terms.push(model.environmentCount > 1 ? `${replicates} in environment` : replicates);
  return terms.join(' + ');
}

function modelInWords(
  { model, environments, withoutReplicates }: AdjustedMeans,
  { header, design }: Collected,
): string {
  if (model === null || model.cellCount === 1) return 'plain means';
  const replicates = replicateTerms(header);
  const count = `${environments} ${environments === 1 ? 'environment' : 'environments'}`;
  const without =
    model.hasReplicates && withoutReplicates.length > 0
      ? `, without ${replicates} in ${listed(withoutReplicates.map((environment) => design.environments[environment]))}`
      : '';
  return `adjusted means: ${modelTerms(model, replicates)}, ${count}${without}`;
}

function reportNotEstimable(
  { notEstimable }: AdjustedMeans,
  index: number,
  { traits, individuals, design, header }: Collected,
  problems: ProblemCollector,
): void {
  if (notEstimable.length === 0) return;
  const { rows, column, values, header: trait } = traits[index];
  const firstRow = new Map<number, number>();
  const individualOfRow = rows.individual.values;
  for (let row = individualOfRow.length - 1; row >= 0; row--)
    if (!Number.isNaN(values.at(row))) firstRow.set(individualOfRow[row], row);
  const replicates = replicateTerms(header);
  for (const { individual, cell } of notEstimable) {
    const name = individuals[individual];
    problems.warning('W-PH-NOT-ESTIMABLE', {
      line: rows.line.values[firstRow.get(individual) ?? 0] ?? null,
      column,
      value: name,
      message: `${trait.name} of "${name}" cannot be compared with the other individuals and is left out: "${design.cellNames[cell]}" and the ${replicates} effects linked to it share no individual with the rest.`,
      suggestion: `Check how its ${replicates} is written. To compare it through its environment alone, remove the ${replicates} column.`,
    });
  }
}

function reportWithoutReplicates(
  { withoutReplicates, model }: AdjustedMeans,
  index: number,
  { traits, design, header }: Collected,
  problems: ProblemCollector,
): void {
  if (withoutReplicates.length === 0 || model === null) return;
  const replicates = replicateTerms(header);
  const where =
    design.environments.length > 1
      ? ` in ${listed(withoutReplicates.map((environment) => design.environments[environment]))}`
      : '';
  problems.warning('W-PH-NO-REPLICATES', {
    column: traits[index].column,
    value: String(withoutReplicates.length),
    message: `The model of ${traits[index].header.name} has no ${replicates} effects${where}: they cut the individuals into parts that share no ${replicates}, none of them more than half of the individuals.`,
    suggestion: `Check the ${replicates} column: a number per plot is no ${replicates}.`,
  });
}

function reportGroups(
  means: AdjustedMeans,
  index: number,
  groups: readonly GroupColumn[],
  collected: Collected,
  problems: ProblemCollector,
): void {
  if (means.groups < 2 || means.model === null) return;
  const { traits, individuals } = collected;
  const members = Array.from({ length: means.groups }, (): number[] => []);
  for (const [individual, group] of means.model.groupOfIndividual.entries())
    if (group >= 0) members[group].push(individual);
  members.sort((a, b) => b.length - a.length);
  const smallest = members[members.length - 1];
  const sizes = members.slice(0, SHOWN_NAMES).map(({ length }) => groupedNumber(length));
  const more = members.length > SHOWN_NAMES ? ', …' : '';
  problems.warning('W-PH-DISCONNECTED', {
    column: traits[index].column,
    value: String(means.groups),
    message: `${traits[index].header.name} was measured in ${means.groups} groups of individuals that share no environment (${sizes.join(', ')}${more} individuals; the smallest: ${listed(smallest.map((individual) => individuals[individual]))}): differences between the groups mix lines and environments.`,
    suggestion: `Train on one group at a time${covariateHint(groups, collected)}, or add trials with common checks.`,
  });
}

function reportSingleValues(
  { model, environments, values }: AdjustedMeans,
  index: number,
  groups: readonly GroupColumn[],
  collected: Collected,
  problems: ProblemCollector,
): void {
  if (model !== null || environments < 2) return;
  const { traits } = collected;
  const n = values.reduce((count, value) => count + Number(!Number.isNaN(value)), 0);
  problems.warning('W-PH-ENVIRONMENTS', {
    column: traits[index].column,
    value: String(environments),
    message: `${traits[index].header.name} has one value per individual, and the ${groupedNumber(n)} values come from ${groupedNumber(environments)} environments: each mixes its line with its environment, and no correction is possible.`,
    suggestion: `Train on one environment at a time${covariateHint(groups, collected)}, or add lines that were grown in several environments.`,
  });
}

/** The column that separates the environments as a covariate, when it puts every individual into one of them. */
function covariateHint(groups: readonly GroupColumn[], { design }: Collected): string {
  const column = groups.find(({ name, origin }) => origin === 'design' && name === design.environmentColumn);
  return column === undefined || column.groups.length < 2
    ? ''
    : `, take "${column.name}" as a covariate (individuals are then compared within their environments)`;
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN_NAMES).join(', ');
  return names.length > SHOWN_NAMES ? `${shown} and ${groupedNumber(names.length - SHOWN_NAMES)} more` : shown;
}
