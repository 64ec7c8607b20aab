import { Readable } from 'node:stream';
import { meansCsv, type StoredMeans } from '@heterosis/analysis/means/means-table';
import { unpackRecord } from '@heterosis/analysis/results/binary-record';
import { withoutEndings } from '@heterosis/contracts/data/file-formats';
import { FILE_TYPES, type FileType, type fileProblems, type PhenotypeRows } from '@heterosis/contracts/data/files';
import type { FileQc, GenotypeQcBody } from '@heterosis/contracts/data/files-qc';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { filesApi } from '@heterosis/contracts/endpoints/files';
import type { TraitMeansBody } from '@heterosis/contracts/work/adjusted-means';
import type { GenotypePanel, MarkerTable } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import { BED_MAGIC, packedLength } from '@heterosis/file-formats/genotype/panel/packed-calls';
import { parseBim, parseFam } from '@heterosis/file-formats/genotype/panel/plink-panel';
import type { PanelFile } from '@heterosis/file-formats/genotype/writers/panel-format';
import { panelFiles, type WrittenFormat, writePanel } from '@heterosis/file-formats/genotype/writers/write-panel';
import { FileFormatError } from '@heterosis/file-formats/problem';
import {
  linkageMapTemplate,
  linkageMapTemplateFileName,
} from '@heterosis/file-formats/tables/linkage-map/linkage-map-template';
import type { PhenotypeTable } from '@heterosis/file-formats/tables/phenotype/phenotype-table';
import { problemsCsv } from '@heterosis/file-formats/tables/text/problems-csv';
import type * as z from 'zod';
import type { Queryable } from '../../../platform/database/database.ts';
import type { ProjectAccess } from '../../../platform/http/access.ts';
import type { Services } from '../../../platform/http/app.ts';
import type { Download, ProjectCall } from '../../../platform/http/bind.ts';
import { decodePlaceCursor, encodeCursor, toPage } from '../../../platform/http/pagination.ts';
import { Problem } from '../../../platform/http/problem.ts';
import type { ObjectStorage } from '../../../platform/object-storage/object-storage.ts';
import {
  openStoredPanel,
  type PanelKeys,
  readingStored,
  readObject,
  STORED_ORDER,
  unpackPhenotype,
} from '../../../platform/object-storage/stored-panel.ts';
import type { DerivedKind } from './file-meta.ts';
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

/** `GET …/files/{id}/linkage_map_template`. */
export async function getLinkageMapTemplate(
  { services: { db, storage }, access: { projectId } }: ProjectCall,
  { file_id: id, query: { mode, bp_per_cm } }: InputOf<typeof filesApi.getLinkageMapTemplate>,
): Promise<Download> {
  const file = await getFileRow(db, projectId, id);
  requireType(file, 'GENOTYPE');
  const markers = await readMarkers(storage, file);
  return {
    fileName: linkageMapTemplateFileName(new Date()),
    bytes: linkageMapTemplate(markers, {
      mode: mode === '1' ? 1 : 2,
      bpPerCm: bp_per_cm,
      sourceName: file.name,
    }),
  };
}

/**
 * Streams the imported genotypes in another format. The stream closes its inputs however it ends; destroy it if it is
 * not sent.
 */
export async function exportGenotypes(
  {
    services: { db, storage },
    access: { projectId },
  }: { services: Pick<Services, 'db' | 'storage'>; access: Pick<ProjectAccess, 'projectId'> },
  { file_id: id, query: { format } }: InputOf<typeof filesApi.exportGenotypes>,
): Promise<GenotypeExport> {
  return exportAs({ db, storage }, projectId, id, (panel, name) => writePanel(panel, format, name));
}

/** The table of genotypes of Flapjack without its map: programs that fetch it by its address read one table. */
export async function exportFlapjackTable(
  { db, storage }: Pick<Services, 'db' | 'storage'>,
  { projectId }: Pick<ProjectAccess, 'projectId'>,
  id: string,
): Promise<GenotypeExport> {
  return exportAs({ db, storage }, projectId, id, (panel) => {
    const [{ chunks }] = panelFiles(panel, 'flapjack') as [PanelFile];
    return { ending: '.txt', contentType: 'text/tab-separated-values; charset=utf-8', chunks };
  });
}

interface GenotypeExport {
  fileName: string;
  contentType: string;
  bytes: Readable;
}

async function exportAs(
  { db, storage }: Pick<Services, 'db' | 'storage'>,
  projectId: string,
  id: string,
  write: (panel: GenotypePanel, name: string) => WrittenFormat,
): Promise<GenotypeExport> {
  const file = await requireReadyFile(db, projectId, id, 'GENOTYPE');
  const name = withoutEndings(file.name) || 'genotypes';
  const panel = await openFilePanel(storage, file);
  try {
    const { ending, contentType, chunks } = write(panel, name.replaceAll(/[^\w.-]+/g, '_'));
    const bytes = Readable.from(chunks, { objectMode: false });
    // Not after the last chunk: a client that leaves before the first one would leave the files open.
    bytes.once('close', () => void panel.close());
    return { fileName: name + ending, contentType, bytes };
  } catch (error) {
    await panel.close();
    if (!(error instanceof FileFormatError)) throw error;
    const { message, suggestion } = error.problem;
    throw new Problem('files/format-cannot-hold', `${message} ${suggestion ?? ''}`.trim(), { cause: error });
  }
}

/** A file that a run may use: in this project, of the right type, and checked. */
export async function requireReadyFile(
  db: Queryable,
  projectId: string,
  id: string,
  fileType: FileType,
): Promise<FileRow> {
  const file = await getFileRow(db, projectId, id, `The ${FILE_TYPES[fileType].noun} chosen`);
  requireType(file, fileType);
  if (file.status === 'READY' || file.status === 'READY_WITH_WARNINGS') return file;
  throw new Problem(
    'files/not-ready',
    file.status === 'INVALID'
      ? file.problem_totals.byCode['E-PH-MISSING-CODE'] === undefined
        ? `The file "${file.name}" has errors. Open it to see them, and upload a corrected file.`
        : `The file "${file.name}" has values of which it is not known whether they mean "missing". Open it and say so.`
      : `The file "${file.name}" is still being checked. Wait until it is ready.`,
    { details: { file_id: id, status: file.status } },
  );
}

function requireType(file: FileRow, fileType: FileType): void {
  if (file.file_type !== fileType)
    throw new Problem('files/wrong-type', `The file "${file.name}" is not a ${FILE_TYPES[fileType].noun}.`, {
      details: { file_id: file.id, file_type: file.file_type },
    });
}

/** Storage key of an object that the check wrote. */
export function derivedKey(file: FileRow, kind: DerivedKind): string {
  const key = file.meta.keys?.[kind];
  if (key !== undefined) return key;
  throw new Problem(
    'files/no-preview',
    file.status === 'INVALID'
      ? `"${file.name}" has errors, so there is nothing to show but these.`
      : `There is nothing to show for "${file.name}" yet.`,
  );
}

export async function readPhenotypeTable(storage: Pick<ObjectStorage, 'open'>, file: FileRow): Promise<PhenotypeTable> {
  return unpackPhenotype(await readObject(storage, derivedKey(file, 'table')));
}

/** Names of the individuals of a genotype, in file order. */
export async function readSampleNames(storage: Pick<ObjectStorage, 'open'>, file: FileRow): Promise<string[]> {
  const bytes = await readObject(storage, derivedKey(file, 'fam'));
  return parseFam(new TextDecoder().decode(bytes), file.name);
}

/** Packed calls of neighbouring markers by byte range, without reading the table of all markers. */
export async function readCalls(
  storage: Pick<ObjectStorage, 'open'>,
  file: FileRow,
  { first, count }: { first: number; count: number },
): Promise<{ packed: Uint8Array; panelSize: number; stride: number }> {
  const panelSize = (await readSampleNames(storage, file)).length;
  const stride = packedLength(panelSize);
  const bed = await storage.open(derivedKey(file, 'bed'));
  try {
    return { packed: await bed.read(BED_MAGIC.length + first * stride, count * stride), panelSize, stride };
  } finally {
    await bed.close();
  }
}

export async function readMarkers(storage: Pick<ObjectStorage, 'open'>, file: FileRow): Promise<MarkerTable> {
  const bytes = await readObject(storage, derivedKey(file, 'bim'));
  return parseBim(new TextDecoder().decode(bytes), { name: file.name, order: STORED_ORDER });
}

export const panelKeys = (file: FileRow): PanelKeys => ({
  bed: derivedKey(file, 'bed'),
  bim: derivedKey(file, 'bim'),
  fam: derivedKey(file, 'fam'),
  ...(file.meta.keys?.dosage === undefined ? {} : { dosage: file.meta.keys.dosage }),
});

/** Opens an imported genotype where it lies; calls are read by byte range. Close it. */
function openFilePanel(storage: Pick<ObjectStorage, 'open'>, file: FileRow): Promise<GenotypePanel> {
  return openStoredPanel(storage, panelKeys(file));
}
