import { requireTraits } from '@heterosis/analysis/inputs/align-phenotype';
import type { ValueErrors } from '@heterosis/analysis/inputs/value-errors';
import type { Weights } from '@heterosis/analysis/means/means-with-errors';
import type { SeriesMeans } from '@heterosis/analysis/trial-series/read-series';
import type { CommandIo, OptionTable } from '../command.ts';
import { PHENOTYPE_OPTIONS, type PhenotypeChoices, readPhenotypeOption } from './model-options.ts';

type Reading = Awaited<ReturnType<typeof readPhenotypeOption>>;

/** `--phenotype` of commands that take `--means` as well. */
export const PHENOTYPE_OR_MEANS_OPTIONS = {
  ...PHENOTYPE_OPTIONS,
  phenotype: {
    kind: 'text',
    placeholder: 'P',
    path: 'read',
    unless: 'means',
    help: `${PHENOTYPE_OPTIONS.phenotype.help} With --means it gives covariates only.`,
  },
} as const satisfies OptionTable;

interface TraitChoices extends PhenotypeChoices {
  phenotype?: string | undefined;
  means?: string | undefined;
  covariance?: string | undefined;
  weights?: string | undefined;
  trait: readonly string[];
}

/** The traits of an analysis, whether of a phenotype file or of means. */
export interface TraitSource {
  phenotype: Reading['table'];
  /** Null of means. */
  reading: Reading['reading'] | null;
  traits: string[];
  /** What is known of errors; none in an analysis of values alone. */
  errors: { errors?: ValueErrors };
  /** The file of the traits. */
  path: string;
  /** The means, where they are of several environments. */
  series: SeriesMeans | null;
  lines: string[];
}

/** Reads what `--phenotype`, or `--means` with its errors, says of the traits asked for. */
export async function readTraitSource(options: TraitChoices, io: CommandIo): Promise<TraitSource> {
  const { phenotype: path, means } = options;
  const read = path === undefined ? null : await readPhenotypeOption({ ...options, phenotype: path }, io);
  if (means === undefined) {
    // The parser asks for the one or the other.
    if (read === null || path === undefined) throw new TypeError('neither phenotype nor means were given');
    const traits = requireTraits(read.table, options.trait);
    return { phenotype: read.table, reading: read.reading, traits, errors: {}, path, series: null, lines: [] };
  }
  const { openSeriesMeans } = await import('@heterosis/analysis/trial-series/read-series');
  const { traitsOfMeans } = await import('@heterosis/analysis/means/means-with-errors');
  const weights = weightsOf(options);
  const covariance = weights === 'none' ? undefined : options.covariance;
  const series = await openSeriesMeans({ means, covariance }, io.context, weights !== 'none');
  io.report(
    series.problems.filter(({ severity }) => severity === 'warning'),
    means,
  );
  const { table, errors, environments } = traitsOfMeans(series, weights, read?.table ?? null);
  const traits = requireTraits(table, options.trait);
  return {
    phenotype: table,
    reading: null,
    traits,
    errors: errors === null ? {} : { errors },
    path: means,
    series: environments > 1 ? series : null,
    lines: [
      `errors of the means: ${WEIGHTS[weights]}${environments > 1 ? `; ${environments} environments joined` : ''}`,
    ],
  };
}

const WEIGHTS: Record<Weights, string> = {
  none: 'unknown, one variance for all',
  se: 'independent, from their standard errors',
  full: 'known, with their covariance',
};

function weightsOf({ weights, covariance }: TraitChoices): Weights {
  if (weights === 'none' || weights === 'se' || weights === 'full') return weights;
  return covariance === undefined ? 'se' : 'full';
}
