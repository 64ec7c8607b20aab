import { meanCovarianceCsv } from '@heterosis/analysis/means/mean-covariance';
import { meansCsv, type StoredMeans } from '@heterosis/analysis/means/means-table';
import { unpackRecord } from '@heterosis/analysis/results/binary-record';
import { withoutEndings } from '@heterosis/contracts/data/file-formats';
import type { fileProblems, PhenotypeRows } from '@heterosis/contracts/data/files';
import type { FileQc, GenotypeQcBody } from '@heterosis/contracts/data/files-qc';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { filesApi } from '@heterosis/contracts/endpoints/data/files';
import type { TraitMeansBody } from '@heterosis/contracts/work/adjusted-means';
import type { PhenotypeTable } from '@heterosis/file-formats/tables/phenotype/phenotype-table';
import { problemsCsv } from '@heterosis/file-formats/tables/text/problems-csv';
import type * as z from 'zod';
import type { Download, ProjectCall } from '../../../platform/http/bind.ts';
import { decodePlaceCursor, encodeCursor, toPage } from '../../../platform/http/pagination.ts';
import { Problem } from '../../../platform/http/problem.ts';
import type { ObjectStorage } from '../../../platform/object-storage/object-storage.ts';
import { readCovariances } from '../../../platform/object-storage/stored-covariance.ts';
import { readingStored, readObject } from '../../../platform/object-storage/stored-panel.ts';
import { derivedKey, readPhenotypeTable, requireType, withoutCovariance } from './checked-file.ts';
import { type FileRow, listProblems } from './files.queries.ts';
import { getFileRow } from './files.service.ts';

/** `GET …/files/{id}/problems`. */
export async function getProblems(
  { services: { db }, access: { projectId } }: ProjectCall,
  { file_id: id, query }: InputOf<typeof filesApi.getProblems>,
): Promise<z.output<typeof fileProblems>> {
  const file = await getFileRow(db, projectId, id);
  const after = decodePlaceCursor(query.cursor);
  const rows = await listProblems(db, projectId, id, {
    severity: query.severity,
    code: query.code,
    limit: query.limit,
    after,
  });
  const { data, next_cursor } = toPage(rows, query.limit, ({ position }) => [position]);
  const { errors, warnings, infos, byCode } = file.problem_totals;
  return {
    data: data.map(({ position: _position, ...problem }) => problem),
    next_cursor,
    totals: { errors, warnings, infos },
    by_code: byCode,
  };
}

/** The same as CSV. */
export async function getProblemsCsv(
  { services: { db }, access: { projectId } }: ProjectCall,
  { file_id: id }: InputOf<typeof filesApi.getProblemsCsv>,
): Promise<Download> {
  const file = await getFileRow(db, projectId, id);
  return { fileName: `${file.name}_problems.csv`, bytes: problemsCsv(await listProblems(db, projectId, id, {})) };
}

/** `GET …/files/{id}/qc`: the figures that the check wrote. */
export async function getQc(
  { services: { db, storage }, access: { projectId } }: ProjectCall,
  { file_id: id }: InputOf<typeof filesApi.getQc>,
): Promise<FileQc> {
  const file = await getFileRow(db, projectId, id);
  const bytes = await readObject(storage, derivedKey(file, 'qc'));
  return JSON.parse(new TextDecoder().decode(bytes)) as FileQc;
}

/** The figures of a genotype that the check wrote. */
export async function readGenotypeQc(storage: ObjectStorage, file: FileRow): Promise<GenotypeQcBody> {
  const bytes = await readObject(storage, derivedKey(file, 'qc'));
  return JSON.parse(new TextDecoder().decode(bytes)) as GenotypeQcBody;
}

/** `GET …/files/{id}/rows` of a phenotype file. */
export async function getRows(
  { services: { db, storage }, access: { projectId } }: ProjectCall,
  { file_id: id, query }: InputOf<typeof filesApi.getRows>,
): Promise<PhenotypeRows> {
  const file = await getFileRow(db, projectId, id);
  requireType(file, 'PHENOTYPE');
  const table = await readPhenotypeTable(storage, file);
  const columns = table.traits.flatMap(({ kind }, t) => (kind === 'numeric' ? [t] : []));
  const search = query.search?.toLowerCase() ?? '';
  const order = Array.from(table.individuals.keys()).filter((row) =>
    (table.individuals[row] ?? '').toLowerCase().includes(search),
  );
  sortRows(order, table, query.sort);
  const isReduced = table.reductions.some((reduction) => reduction !== 'as given');
  const start = startOf(query.cursor);
  const data = order.slice(start, start + query.limit).map((row) => ({
    individual: table.individuals[row] ?? '',
    values: columns.map((t) => finite(table.values[t]?.[row])),
    ...(isReduced ? { observations: columns.map((t) => table.observations[t]?.[row] ?? 0) } : {}),
  }));
  const end = start + data.length;
  return {
    traits: columns.map((t) => table.traits[t]?.name ?? ''),
    data,
    next_cursor: end < order.length ? encodeCursor([end]) : null,
    total: order.length,
  };
}

function sortRows(order: number[], table: PhenotypeTable, sort: string | undefined): void {
  if (sort === undefined) return;
  const isDescending = sort.startsWith('-');
  const column = isDescending ? sort.slice(1) : sort;
  const sign = isDescending ? -1 : 1;
  const t = table.traits.findIndex(({ name }) => name === column);
  const values = table.values[t];
  if (values !== undefined)
    // Missing values come last in both directions.
    order.sort((a, b) => missingLast(values[a] ?? Number.NaN, values[b] ?? Number.NaN, sign) || a - b);
  else if (column === 'individual')
    order.sort((a, b) => sign * collator.compare(table.individuals[a] ?? '', table.individuals[b] ?? '') || a - b);
  else
    throw new Problem('request/invalid', `The table has no column "${column}".`, {
      invalidParams: [{ name: 'query.sort', reason: 'Not a column of this table' }],
    });
}

/** `GET …/files/{id}/means` of a phenotype file. */
export async function getMeans(
  { services: { db, storage }, access: { projectId } }: ProjectCall,
  { file_id: id, query: { trait: asked } }: InputOf<typeof filesApi.getMeans>,
): Promise<TraitMeansBody> {
  const file = await getFileRow(db, projectId, id);
  const { individuals, traits } = await readMeans(storage, file);
  const trait = traits.find(({ name }) => name === asked);
  if (trait === undefined)
    throw new Problem('request/invalid', `The file has no numeric trait "${asked}".`, {
      invalidParams: [{ name: 'query.trait', reason: 'Not a trait of this file' }],
    });
  return {
    trait: trait.name,
    unit: trait.unit,
    data: individuals.map((individual, i) => ({
      individual,
      n: trait.observations[i] ?? 0,
      mean: finite(trait.means[i]),
      se: finite(trait.standardErrors[i]),
      flag: trait.flags[i] ?? null,
    })),
    environments: trait.environments.map(({ lowerQuartile, upperQuartile, ...rest }) => ({
      ...rest,
      lower_quartile: lowerQuartile,
      upper_quartile: upperQuartile,
    })),
  };
}

/** The same of all traits as a table. */
export async function getMeansCsv(
  { services: { db, storage }, access: { projectId } }: ProjectCall,
  { file_id: id }: InputOf<typeof filesApi.getMeansCsv>,
): Promise<Download> {
  const file = await getFileRow(db, projectId, id);
  const { individuals, traits } = await readMeans(storage, file);
  return { fileName: `${withoutEndings(file.name)}_means.csv`, bytes: meansCsv(individuals, traits) };
}

/** `GET …/files/{id}/covariance.csv`. */
export async function getCovarianceCsv(
  { services: { db, storage }, access: { projectId } }: ProjectCall,
  { file_id: id }: InputOf<typeof filesApi.getCovarianceCsv>,
): Promise<Download> {
  const file = await getFileRow(db, projectId, id);
  requireType(file, 'PHENOTYPE');
  const { covariance } = file.meta;
  if (covariance === undefined) throw withoutCovariance(file);
  const { environment, traits } = covariance;
  const key = derivedKey(file, 'covariance');
  async function* bytes() {
    let withHeader = true;
    const names = traits.map(({ trait }) => trait);
    for await (const [trait, own] of readCovariances(storage, { key, traits }, names)) {
      yield* meanCovarianceCsv({ environment: environment ?? 'all', trait, withHeader }, own);
      withHeader = false;
    }
  }
  return { fileName: `${withoutEndings(file.name)}_covariance.csv`, bytes: bytes() };
}

async function readMeans(storage: Pick<ObjectStorage, 'open'>, file: FileRow): Promise<StoredMeans> {
  requireType(file, 'PHENOTYPE');
  const bytes = await readObject(storage, derivedKey(file, 'means'));
  return readingStored('adjusted means', () => unpackRecord<StoredMeans>(bytes));
}

const collator = new Intl.Collator('en', { numeric: true });

function missingLast(a: number, b: number, sign: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  return sign * (a - b);
}

const finite = (value: number | undefined): number | null =>
  value === undefined || !Number.isFinite(value) ? null : value;

/** Such a table never changes, so pages go by row number. */
function startOf(cursor: string | undefined): number {
  return decodePlaceCursor(cursor) ?? 0;
}
