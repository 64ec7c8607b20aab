import { AnalysisError } from '@heterosis/analysis/context';
import { requireCovariates } from '@heterosis/analysis/inputs/covariates';
import type { Page } from '@heterosis/contracts/common';
import type { createGwasBody, Gwas, GwasDetail } from '@heterosis/contracts/gwas';
import type { ProblemCode } from '@heterosis/contracts/problem';
import type { listRunsQuery } from '@heterosis/contracts/runs';
import type * as z from 'zod';
import type { DatabaseTransaction } from '../../platform/database/database.ts';
import type { Principal, ProjectAccess } from '../../platform/http/access.ts';
import type { Services } from '../../platform/http/app.ts';
import { decodeIdCursor } from '../../platform/http/pagination.ts';
import { Problem } from '../../platform/http/problem.ts';
import {
  type FileRow,
  findInputFiles,
  type InputFiles,
  inputHashes,
  readPhenotypeTable,
  requireReadyFile,
} from '../files/index.ts';
import { requireCommonNames, requireTraits } from '../models/index.ts';
import {
  byTrait,
  createNamedRun,
  makeBundle,
  type NamedRuns,
  outcomeOfTraits,
  pageOfRuns,
  progressOf,
  provenanceOf,
  type Run,
  type RunRequestedBy,
  referenceTo,
  runsOnInput,
  startRun,
  traitFiles,
  urlsByTrait,
} from '../runs/index.ts';
import {
  failRunningTraits,
  findGwas,
  type GwasRow,
  type GwasTraitRow,
  insertGwas,
  listGwas as listGwasRows,
  updateGwasTrait,
} from './gwas.queries.ts';
import { methodsParagraph, modelInWords } from './methods-paragraph.ts';
import { runGwasJob } from './run-gwas.job.ts';

export const gwasRuns: NamedRuns<GwasRow, Gwas, GwasDetail> = {
  table: 'gwas',
  page: 'gwas',
  kind: 'gwas',
  noun: 'GWAS',
  owner: 'gwas_id',
  find: findGwas,
  toItem: toGwas,

  async toDetail(services, row, runs) {
    const gwas = await toGwas(services, row, runs);
    return {
      ...gwas,
      description: row.description,
      genotype: referenceTo(row.genotype_id, row.genotype_name),
      phenotype: referenceTo(row.phenotype_id, row.phenotype_name),
      model: modelInWords(row),
      image: gwas.image_urls[row.traits[0] ?? ''] ?? null,
      chromosomes: byTrait(row.trait_rows, ({ chromosomes }) => chromosomes),
      methods: methodsParagraph(row),
      provenance: provenanceOf(runs, {
        createdBy: row.creator,
        seed: null,
        parameters: {
          test: row.test,
          fixed: row.fixed,
          thresh_maf: row.thresh_maf,
          thresh_callrate: row.thresh_callrate,
          ...row.parameters,
        },
      }),
    };
  },

  toBundle({ trait_rows }, detail) {
    const { id, name, description, traits, summary: results, provenance } = detail;
    const inputs = { genotype: detail.genotype?.name ?? null, phenotype: detail.phenotype?.name ?? null };
    return makeBundle(
      { kind: 'gwas', id, name, description, traits, inputs, results, provenance },
      detail.methods,
      traitFiles(trait_rows, { csv: 'gwas.csv', image: 'manhattan.svg' }),
    );
  },

  outcome: ({ trait_rows }) => outcomeOfTraits(trait_rows, ({ status }) => status === 'PROCESSING', figuresInWords),

  failUnfinished: (db, { id }, error) => failRunningTraits(db, id, error),

  /** The failed traits, on the same inputs. */
  async restart(services, trx, row, requested) {
    const failed = row.trait_rows.filter(({ status }) => status === 'ERROR');
    if (failed.length === 0 || row.trait_rows.some(({ status }) => status === 'PROCESSING'))
      throw new Problem('runs/not-retryable', 'Only what has failed can be repeated, once nothing else is running.');
    const inputs = await findInputFiles(trx, row);
    if (inputs === undefined)
      throw new Problem('models/input-gone', 'An input file was deleted. Create a new GWAS with other files.');
    for (const { trait } of failed) await updateGwasTrait(trx, row.id, trait, { status: 'PROCESSING' });
    await enqueue(services, trx, row, inputs, requested);
  },
};

function figuresInWords({ summary }: GwasTraitRow): string {
  if (summary === null) return 'done';
  const { hits, lambda, top } = summary;
  const best = top === null ? '' : `, smallest p ${top.p.toExponential(1)} at ${top.id}`;
  return `${hits} ${hits === 1 ? 'marker' : 'markers'} above the Bonferroni threshold${best}, λ ${lambda.toFixed(2)}`;
}

async function toGwas({ storage }: Services, row: GwasRow, [run]: readonly Run[]): Promise<Gwas> {
  const progress = progressOf(run);
  return {
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
    progress: byTrait(row.trait_rows, ({ status }) => (status === 'PROCESSING' ? progress : null)),
    result_urls: await urlsByTrait(storage, row, 'csv', {
      ending: '_gwas.csv',
      contentType: 'text/csv; charset=utf-8',
    }),
    image_urls: await urlsByTrait(storage, row, 'image', { ending: '_manhattan.svg', contentType: 'image/svg+xml' }),
    summary: byTrait(row.trait_rows, ({ summary }) => summary),
    fixed: row.fixed,
    covariates: row.parameters.covariates ?? [],
    thresh_maf: row.thresh_maf,
    thresh_callrate: row.thresh_callrate,
    test: row.test,
    created_by: row.creator,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

export async function listGwas(
  services: Services,
  { projectId }: ProjectAccess,
  query: z.output<typeof listRunsQuery>,
): Promise<Page<Gwas>> {
  const rows = await listGwasRows(services.db, projectId, {
    genotypeId: query.genotype_id,
    phenotypeId: query.phenotype_id,
    name: query.name,
    limit: query.limit,
    after: decodeIdCursor(query.cursor),
  });
  return await pageOfRuns(services, gwasRuns, rows, query.limit);
}

/** Names are matched first; what has nothing in common is refused. Rows and job are one transaction. */
export async function createGwas(
  services: Services,
  { projectId }: ProjectAccess,
  principal: Principal,
  body: z.output<typeof createGwasBody>,
): Promise<GwasDetail> {
  const { db } = services;
  const genotype = await requireReadyFile(db, projectId, body.genotype_id, 'GENOTYPE');
  const phenotype = await requireReadyFile(db, projectId, body.phenotype_id, 'PHENOTYPE');
  const traits = requireTraits(phenotype, body.traits);
  const covariates = await readCovariates(services, phenotype, traits, body.covariates);
  await requireCommonNames(services, genotype, phenotype, body.renames);
  return await createNamedRun(services, gwasRuns, { projectId, name: body.name }, async (trx) => {
    const id = await insertGwas(trx, {
      projectId,
      name: body.name,
      traits,
      genotypeId: genotype.id,
      phenotypeId: phenotype.id,
      test: body.test,
      fixed: body.fixed,
      threshMaf: body.thresh_maf,
      threshCallrate: body.thresh_callrate,
      parameters: {
        ...(covariates.length > 0 ? { covariates } : {}),
        ...(body.renames === undefined || body.renames.length === 0 ? {} : { renames: body.renames }),
      },
      createdBy: principal.userId,
    });
    await enqueue(
      services,
      trx,
      { id, project_id: projectId },
      { genotype, phenotype },
      { requestedBy: principal.userId },
    );
    return id;
  });
}

/** The covariates by their names in the phenotype file; refuses what is no column of it, says nothing of individuals, or is one of the traits. */
async function readCovariates(
  { storage }: Services,
  phenotype: FileRow,
  traits: readonly string[],
  names: readonly string[],
): Promise<string[]> {
  if (names.length === 0) return [];
  try {
    return requireCovariates(await readPhenotypeTable(storage, phenotype), names, traits).map(({ name }) => name);
  } catch (error) {
    if (!(error instanceof AnalysisError)) throw error;
    throw new Problem(error.code as ProblemCode, `${error.message} ${error.suggestion}`, {
      cause: error,
      details: error.details,
      invalidParams: [{ name: 'body.covariates', reason: error.message }],
    });
  }
}

async function enqueue(
  services: Services,
  trx: DatabaseTransaction,
  { id, project_id: projectId }: Pick<GwasRow, 'id' | 'project_id'>,
  inputs: InputFiles,
  requested: RunRequestedBy,
): Promise<void> {
  await startRun(services, trx, runGwasJob, {
    projectId,
    owner: 'gwas_id',
    ownerId: id,
    kind: 'gwas',
    ...requested,
    inputSha256: inputHashes({ ...inputs }),
  });
}

/** What GWAS say when a file goes. */
export const gwasOfFiles = runsOnInput(gwasRuns, ['genotype_id', 'phenotype_id']);
