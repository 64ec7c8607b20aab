import type * as z from 'zod';
import type { Provenance } from './runs.ts';

/** What the details of the runs of all kinds have; each has the ids of its inputs besides, null once deleted. */
export interface RepeatableRun {
  traits: readonly string[];
  /** Of models only. */
  include_dominance_effects?: boolean | null;
  provenance: Pick<Provenance, 'seed' | 'input_sha256' | 'parameters'>;
}

/**
 * The request that starts a run once more under another name, with the same inputs, settings and seed. `asked` is what
 * starts any run of its kind. `gone` has the roles of inputs that have been deleted since (`genotype`, `model`): with
 * any of them the request would be refused.
 */
export function requestOfRun(
  asked: z.ZodObject,
  run: RepeatableRun,
  name: string,
): { body: Record<string, unknown>; gone: string[] } {
  const { seed, parameters, input_sha256: hashes } = run.provenance;
  const dominance = run.include_dominance_effects ?? false;
  const values: Record<string, unknown> = { ...run, ...parameters, name, seed, dominance_effect: dominance };
  const fields = Object.entries<z.ZodType>(asked.shape);
  return {
    body: Object.fromEntries(
      fields.flatMap(([key, field]) => (isSaid(field, values[key]) ? [[key, values[key]]] : [])),
    ),
    gone: fields.flatMap(([key, field]) => {
      const several = /^(.+)_ids$/.exec(key)?.[1];
      if (several !== undefined) return isAnyGone(several, values[key], hashes) ? [several] : [];
      const role = /^(.+)_id$/.exec(key)?.[1];
      if (role === undefined || values[key] != null) return [];
      return role in hashes || !field.safeParse(undefined).success ? [role] : [];
    }),
  };
}

/** Whether the run had more inputs in a role that may have several. */
function isAnyGone(role: string, ids: unknown, hashes: Readonly<Record<string, string>>): boolean {
  const had = Object.keys(hashes).filter((name) => name === role || name.startsWith(`${role}_`));
  return Array.isArray(ids) && ids.length < had.length;
}

/** Null is said where it means something else than nothing: no time limit, for one, where the usual one is 120 s. */
const isSaid = (field: z.ZodType, value: unknown): boolean =>
  value === null ? field.safeParse(null).success && field.safeParse(undefined).data != null : value !== undefined;
