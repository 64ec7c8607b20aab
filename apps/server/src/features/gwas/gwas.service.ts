import { nearestName } from '@heterosis/analysis/covariates';
import { matchIndividuals } from '@heterosis/analysis/match-names';
import type {
  createGwasBody,
  Gwas,
  GwasDetail,
  GwasMarker,
  GwasRow as GwasResultRow,
  updateGwasBody,
} from '@heterosis/contracts/gwas';
import { linkageDisequilibrium } from '@heterosis/statgen/association/linkage-disequilibrium';
import { uuidv7 } from 'uuidv7';
import type * as z from 'zod';
import { recordAuditEvent } from '../../platform/audit/audit-events.ts';
import { type DatabaseTransaction, type Queryable, violates } from '../../platform/database/database.ts';
import { publishEvent } from '../../platform/events/events.ts';
import type { Principal, ProjectAccess } from '../../platform/http/access.ts';
import type { Services } from '../../platform/http/app.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import { findFile, getReadyFile, openFilePanel, readPhenotypeTable, readSampleNames } from '../files/index.ts';
import { requireOwn } from '../projects/index.ts';
import {
  attachJob,
  type Bundle,
  cancelRuns,
  findLatestRuns,
  insertRun,
  makeBundle,
  ofCancellation,
  progressOf,
  provenanceOf,
  type Run,
  traitFolder,
} from '../runs/index.ts';
import {
  failRunningTraits,
  findGwas,
  type GwasResultKind,
  type GwasRow,
  type GwasTraitRow,
  insertGwas,
  updateGwas,
  updateGwasTrait,
} from './gwas.queries.ts';
import { methodsParagraph, modelInWords } from './methods-paragraph.ts';
import { plotPoints } from './plot-points.ts';
import { runGwasJob } from './run-gwas.job.ts';

/** Markers on either side of the one looked at. */
const NEIGHBOURS = 100;
const NEIGHBOUR_WINDOW_BP = 5_000_000;

export async function getGwas(db: Queryable, projectId: string, id: string): Promise<GwasRow> {
  const gwas = await findGwas(db, projectId, id);
  if (!gwas) throw notFound('This GWAS');
  return gwas;
}

/** The trait row with a result; throws while there is none. */
export function requireResult(gwas: GwasRow, trait: string): GwasTraitRow {
  const row = gwas.trait_rows.find((one) => one.trait === trait);
  if (!row) throw new Problem('models/trait-not-in-phenotype', `“${gwas.name}” has no trait “${trait}”.`);
  if (row.status !== 'SUCCESS') throw new Problem('runs/no-result', `“${gwas.name}” has no result for “${trait}” yet.`);
  return row;
}

export function resultKeyOf(row: GwasTraitRow, kind: GwasResultKind): string {
  const key = row.result_keys[kind];
  if (key === undefined) throw new Problem('runs/no-result', `There is no ${kind} of “${row.trait}”.`);
  return key;
}

export async function toGwas({ storage }: Services, row: GwasRow, run: Run | undefined): Promise<Gwas> {
  const byTrait = <Value>(value: (trait: GwasTraitRow) => Value): Record<string, Value> =>
    Object.fromEntries(
      row.traits.flatMap((name) => row.trait_rows.filter((one) => one.trait === name).map((one) => [name, value(one)])),
    );
  const signed = async (kind: GwasResultKind, ending: string): Promise<Record<string, string | null>> => {
    const urls = row.trait_rows.map(async (one) => {
      const key = one.result_keys[kind];
      return [
        one.trait,
        key === undefined ? null : await storage.signGet(key, { fileName: `${row.name}_${one.trait}${ending}` }),
      ] as const;
    });
    return Object.fromEntries(await Promise.all(urls));
  };
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
    status: byTrait((one) => one.status),
    error_extras: byTrait((one) => one.error_extra),
    progress: byTrait((one) => (one.status === 'PROCESSING' ? progress : null)),
    result_urls: await signed('csv', '_gwas.csv'),
    image_urls: await signed('image', '_manhattan.svg'),
    summary: byTrait((one) => one.summary),
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

export async function readGwasDetail(services: Services, projectId: string, id: string): Promise<GwasDetail> {
  const row = await getGwas(services.db, projectId, id);
  const runs = await findLatestRuns(services.db, 'gwas_id', [id]);
  const gwas = await toGwas(services, row, runs[0]);
  const reference = (fileId: string | null, name: string | null) =>
    fileId === null ? null : { id: fileId, name: name ?? '' };
  return {
    ...gwas,
    description: row.description,
    genotype: reference(row.genotype_id, row.genotype_name),
    phenotype: reference(row.phenotype_id, row.phenotype_name),
    model: modelInWords(row),
    image: gwas.image_urls[row.traits[0] ?? ''] ?? null,
    chromosomes: Object.fromEntries(row.trait_rows.map((one) => [one.trait, one.chromosomes])),
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
}

/** The results of all traits, with what they rest on. */
export async function bundleGwas(services: Services, projectId: string, id: string): Promise<Bundle> {
  const detail = await readGwasDetail(services, projectId, id);
  const { traits, trait_rows } = await getGwas(services.db, projectId, id);
  const files = trait_rows.flatMap(({ trait, result_keys }) =>
    (
      [
        ['csv', 'gwas.csv'],
        ['image', 'manhattan.svg'],
      ] as const
    ).flatMap(([kind, name]) => {
      const key = result_keys[kind];
      return key === undefined ? [] : [{ name: `${traitFolder(traits, trait)}/${name}`, content: { key } }];
    }),
  );
  const inputs = { genotype: detail.genotype?.name ?? null, phenotype: detail.phenotype?.name ?? null };
  const { name, description, summary: results, provenance } = detail;
  return makeBundle(
    { kind: 'gwas', id, name, description, traits, inputs, results, provenance },
    detail.methods,
    files,
  );
}

/** Names are matched first; what has nothing in common is refused. Rows and job are one transaction. */
export async function createGwas(
  services: Services,
  access: ProjectAccess,
  principal: Principal,
  body: z.output<typeof createGwasBody>,
): Promise<GwasDetail> {
  const { db, storage } = services;
  const { projectId } = access;
  const genotype = await getReadyFile(db, projectId, body.genotype_id, 'GENOTYPE');
  const phenotype = await getReadyFile(db, projectId, body.phenotype_id, 'PHENOTYPE');
  const known = phenotype.meta.traits ?? [];
  for (const trait of body.traits)
    if (!known.includes(trait))
      throw new Problem(
        'models/trait-not-in-phenotype',
        `“${phenotype.name}” has no numeric trait “${trait}”. It has: ${known.join(', ')}.`,
      );
  const covariates = [...new Set(body.covariates)];
  requireCovariates(phenotype.name, known, body.traits, covariates);
  const table = await readPhenotypeTable(storage, phenotype);
  const { both } = matchIndividuals(await readSampleNames(storage, genotype), table.individuals, {
    renames: body.renames ?? [],
    suggestionsPerName: 0,
  });
  if (both.length === 0)
    throw new Problem('match/nothing-in-common', `“${genotype.name}” and “${phenotype.name}” have no name in common.`);

  const id = uuidv7();
  await db.transaction().execute(async (trx) => {
    await named(body.name, () =>
      insertGwas(trx, {
        id,
        project_id: projectId,
        name: body.name,
        traits: [...new Set(body.traits)],
        genotype_id: genotype.id,
        phenotype_id: phenotype.id,
        test: body.test,
        fixed: body.fixed,
        thresh_maf: body.thresh_maf,
        thresh_callrate: body.thresh_callrate,
        parameters: {
          ...(covariates.length > 0 ? { covariates } : {}),
          ...(body.renames && body.renames.length > 0 ? { renames: body.renames } : {}),
        },
        created_by: principal.userId,
      }),
    );
    await start(services, trx, projectId, id, { genotype: genotype.sha256 ?? '', phenotype: phenotype.sha256 ?? '' });
  });
  return readGwasDetail(services, projectId, id);
}

/** Covariates are columns of numbers of the phenotype file, and none is one of the traits. */
function requireCovariates(file: string, known: string[], traits: string[], covariates: string[]): void {
  for (const [place, covariate] of covariates.entries()) {
    const name = `body.covariates.${place}`;
    if (!known.includes(covariate)) {
      const nearest = nearestName(covariate, known);
      const hint = nearest === null ? `It has: ${known.join(', ')}.` : `Did you mean “${nearest}”?`;
      throw new Problem('gwas/unknown-covariate', `“${file}” has no column of numbers “${covariate}”. ${hint}`, {
        invalidParams: [{ name, reason: 'not a column of numbers of the phenotype file' }],
      });
    }
    if (traits.includes(covariate))
      throw new Problem(
        'gwas/covariate-is-trait',
        `“${covariate}” is one of the traits. Choose it as one or the other.`,
        {
          invalidParams: [{ name, reason: 'is one of the traits' }],
        },
      );
  }
}

async function start(
  { jobs }: Services,
  trx: DatabaseTransaction,
  projectId: string,
  id: string,
  inputSha256: Record<string, string>,
): Promise<void> {
  const runId = await insertRun(trx, { projectId, owner: 'gwas_id', ownerId: id, kind: 'gwas', inputSha256 });
  await attachJob(
    trx,
    runId,
    await jobs.enqueue(trx, runGwasJob, { project_id: projectId, gwas_id: id, run_id: runId }),
  );
  await publishEvent(trx, { type: 'gwas', id, project_id: projectId, organization_id: null });
}

export async function changeGwas(
  services: Services,
  access: ProjectAccess,
  principal: Principal,
  id: string,
  body: z.output<typeof updateGwasBody>,
): Promise<GwasDetail> {
  const row = await getGwas(services.db, access.projectId, id);
  requireOwn(access, principal, row.created_by);
  await services.db.transaction().execute(async (trx) => {
    await named(body.name ?? row.name, () =>
      updateGwas(trx, access.projectId, id, {
        ...(body.name === undefined ? {} : { name: body.name }),
        ...(body.description === undefined ? {} : { description: body.description }),
      }),
    );
    await publishEvent(trx, { type: 'gwas', id, project_id: access.projectId, organization_id: null });
  });
  return readGwasDetail(services, access.projectId, id);
}

export async function deleteGwas(
  { db, jobs }: Services,
  access: ProjectAccess,
  principal: Principal,
  id: string,
  requestId: string,
): Promise<void> {
  const row = await getGwas(db, access.projectId, id);
  requireOwn(access, principal, row.created_by);
  await db.transaction().execute(async (trx) => {
    const running = await cancelRuns(trx, 'gwas_id', id);
    if (running) await jobs.cancel(trx, ...running);
    await updateGwas(trx, access.projectId, id, { deleted_at: new Date().toISOString() });
    await recordAuditEvent(trx, {
      action: 'gwas.deleted',
      actor: principal,
      organizationId: access.organizationId,
      projectId: access.projectId,
      targetType: 'gwas',
      targetId: id,
      details: { name: row.name },
      requestId,
    });
    await publishEvent(trx, { type: 'gwas', id, project_id: access.projectId, organization_id: null });
  });
}

export async function cancelGwas(
  services: Services,
  access: ProjectAccess,
  principal: Principal,
  id: string,
): Promise<GwasDetail> {
  const { db, jobs } = services;
  const row = await getGwas(db, access.projectId, id);
  requireOwn(access, principal, row.created_by);
  await db.transaction().execute(async (trx) => {
    const running = await cancelRuns(trx, 'gwas_id', id);
    if (!running) throw new Problem('runs/not-cancellable', `“${row.name}” has already ended.`);
    await jobs.cancel(trx, ...running);
    await failRunningTraits(trx, id, ofCancellation(principal.email));
    await publishEvent(trx, { type: 'gwas', id, project_id: access.projectId, organization_id: null });
  });
  return readGwasDetail(services, access.projectId, id);
}

/** Runs the failed traits again on the same inputs. */
export async function retryGwas(
  services: Services,
  access: ProjectAccess,
  principal: Principal,
  id: string,
): Promise<GwasDetail> {
  const { db } = services;
  const { projectId } = access;
  const row = await getGwas(db, projectId, id);
  requireOwn(access, principal, row.created_by);
  const failed = row.trait_rows.filter((one) => one.status === 'ERROR');
  if (failed.length === 0 || row.trait_rows.some((one) => one.status === 'PROCESSING'))
    throw new Problem('runs/not-retryable', `Nothing of “${row.name}” has failed.`);
  const genotype = row.genotype_id === null ? undefined : await findFile(db, projectId, row.genotype_id);
  const phenotype = row.phenotype_id === null ? undefined : await findFile(db, projectId, row.phenotype_id);
  if (!genotype || !phenotype)
    throw new Problem('models/input-gone', 'An input file was deleted. Create a new GWAS with other files.');
  await db.transaction().execute(async (trx) => {
    for (const one of failed) await updateGwasTrait(trx, id, one.trait, { status: 'PROCESSING' });
    await start(services, trx, projectId, id, { genotype: genotype.sha256 ?? '', phenotype: phenotype.sha256 ?? '' });
  });
  return readGwasDetail(services, projectId, id);
}

/** A row of the Parquet table. */
export interface TableRow {
  id: string;
  chr: string;
  chr_index: number;
  pos: number;
  place: number;
  a1: string;
  a2: string;
  freq_a2: number;
  statistic: number | null;
  beta: number | null;
  sd: number | null;
  h2: number | null;
  p: number | null;
  neg_log10_p: number | null;
  q: number | null;
}

export function toResultRow(row: TableRow, gwas: GwasRow, n: number): GwasResultRow {
  return {
    id: row.id,
    chr: row.chr,
    pos: row.pos,
    A1: row.a1,
    A2: row.a2,
    freqA2: row.freq_a2,
    n,
    score: gwas.test === 'SCORE' ? (row.statistic ?? 0) : 0,
    LRT: gwas.test === 'LRT' ? (row.statistic ?? 0) : 0,
    beta: row.beta,
    sd: row.sd,
    h2: row.h2,
    p: row.p ?? 1,
    neg_log10_p: row.neg_log10_p ?? 0,
    q: row.q,
  };
}

const COLUMNS = 'id, chr, chr_index, pos, place, a1, a2, freq_a2, statistic, beta, sd, h2, p, neg_log10_p, q';
export const RESULT_COLUMNS: string = COLUMNS;

/** The marker that was clicked: phenotypes by genotype class, and LD with its neighbours. */
export async function readMarker(
  services: Services,
  projectId: string,
  id: string,
  trait: string,
  marker: string,
): Promise<GwasMarker> {
  const { db, storage, tables } = services;
  const gwas = await getGwas(db, projectId, id);
  const row = requireResult(gwas, trait);
  const n = row.summary?.n ?? 0;
  const key = resultKeyOf(row, 'table');
  const [focus] = await tables.query<TableRow & Record<string, unknown>>(
    key,
    (table) => `select ${COLUMNS} from ${table} where id = $1 limit 1`,
    [marker],
  );
  if (!focus) throw new Problem('gwas/unknown-marker', `“${gwas.name}” has no result for the marker “${marker}”.`);
  const neighbours = await tables.query<TableRow & Record<string, unknown>>(
    key,
    (table) =>
      `select ${COLUMNS} from ${table} where chr_index = $1 and place between $2 and $3 and abs(pos - $4) <= ${NEIGHBOUR_WINDOW_BP} order by place`,
    [focus.chr_index, focus.place - NEIGHBOURS, focus.place + NEIGHBOURS, focus.pos],
  );
  const genotype = gwas.genotype_id === null ? undefined : await findFile(db, projectId, gwas.genotype_id);
  if (!genotype) throw new Problem('models/input-gone', 'The genotype file was deleted, so its calls cannot be shown.');

  const individuals = await readJson<{ positions: number[]; values: (number | null)[] }>(
    services,
    resultKeyOf(row, 'individuals'),
  );
  const first = Math.min(...neighbours.map((one) => one.place));
  const count = Math.max(...neighbours.map((one) => one.place)) - first + 1;
  const panel = await openFilePanel(storage, genotype);
  try {
    const packed = await panel.readPacked(first, count);
    const selection = { panelSize: panel.samples.length, individuals: Int32Array.from(individuals.positions) };
    const r2 = linkageDisequilibrium(packed, count, selection, focus.place - first);
    const stride = Math.ceil(panel.samples.length / 4);
    const calls = packed.subarray((focus.place - first) * stride, (focus.place - first + 1) * stride);
    const classes: number[][] = [[], [], []];
    for (const [index, position] of individuals.positions.entries()) {
      const code = ((calls[position >> 2] ?? 0) >> (2 * (position & 3))) & 3;
      const dosage = code === 0 ? 0 : code === 2 ? 1 : code === 3 ? 2 : -1;
      const value = individuals.values[index];
      if (dosage >= 0 && value !== null && value !== undefined) classes[dosage]?.push(value);
    }
    const names = [`${focus.a1}/${focus.a1}`, `${focus.a1}/${focus.a2}`, `${focus.a2}/${focus.a2}`];
    return {
      row: toResultRow(focus, gwas, n),
      classes: classes.flatMap((values, dosage) =>
        values.length === 0 ? [] : [{ dosage, genotype: names[dosage] ?? '', values }],
      ),
      neighbours: neighbours.flatMap((one) => {
        const value = r2[one.place - first] ?? Number.NaN;
        return Number.isNaN(value)
          ? []
          : [{ id: one.id, pos: one.pos, p: one.p ?? 1, neg_log10_p: one.neg_log10_p ?? 0, r2: Math.min(1, value) }];
      }),
    };
  } finally {
    await panel.close();
  }
}

/** Points of the Manhattan plot in one region, exact up to what a browser draws at once. */
export async function readRegionPoints(
  tables: Services['tables'],
  key: string,
  { chr, start, end }: { chr: string; start: number; end: number | undefined },
): Promise<Uint8Array> {
  const rows = await tables.query<{ chr_index: number; pos: number; neg_log10_p: number | null }>(
    key,
    (table) =>
      `select chr_index, pos, neg_log10_p from ${table} where chr = $1 and pos >= $2 ${end === undefined ? '' : 'and pos <= $3'} order by pos, place`,
    end === undefined ? [chr, start] : [chr, start, end],
  );
  const points = plotPoints(
    Int32Array.from(rows, (row) => row.chr_index),
    Float64Array.from(rows, (row) => row.pos),
    Float64Array.from(rows, (row) => row.neg_log10_p ?? Number.NaN),
  );
  return new Uint8Array(points.buffer);
}

export async function readBytes({ storage }: Services, key: string): Promise<Uint8Array> {
  const source = await storage.open(key);
  try {
    return await source.read(0, source.size);
  } finally {
    await source.close();
  }
}

export async function readJson<Value>(services: Services, key: string): Promise<Value> {
  return JSON.parse(Buffer.from(await readBytes(services, key)).toString('utf8')) as Value;
}

async function named(name: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!violates(error, 'gwas_name')) throw error;
    throw new Problem('request/conflict', `There is a GWAS called “${name}” already. Choose another name.`, {
      cause: error,
      invalidParams: [{ name: 'body.name', reason: 'This name is taken' }],
    });
  }
}
