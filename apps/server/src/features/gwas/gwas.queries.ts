import type { GwasSummary } from '@heterosis/contracts/gwas';
import { type RawBuilder, sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import type { Queryable } from '../../platform/database/database.ts';
import { containing } from '../projects/index.ts';
import type { ErrorExtra } from '../runs/index.ts';

export type GwasTestName = 'LRT' | 'WALD' | 'SCORE';

export type GwasSummaryRow = GwasSummary;

/** Results of a trait in the object store: CSV, Parquet, plot points, QQ points, picture, and the individuals analysed. */
export type GwasResultKind = 'csv' | 'table' | 'plot' | 'qq' | 'image' | 'individuals';

export interface GwasTraitRow {
  trait: string;
  status: 'PROCESSING' | 'SUCCESS' | 'ERROR';
  error_extra: ErrorExtra | null;
  summary: GwasSummaryRow | null;
  chromosomes: string[];
  result_keys: Partial<Record<GwasResultKind, string>>;
}

export interface GwasRow {
  id: string;
  name: string;
  project_id: string;
  organization_id: string;
  description: string | null;
  traits: string[];
  seed: number;
  parameters: { covariates?: string[]; renames?: { from: string; to: string }[] };
  /** Null when the file was deleted. */
  genotype_id: string | null;
  phenotype_id: string | null;
  genotype_name: string | null;
  phenotype_name: string | null;
  test: GwasTestName;
  fixed: number;
  thresh_maf: number;
  thresh_callrate: number;
  created_by: string | null;
  /** Name, or address of a person without one. */
  creator: string | null;
  created_at: string;
  updated_at: string;
  trait_rows: GwasTraitRow[];
}

const traitRows: RawBuilder<GwasTraitRow[]> = sql`(
  select coalesce(jsonb_agg(jsonb_build_object(
    'trait', trait, 'status', status, 'error_extra', error_extra, 'summary', summary,
    'chromosomes', chromosomes, 'result_keys', result_keys)
    order by array_position(gwas.traits, trait)), '[]')
  from gwas_traits where gwas_traits.gwas_id = gwas.id)`;

const selectGwas = (db: Queryable, projectId: string) =>
  db
    .selectFrom('gwas')
    .innerJoin('projects', (join) =>
      join.onRef('projects.id', '=', 'gwas.project_id').on('projects.deleted_at', 'is', null),
    )
    .leftJoin('users', 'users.id', 'gwas.created_by')
    .leftJoin('files as genotype', (join) =>
      join.onRef('genotype.id', '=', 'gwas.genotype_id').on('genotype.deleted_at', 'is', null),
    )
    .leftJoin('files as phenotype', (join) =>
      join.onRef('phenotype.id', '=', 'gwas.phenotype_id').on('phenotype.deleted_at', 'is', null),
    )
    .where('gwas.project_id', '=', projectId)
    .where('gwas.deleted_at', 'is', null)
    .select([
      'gwas.id',
      'gwas.name',
      'gwas.project_id',
      'projects.organization_id',
      'gwas.description',
      'gwas.traits',
      'gwas.seed',
      'gwas.parameters',
      'genotype.id as genotype_id',
      'phenotype.id as phenotype_id',
      'genotype.name as genotype_name',
      'phenotype.name as phenotype_name',
      'gwas.test',
      'gwas.fixed',
      'gwas.thresh_maf',
      'gwas.thresh_callrate',
      'gwas.created_by',
      'gwas.created_at',
      'gwas.updated_at',
    ])
    .select(sql<string | null>`coalesce(users.name, users.email)`.as('creator'))
    .select(traitRows.as('trait_rows'));

export interface GwasFilter {
  genotypeId?: string | undefined;
  phenotypeId?: string | undefined;
  name?: string | undefined;
  limit: number;
  /** Id of the last GWAS seen. */
  after?: string | undefined;
}

/** Newest first. */
export async function listGwas(db: Queryable, projectId: string, filter: GwasFilter): Promise<GwasRow[]> {
  const { genotypeId, phenotypeId, name, limit, after } = filter;
  return (await selectGwas(db, projectId)
    .$if(genotypeId !== undefined, (query) => query.where('genotype.id', '=', genotypeId ?? null))
    .$if(phenotypeId !== undefined, (query) => query.where('phenotype.id', '=', phenotypeId ?? null))
    .$if(name !== undefined, (query) => query.where('gwas.name', 'ilike', containing(name ?? '')))
    .$if(after !== undefined, (query) => query.where('gwas.id', '<', after ?? ''))
    .orderBy('gwas.id', 'desc')
    .limit(limit + 1)
    .execute()) as unknown as GwasRow[];
}

export async function findGwas(db: Queryable, projectId: string, id: string): Promise<GwasRow | undefined> {
  return (await selectGwas(db, projectId).where('gwas.id', '=', id).executeTakeFirst()) as unknown as
    | GwasRow
    | undefined;
}

export interface NewGwas {
  projectId: string;
  name: string;
  traits: string[];
  genotypeId: string;
  phenotypeId: string;
  test: GwasTestName;
  fixed: number;
  threshMaf: number;
  threshCallrate: number;
  parameters: GwasRow['parameters'];
  createdBy: string;
}

/** The GWAS and a PROCESSING row for each trait. */
export async function insertGwas(db: Queryable, gwas: NewGwas): Promise<string> {
  const id = uuidv7();
  await db
    .insertInto('gwas')
    .values({
      id,
      project_id: gwas.projectId,
      name: gwas.name,
      traits: gwas.traits,
      // Nothing in a GWAS is random.
      seed: 0,
      parameters: gwas.parameters,
      genotype_id: gwas.genotypeId,
      phenotype_id: gwas.phenotypeId,
      test: gwas.test,
      fixed: gwas.fixed,
      thresh_maf: gwas.threshMaf,
      thresh_callrate: gwas.threshCallrate,
      created_by: gwas.createdBy,
    })
    .execute();
  await db
    .insertInto('gwas_traits')
    .values(gwas.traits.map((trait) => ({ gwas_id: id, trait })))
    .execute();
  return id;
}

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

/** Ends every trait that is still running. */
export async function failRunningTraits(db: Queryable, gwasId: string, error: ErrorExtra): Promise<void> {
  await db
    .updateTable('gwas_traits')
    .set({ status: 'ERROR', error_extra: error, updated_at: sql<string>`now()` })
    .where('gwas_id', '=', gwasId)
    .where('status', '=', 'PROCESSING')
    .execute();
}
