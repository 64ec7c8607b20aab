import { csvChunks } from '@heterosis/file-formats/tables/text/csv-writer';
import type { LineVariances } from '@heterosis/statgen/mixed-model/line-variances';
import { heritabilityOfMeans } from '../prediction/evaluation/accuracy-estimate.ts';
import type { TraitMeans } from './trait-means.ts';

/** Columns of the table of means. */
const MEANS_COLUMNS = ['id', 'trait', 'n', 'mean', 'se', 'flag'] as const;

/** Means as stored with a checked file. */
export interface StoredMeans {
  individuals: string[];
  traits: Pick<TraitMeans, 'name' | 'unit' | 'means' | 'standardErrors' | 'observations' | 'flags' | 'environments'>[];
}

export function storedMeans(individuals: string[], traits: readonly TraitMeans[]): StoredMeans {
  return {
    individuals,
    traits: traits.map(({ name, unit, means, standardErrors, observations, flags, environments }) => ({
      name,
      unit,
      means,
      standardErrors,
      observations,
      flags,
      environments,
    })),
  };
}

/**
 * The means of some traits as CSV, one row per individual and trait; a cell is empty without mean or error.
 */
export function meansCsv(
  individuals: readonly string[],
  traits: Iterable<Omit<StoredMeans['traits'][number], 'environments'>>,
): Generator<string> {
  return csvChunks(MEANS_COLUMNS, rows());
  function* rows() {
    for (const { name, means, standardErrors, observations, flags } of traits) {
      for (const [i, id] of individuals.entries())
        yield [id, name, observations[i], means[i], standardErrors[i], flags[i]];
    }
  }
}

/** The figures of a trait as JSON, for the command line and the quality report of a file. */
export interface MeansSummary {
  trait: string;
  unit: string | null;
  model: string | null;
  n: number;
  observations: number;
  /** Individuals with observations whose mean is not estimable. */
  not_estimable: number;
  groups: number;
  environments: number;
  checks: string[];
  residual: { variance: number; degrees: number } | null;
  components: {
    line: ComponentSummary;
    line_by_environment: ComponentSummary | null;
    residual: ComponentSummary;
    log_likelihood: number;
    converged: boolean;
  } | null;
  without_components: TraitMeans['withoutComponents'];
  h2_entry_mean: number | null;
  h2_cullis: number | null;
  /** Which of the two the accuracy of an evaluation takes; null without either. */
  h2_basis: 'cullis' | 'entry-mean' | null;
}

interface ComponentSummary {
  variance: number;
  se: number | null;
}

export function summarizeMeans(trait: TraitMeans): MeansSummary {
  const { components, observations, flags } = trait;
  return {
    trait: trait.name,
    unit: trait.unit,
    model: trait.model,
    n: trait.n,
    observations: observations.reduce((sum, count) => sum + count, 0),
    not_estimable: flags.filter((flag) => flag === 'not_estimable').length,
    groups: trait.groups,
    environments: trait.environments.length,
    checks: trait.checks,
    residual: trait.residual,
    components:
      components === null
        ? null
        : {
            line: componentOf(components.line),
            line_by_environment:
              components.lineByEnvironment === null ? null : componentOf(components.lineByEnvironment),
            residual: componentOf(components.residual),
            log_likelihood: components.logLikelihood,
            converged: components.converged,
          },
    without_components: trait.withoutComponents,
    h2_entry_mean: trait.h2EntryMean,
    h2_cullis: trait.h2Cullis,
    h2_basis: heritabilityOfMeans({ cullis: trait.h2Cullis, entryMean: trait.h2EntryMean })?.basis ?? null,
  };
}

const componentOf = ({ variance, standardError }: LineVariances['line']): ComponentSummary => ({
  variance,
  se: standardError,
});
