import type { Services } from '../../../platform/http/app.ts';
import { findTraitSettings } from '../../people/projects/index.ts';
import { type ErrorTriangle, readErrorTriangles } from './error-triangles.ts';

/** What a run found for one individual and trait. */
export interface IndividualValue {
  individual: string;
  trait: string;
  environment: string | null;
  estimate: 'gebv' | 'blup' | 'blue';
  value: number | null;
  /** Of a BLUP the root of its prediction error variance. */
  se: number | null;
  reliability: number | null;
  /** Share of the others with a lower value, 0–1. */
  percentile: number | null;
}

/** What an individual has at a locus that a run found for a trait. */
export interface LocusGenotype {
  individual: string;
  trait: string;
  marker: string;
  chr: string;
  pos: number;
  /** `A/G`; null without a call. */
  genotype: string | null;
  effect_allele: string;
  /** Copies of the effect allele. */
  copies: number | null;
  /** Per copy, in units of the trait; null where the test estimates none. */
  effect: number | null;
  p: number;
  /** Beyond the threshold of Bonferroni. */
  is_significant: boolean;
}

/** What a run knows of a marker and a trait. */
export interface MarkerEffect {
  marker: string;
  trait: string;
  /** The other allele, and the one that is counted. */
  a1: string;
  a2: string;
  /** Of a copy of A2, in units of the trait. */
  effect: number;
}

/** What a run says about each line, trait by trait, for those who put it beside other runs. */
export interface LineValues {
  run: { id: string; name: string; created_at: string };
  traits: {
    trait: string;
    unit: string | null;
    /** Of the table of results in the object store. */
    key: string;
    what: string;
    /** `se`: root of the prediction error variance; null where it has none. */
    rows: { line: string; value: number | null; se: number | null; reliability: number | null }[];
    /** Covariance of the prediction errors of its lines; null where it was not kept. */
    errors(): Promise<ErrorTriangle | null>;
    /** Trait → genetic covariance with it, of a model that predicted them together; null for others. */
    genetic: Record<string, number> | null;
  }[];
  /** Sentences about traits without values. */
  left_out: string[];
}

/** Values that a run has of all its traits in one table, which holds its lines by their place. */
export async function lineValuesOf(
  { db, tables, storage }: Pick<Services, 'db' | 'tables' | 'storage'>,
  run: LineValues['run'] & { project_id: string; traits: readonly string[] },
  {
    key,
    errors,
    what,
    columns,
    geneticOf = () => null,
  }: {
    key: string;
    /** Of what `packErrorTriangles` wrote of all traits. */
    errors?: string | undefined;
    what: string;
    columns: (trait: number, table: string) => string;
    geneticOf?: (trait: string) => Record<string, number> | null;
  },
): Promise<LineValues> {
  const settings = await findTraitSettings(db, run.project_id, run.traits);
  const units = new Map(settings.map(({ name, unit }) => [name, unit]));
  const traits: LineValues['traits'] = [];
  let reading: Promise<ErrorTriangle[]> | undefined;
  const kept = async (): Promise<ErrorTriangle[] | undefined> =>
    errors === undefined ? undefined : await (reading ??= readErrorTriangles(storage, errors));
  for (const [t, trait] of run.traits.entries()) {
    const rows = await tables.query<LineValues['traits'][number]['rows'][number]>(
      key,
      (table) => `select ${columns(t, table)} from ${table} order by place`,
    );
    traits.push({
      ...{ trait, unit: units.get(trait) ?? null, key, what, rows, genetic: geneticOf(trait) },
      errors: async () => (await kept())?.[t] ?? null,
    });
  }
  return { run: { id: run.id, name: run.name, created_at: run.created_at }, traits, left_out: [] };
}
