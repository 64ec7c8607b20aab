import type { ObjectStorage, SignedGetOptions } from '../../platform/object-storage/object-storage.ts';
import { type BundleFile, traitFolder } from './bundle.ts';

/** A trait of a run and the storage keys of its results by their kind. */
export interface TraitResults<Kind extends string> {
  trait: string;
  result_keys: Partial<Record<Kind, string>>;
}

/** Trait → value, as the API spells what a run has for each of its traits. */
export const byTrait = <Row extends { trait: string }, Value>(
  rows: readonly Row[],
  value: (row: Row) => Value,
): Record<string, Value> => Object.fromEntries(rows.map((row) => [row.trait, value(row)]));

/** Trait → signed address of its result of this kind; null while there is none. `ending` follows the names of run and trait. */
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

/** A folder of a bundle for each trait, with its results by the names that `names` gives their kinds. */
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
