import type { PhenotypeTable } from '@heterosis/file-formats/tables/phenotype/phenotype-table';
import { jointMeans } from '@heterosis/statgen/mixed-model/joint-means';
import { type ErrorCovariance, factorErrors } from '@heterosis/statgen/mixed-model/whitening';
import { StatgenError } from '@heterosis/statgen/statgen-error';
import { AnalysisError } from '../context.ts';
import type { TraitErrors, ValueErrors } from '../inputs/value-errors.ts';
import type { MeansWithErrors, SeriesMeans } from '../trial-series/read-series.ts';

/** How much of the errors of means an analysis takes. */
export type Weights = 'none' | 'se' | 'full';

/** Means of lines as the phenotype of an analysis. */
export interface TraitsOfMeans {
  table: PhenotypeTable;
  /** Null where all means weigh the same. */
  errors: ValueErrors | null;
  /** Environments of each trait. */
  environments: number;
}

/**
 * Means as one value a line and trait. Means of several environments are joined by generalised least squares, with an
 * effect of each environment; see `jointMeans`.
 *
 * @param weights `none`: all means count alike; `se`: their standard errors, as if independent; `full`: the covariance
 * @param columns a phenotype table whose columns may be covariates
 * @throws AnalysisError `errors/no-covariance`, `errors/not-linked`, `errors/not-positive-definite`
 */
export function traitsOfMeans(
  read: Pick<SeriesMeans, 'means' | 'from'>,
  weights: Weights,
  columns: PhenotypeTable | null = null,
): TraitsOfMeans {
  if (weights === 'full' && read.from !== 'covariance') {
    throw new AnalysisError(
      'errors/no-covariance',
      'Weights by the whole covariance need the covariance of the means.',
      'Give --covariance as heterosis trial --covariance writes it, or take --weights se.',
    );
  }
  const names = [...new Set(read.means.map(({ trait }) => trait))];
  const joined = names.map((name) => {
    const own = read.means.filter(({ trait }) => trait === name);
    return joinEnvironments(name, own, weights);
  });
  const individuals = [...new Set([...(columns?.individuals ?? []), ...joined.flatMap(({ lines }) => lines)])];
  const rowOf = new Map(individuals.map((line, row) => [line, row]));
  const traits = new Map<string, TraitErrors>();
  const values = joined.map(({ lines, means, errors }, t) => {
    const column = new Float64Array(individuals.length).fill(Number.NaN);
    const places = new Int32Array(individuals.length).fill(-1);
    for (const [place, line] of lines.entries()) {
      const row = rowOf.get(line) ?? -1;
      column[row] = means[place];
      places[row] = place;
    }
    if (errors !== null) traits.set(names[t], { places, covariance: errors });
    return column;
  });
  return {
    table: tableOf(individuals, names, values, columns),
    errors: weights === 'none' ? null : { from: weights === 'full' ? 'covariance' : 'standard errors', traits },
    environments: new Set(read.means.map(({ environment }) => environment)).size,
  };
}

interface JoinedMeans {
  lines: string[];
  means: Float64Array;
  errors: ErrorCovariance | null;
}

function joinEnvironments(trait: string, own: readonly MeansWithErrors[], weights: Weights): JoinedMeans {
  const errorsOf = ({ lines, covariance }: MeansWithErrors): ErrorCovariance => {
    const n = lines.length;
    if (weights === 'full') return { rows: n, columns: n, data: covariance };
    return Float64Array.from({ length: n }, (_, i) => (weights === 'none' ? 1 : (covariance[i * (n + 1)] ?? 0)));
  };
  for (const one of own) requirePositiveDefinite(one, errorsOf(one));
  const [only] = own;
  if (own.length === 1 && only !== undefined) {
    return { lines: only.lines, means: only.means, errors: weights === 'none' ? null : errorsOf(only) };
  }
  requireLinks(trait, own);
  const lines = [...new Set(own.flatMap((one) => one.lines))];
  const placeOf = new Map(lines.map((line, place) => [line, place]));
  const { means, covariance } = jointMeans(
    own.map((one) => ({
      lines: Int32Array.from(one.lines, (line) => placeOf.get(line) ?? -1),
      y: one.means,
      errors: errorsOf(one),
    })),
    lines.length,
  );
  return { lines, means, errors: weights === 'none' ? null : covariance };
}

function requirePositiveDefinite({ trait, environment, lines }: MeansWithErrors, errors: ErrorCovariance): void {
  try {
    factorErrors(errors);
  } catch (error) {
    if (!(error instanceof StatgenError && error.code === 'errors-not-positive-definite')) throw error;
    const line = lines[Number(error.details.place)] ?? '';
    throw new AnalysisError(
      'errors/not-positive-definite',
      `The covariance of the means of ${trait} in ${environment} is not positive definite: beside the lines before it, the mean of ${line} has no error of its own.`,
      'Take means and covariance from the same analysis with all digits; two names of one line, or a correlation of 1, are the usual reasons.',
      { trait, environment, line },
    );
  }
}

/** @throws AnalysisError `errors/not-linked` where lines do not link all environments */
function requireLinks(trait: string, own: readonly MeansWithErrors[]): void {
  const reached = new Set(own[0]?.lines);
  const left = new Set(own.slice(1));
  for (let grows = true; grows; ) {
    grows = false;
    for (const one of left) {
      if (!one.lines.some((line) => reached.has(line))) continue;
      for (const line of one.lines) reached.add(line);
      left.delete(one);
      grows = true;
    }
  }
  if (left.size === 0) return;
  throw new AnalysisError(
    'errors/not-linked',
    `No line with a mean of ${trait} stands in ${[...left].map(({ environment }) => environment).join(', ')} and in the other environments too.`,
    'Analyse these environments apart, or all of them with heterosis series, which links them by relationships.',
    { trait, environments: [...left].map(({ environment }) => environment) },
  );
}

/** The means, then the columns of a phenotype table that are none of them. */
function tableOf(
  individuals: string[],
  names: readonly string[],
  values: Float64Array[],
  columns: PhenotypeTable | null,
): PhenotypeTable {
  const rows = columns?.individuals.length ?? 0;
  const others = [...(columns?.traits.keys() ?? [])].filter((k) => !names.includes(columns?.traits[k]?.name ?? ''));
  const longer = (column: Float64Array): Float64Array => {
    const all = new Float64Array(individuals.length).fill(Number.NaN);
    all.set(column.subarray(0, rows));
    return all;
  };
  const codes = (own: Int32Array): Int32Array => {
    const all = new Int32Array(individuals.length).fill(-1);
    all.set(own);
    return all;
  };
  const other = <T>(of: readonly T[] | undefined): T[] => others.flatMap((k) => (of?.[k] === undefined ? [] : [of[k]]));
  const all = [...values, ...other(columns?.values).map(longer)];
  return {
    shape: columns?.shape ?? 'wide',
    individuals,
    traits: [
      ...names.map((name) => ({ name, unit: null, ontologyId: null, kind: 'numeric' as const })),
      ...other(columns?.traits),
    ],
    values: all,
    observations: all.map((column) => Int32Array.from(column, (value) => Number(!Number.isNaN(value)))),
    reductions: [...names.map(() => 'as given' as const), ...other(columns?.reductions)],
    h2: [...names.map(() => null), ...others.map(() => null)],
    groups: (columns?.groups ?? []).map((group) => ({ ...group, codes: codes(group.codes) })),
    environments: [],
  };
}
