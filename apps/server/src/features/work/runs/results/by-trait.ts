import { Problem } from '../../../../platform/http/problem.ts';
import type { ZippedFile } from '../../../../platform/http/zip-download.ts';
import type { ObjectStorage, SignedGetOptions } from '../../../../platform/object-storage/object-storage.ts';
import type { ErrorExtra } from '../work/error-extra.ts';
import { type Outcome, reasonInWords } from '../work/run-mail.ts';
import { traitFolder } from './bundle.ts';

/** A trait of a run, with the storage keys of its results by kind. */
export interface TraitResults<Kind extends string> {
  trait: string;
  result_keys: Partial<Record<Kind, string>>;
}

/** The row of a trait of the run; refuses an unknown trait. */
function requireTraitRow<Row extends { trait: string }>(
  run: { name: string; trait_rows: readonly Row[] },
  trait: string,
): Row {
  const row = run.trait_rows.find((one) => one.trait === trait);
  if (row !== undefined) return row;
  const traits = run.trait_rows.map((one) => one.trait);
  throw new Problem(
    'models/trait-not-in-phenotype',
    `"${run.name}" has no trait "${trait}". Its traits are ${traits.join(', ')}.`,
    { details: { trait, traits } },
  );
}

/** Storage key of a result of `what`; while there is none, refuses with the reason. */
export function requireResultKey<Kind extends string>(
  what: string,
  row: Pick<TraitResults<Kind>, 'result_keys'> & { error_extra: ErrorExtra | null },
  kind: Kind,
): string {
  const key = row.result_keys[kind];
  if (key !== undefined) return key;
  throw new Problem(
    'runs/no-result',
    row.error_extra === null
      ? `${what} is not finished yet. Its results appear here when it is.`
      : `${what} ended with an error: ${row.error_extra.message}`,
  );
}

/** Trait → value, the form in which the API returns per-trait data of a run. */
const byTrait = <Row extends { trait: string }, Value>(
  rows: readonly Row[],
  value: (row: Row) => Value,
): Record<string, Value> => Object.fromEntries(rows.map((row) => [row.trait, value(row)]));

/**
 * Trait → signed URL of its result of this kind; null while there is none. The file name consists of run, trait and
 * `ending`.
 */
async function urlsByTrait<Kind extends string>(
  storage: Pick<ObjectStorage, 'signGet'>,
  run: { name: string; trait_rows: readonly TraitResults<Kind>[] },
  kind: Kind,
  { ending, ...options }: { ending: string } & Omit<SignedGetOptions, 'fileName'>,
): Promise<Record<string, string | null>> {
  const signed = run.trait_rows.map(async ({ trait, result_keys }) => {
    const key = result_keys[kind];
    const fileName = `${run.name}_${trait}${ending}`;
    return [trait, key === undefined ? null : await storage.signGet(key, { ...options, fileName })] as const;
  });
  return Object.fromEntries(await Promise.all(signed));
}

/** A folder for each trait, for a bundle. `names` gives the file name for each kind of result. */
const traitFiles = <Kind extends string>(
  rows: readonly TraitResults<Kind>[],
  names: Partial<Record<Kind, string>>,
): ZippedFile[] => {
  const traits = rows.map(({ trait }) => trait);
  return rows.flatMap(({ trait, result_keys }) =>
    (Object.entries(names) as [Kind, string][]).flatMap(([kind, name]) => {
      const key = result_keys[kind];
      return key === undefined ? [] : [{ name: `${traitFolder(traits, trait)}/${name}`, content: { key } }];
    }),
  );
};

/** A run with a row for each trait, as lists and details of the API return it. */
interface RunOfTraits<Status extends string> {
  id: string;
  name: string;
  project_id: string;
  genotype_id: string | null;
  phenotype_id: string | null;
  genotype_name: string | null;
  phenotype_name: string | null;
  traits: string[];
  trait_rows: readonly { trait: string; status: Status; error_extra: ErrorExtra | null }[];
  creator: string | null;
  created_by: string | null;
  created_at: string;
  updated_at: string;
}

/** What trainings and association studies tell alike. */
const itemOfTraits = <Status extends string>(row: RunOfTraits<Status>) => ({
  id: row.id,
  name: row.name,
  project_id: row.project_id,
  genotype_id: row.genotype_id,
  phenotype_id: row.phenotype_id,
  genotype_name: row.genotype_name,
  phenotype_name: row.phenotype_name,
  traits: row.traits,
  status: byTrait(row.trait_rows, ({ status }) => status),
  error_extras: byTrait(row.trait_rows, ({ error_extra }) => error_extra),
  created_by: row.creator,
  created_by_id: row.created_by,
  created_at: row.created_at,
  updated_at: row.updated_at,
});

/** Outcome of each trait; undefined while a trait is unfinished. */
function outcomeOfTraits<Row extends { trait: string; error_extra: ErrorExtra | null }>(
  rows: readonly Row[],
  isRunning: (row: Row) => boolean,
  figure: (row: Row) => string,
): Outcome | undefined {
  if (rows.some(isRunning)) return undefined;
  return {
    results: rows.filter(({ error_extra }) => error_extra === null).map((row) => `${row.trait}: ${figure(row)}`),
    failures: rows.flatMap(({ trait, error_extra }) =>
      error_extra === null ? [] : [`${trait}: failed. ${reasonInWords(error_extra)}`],
    ),
  };
}

/** The traits that can be repeated. @throws Problem `runs/not-retryable` without any, or while others are under way */
function failedTraits<Row extends { status: string }>(
  rows: readonly Row[],
  isRunning: (status: Row['status']) => boolean,
): Row[] {
  const failed = rows.filter(({ status }) => status === 'ERROR');
  if (failed.length === 0 || rows.some(({ status }) => isRunning(status)))
    throw new Problem('runs/not-retryable', 'Only what has failed can be repeated, once nothing else is running.');
  return failed;
}

/** The shape of kinds whose traits have states, errors and results of their own. */
export const perTrait = {
  values: byTrait,
  failed: failedTraits,
  item: itemOfTraits,
  requireRow: requireTraitRow,
  files: traitFiles,
  urls: urlsByTrait,
  outcome: outcomeOfTraits,
};
