import { Problem } from '../../../platform/http/problem.ts';
import type { ObjectStorage, SignedGetOptions } from '../../../platform/object-storage/object-storage.ts';
import type { ErrorExtra } from '../ending/error-extra.ts';
import { type BundleFile, traitFolder } from './bundle.ts';

/** A trait of a run, with the storage keys of its results by kind. */
export interface TraitResults<Kind extends string> {
  trait: string;
  result_keys: Partial<Record<Kind, string>>;
}

/** The row of a trait of the run; refuses an unknown trait. */
export function requireTraitRow<Row extends { trait: string }>(
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
export const byTrait = <Row extends { trait: string }, Value>(
  rows: readonly Row[],
  value: (row: Row) => Value,
): Record<string, Value> => Object.fromEntries(rows.map((row) => [row.trait, value(row)]));

/**
 * Trait → signed URL of its result of this kind; null while there is none. The file name consists of run, trait and
 * `ending`.
 */
export async function urlsByTrait<Kind extends string>(
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
export const traitFiles = <Kind extends string>(
  rows: readonly TraitResults<Kind>[],
  names: Partial<Record<Kind, string>>,
): BundleFile[] => {
  const traits = rows.map(({ trait }) => trait);
  return rows.flatMap(({ trait, result_keys }) =>
    (Object.entries(names) as [Kind, string][]).flatMap(([kind, name]) => {
      const key = result_keys[kind];
      return key === undefined ? [] : [{ name: `${traitFolder(traits, trait)}/${name}`, content: { key } }];
    }),
  );
};
