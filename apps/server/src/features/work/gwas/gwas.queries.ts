import type { GwasDetail, GwasSummary } from '@heterosis/contracts/work/gwas';
import type { RunStatus } from '@heterosis/contracts/work/runs';
import { type RawBuilder, sql } from 'kysely';
import type { Queryable } from '../../../platform/database/database.ts';
import { type RowOf, selectionOf } from '../runs/kind/index.ts';
import type { ErrorExtra } from '../runs/work/index.ts';

type GwasParameters = GwasDetail['provenance']['parameters'];
export type GwasSummaryRow = GwasSummary;

/** Kinds of results that a trait has files of its own for. */
export type GwasTraitFile = 'csv' | 'table' | 'plot' | 'qq' | 'image' | 'individuals' | 'clumps' | 'clumps_csv';
/**
 * Kinds of results of a trait in the object store: CSV, Parquet, points of the two plots, image, individuals analysed,
 * clumps (JSON and CSV) where hits were put together, and, for all traits together, what was left out.
 */
export type GwasResultKind = GwasTraitFile | 'left_out';

export interface GwasTraitRow {
  trait: string;
  status: RunStatus;
  error_extra: ErrorExtra | null;
  summary: GwasSummaryRow | null;
  chromosomes: string[];
  result_keys: Partial<Record<GwasResultKind, string>>;
}

const traitRows: RawBuilder<GwasTraitRow[]> = sql`(
  select coalesce(jsonb_agg(jsonb_build_object(
    'trait', trait, 'status', status, 'error_extra', error_extra, 'summary', summary,
    'chromosomes', chromosomes, 'result_keys', result_keys)
    order by array_position(one.traits, trait), trait), '[]')
  from gwas_traits where gwas_traits.gwas_id = one.id)`;

export const gwasSelection = selectionOf('gwas', { genotype: 'GENOTYPE', phenotype: 'PHENOTYPE' }, (query) =>
  query
    .select(['one.test', 'one.fixed', 'one.thresh_maf', 'one.thresh_callrate', 'one.seed'])
    .select((one) =>
      one
        .ref('one.parameters')
        .$castTo<Omit<GwasParameters, 'test' | 'fixed' | 'thresh_maf' | 'thresh_callrate'>>()
        .as('parameters'),
    )
    .select(traitRows.as('trait_rows')),
);
export type GwasRow = RowOf<typeof gwasSelection>;

/** The options of a run, some of which have columns of their own. */
export const parametersOf = ({
  test,
  fixed,
  thresh_maf,
  thresh_callrate,
  parameters,
}: Pick<GwasRow, 'test' | 'fixed' | 'thresh_maf' | 'thresh_callrate' | 'parameters'>): GwasParameters => ({
  test,
  fixed,
  thresh_maf,
  thresh_callrate,
  ...parameters,
});

export type GwasTraitState =
  | { status: 'PROCESSING' }
  | { status: 'ERROR'; error_extra: ErrorExtra }
  | {
      status: 'SUCCESS';
      summary: GwasSummaryRow;
      chromosomes: string[];
      result_keys: Partial<Record<GwasResultKind, string>>;
    };

/** The one place where the status of a trait changes. */
export async function updateGwasTrait(
  db: Queryable,
  gwasId: string,
  trait: string,
  state: GwasTraitState,
): Promise<void> {
  await db
    .updateTable('gwas_traits')
    .set({ error_extra: null, ...state, updated_at: sql<string>`now()` })
    .where('gwas_id', '=', gwasId)
    .where('trait', '=', trait)
    .execute();
}
