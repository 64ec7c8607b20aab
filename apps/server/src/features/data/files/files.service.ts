import type { Page } from '@heterosis/contracts/common';
import { withoutEndings } from '@heterosis/contracts/data/file-formats';
import type { File, FileDetail } from '@heterosis/contracts/data/files';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { filesApi } from '@heterosis/contracts/endpoints/data/files';
import type { Queryable } from '../../../platform/database/database.ts';
import { publishEvent } from '../../../platform/events/events.ts';
import type { Services } from '../../../platform/http/app.ts';
import type { ProjectCall } from '../../../platform/http/bind.ts';
import { decodeNameCursor, toPage } from '../../../platform/http/pagination.ts';
import { notFound } from '../../../platform/http/problem.ts';
import { isUuid } from '../../../platform/http/uuid.ts';
import { requireOwn, updateEntry } from '../../people/projects/index.ts';
import { findLatestRuns, progressOf } from '../../work/runs/work/index.ts';
import { describeDerivations } from './deriving/derivation.ts';
import { type DerivedKind, type FileMeta, genotypeFieldOf, missingCodesOf } from './file-meta.ts';
import { findVersions } from './file-versions.queries.ts';
import { type FileRow, findFile, listFiles as listFileRows } from './files.queries.ts';
import { findFolderPath } from './folders/folders.queries.ts';
import { folderOfQuery, nameTaken, requireFolder } from './folders/folders.service.ts';

export async function listFiles(
  { services: { db }, access: { projectId } }: ProjectCall,
  { query }: InputOf<typeof filesApi.listFiles>,
): Promise<Page<File>> {
  const rows = await listFileRows(db, projectId, {
    folderId: folderOfQuery(query),
    types: query.file_type === undefined ? undefined : [query.file_type].flat(),
    search: query.search,
    limit: query.limit,
    after: decodeNameCursor(query.cursor),
  });
  const { data, next_cursor } = toPage(rows, query.limit, ({ name, id }) => [name, id]);
  return { data: data.map(toFile), next_cursor };
}

function toFile(row: FileRow): File {
  return {
    id: row.id,
    name: row.name,
    project_id: row.project_id,
    folder_id: row.folder_id,
    file_type: row.file_type,
    status: row.status,
    size_bytes: row.size_bytes,
    row_count: row.row_count,
    column_count: row.column_count,
    format: row.format,
    ploidy: row.file_type === 'GENOTYPE' && row.meta.panel !== undefined ? (row.meta.panel.ploidy ?? 2) : null,
    ploidies: row.meta.panel?.ploidies ?? null,
    created_by: row.creator,
    created_by_id: row.created_by,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

/** A file of the project; 404 for anything else. */
export async function getFileRow(db: Queryable, projectId: string, id: string, what = 'This file'): Promise<FileRow> {
  const row = isUuid(id) ? await findFile(db, projectId, id) : undefined;
  if (row === undefined) throw notFound(what);
  return row;
}

export async function getFile(
  { services, access: { projectId } }: Pick<ProjectCall, 'services' | 'access'>,
  { file_id: id }: InputOf<typeof filesApi.getFile>,
): Promise<FileDetail> {
  return await toDetail(services, services.db, await getFileRow(services.db, projectId, id));
}

export async function toDetail({ storage }: Services, db: Queryable, row: FileRow): Promise<FileDetail> {
  const runs = await findLatestRuns(db, 'file', [row.id]);
  const run = runs.find(({ step }) => step === 'import');
  const baseName = withoutEndings(row.name) || row.name;
  const derivedUrl = async (kind: DerivedKind, ending: string, contentType = 'text/csv'): Promise<string | null> => {
    const key = row.meta.keys?.[kind];
    return key === undefined ? null : storage.signGet(key, { fileName: `${baseName}${ending}`, contentType });
  };
  const { errors, warnings, infos } = row.problem_totals;
  const progress = progressOf(run);
  return {
    ...toFile(row),
    path: await findFolderPath(db, row.project_id, row.folder_id),
    description: row.description,
    meta: {
      traits: row.meta.traits ?? [],
      covariates: row.meta.covariates ?? [],
      groups: row.meta.groups ?? [],
      codes: row.meta.codes ?? [],
      file_url: await storage.signGet(row.storage_key, { fileName: row.name, contentType: row.content_type }),
      samples_url: await derivedUrl('samples', '_samples.csv'),
      contigs_url: await derivedUrl('contigs', '_contigs.csv'),
      linkmaptemp_url: await derivedUrl('linkmaptemp', '_linkageMap_template.csv'),
      snpids_url: await derivedUrl('snpids', '_snpids.csv'),
      marker_qc_url: await derivedUrl('marker_qc', '_marker_qc.csv'),
      sample_qc_url: await derivedUrl('sample_qc', '_sample_qc.csv'),
      qc_url: await derivedUrl('qc', '_qc.json', 'application/json'),
    },
    sha256: row.sha256,
    content_type: row.content_type,
    problem_totals: { errors, warnings, infos },
    numeric_coding: codingOf(row.meta),
    mapping: row.meta.options?.mapping ?? row.meta.kept_mapping?.mapping ?? null,
    missing_codes: missingCodesOf(row.meta),
    measured_values: row.meta.options?.measured_values ?? [],
    left_out: row.meta.options?.left_out ?? null,
    dates: row.meta.options?.dates ?? null,
    has_first_rows: row.meta.keys?.first_rows !== undefined,
    genotype_field: genotypeFieldOf(row.meta.options ?? {}),
    samples_of_ploidy: row.meta.options?.samples_of_ploidy ?? null,
    fractional_dosages: row.meta.panel?.fractional ?? null,
    covariance: covarianceOf(row.meta),
    progress,
    versions: await findVersions(db, row.project_id, row.id),
    derivations: await describeDerivations(db, row, runs),
  };
}

function covarianceOf({ covariance }: FileMeta): FileDetail['covariance'] {
  if (covariance === undefined) return null;
  const traits = covariance.traits.map(({ trait, lines, standard_errors }) => ({ trait, lines, standard_errors }));
  return { ...covariance, traits };
}

function codingOf({ coding, options }: FileMeta): FileDetail['numeric_coding'] {
  if (coding === undefined) return null;
  return { ...coding, confirmed: coding.coding !== null && options?.numeric_coding === coding.coding };
}

export async function updateFile(
  { services, access, principal }: ProjectCall,
  { file_id: id, body }: InputOf<typeof filesApi.updateFile>,
): Promise<FileDetail> {
  const { db } = services;
  const { projectId, organizationId } = access;
  const row = await getFileRow(db, projectId, id);
  requireOwn(access, principal, row.created_by);
  return await nameTaken('files_name', body.name, () =>
    db.transaction().execute(async (trx) => {
      if (body.folder_id !== undefined) await requireFolder(trx, projectId, body.folder_id);
      await updateEntry(trx, 'files', { projectId, id }, body);
      await publishEvent(trx, { type: 'file', id, project_id: projectId, organization_id: organizationId });
      return await toDetail(services, trx, await getFileRow(trx, projectId, id));
    }),
  );
}
