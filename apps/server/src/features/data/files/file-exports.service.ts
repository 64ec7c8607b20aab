import { Readable } from 'node:stream';
import { withoutEndings } from '@heterosis/contracts/data/file-formats';
import { MAX_ARCHIVE_BYTES } from '@heterosis/contracts/data/files';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { filesApi } from '@heterosis/contracts/endpoints/data/files';
import type { GenotypePanel } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import type { PanelFile } from '@heterosis/file-formats/genotype/writers/panel-format';
import { panelFiles, type WrittenFormat, writePanel } from '@heterosis/file-formats/genotype/writers/write-panel';
import { FileFormatError } from '@heterosis/file-formats/problem';
import {
  linkageMapTemplate,
  linkageMapTemplateFileName,
} from '@heterosis/file-formats/tables/linkage-map/linkage-map-template';
import type { ProjectAccess } from '../../../platform/http/access.ts';
import type { Services } from '../../../platform/http/app.ts';
import type { Download, ProjectCall } from '../../../platform/http/bind.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { zipDownload } from '../../../platform/http/zip-download.ts';
import { openFilePanel, readMarkers, requireAnyGenotype, requireType } from './checked-file.ts';
import { getFileRow } from './files.service.ts';

/** The originals in one zip, made while it is sent. Files of one name from several folders get numbers. */
export async function archiveFiles(
  { services: { db, storage }, access: { projectId } }: ProjectCall,
  { query: { file_id } }: InputOf<typeof filesApi.archiveFiles>,
): Promise<Download> {
  const rows = await Promise.all([...new Set([file_id].flat())].map((id) => getFileRow(db, projectId, id)));
  const bytes = rows.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
  if (bytes > MAX_ARCHIVE_BYTES)
    throw new Problem(
      'files/archive-too-large',
      `These files have ${(bytes / 1024 ** 3).toFixed(1)} GiB together; an archive takes ${MAX_ARCHIVE_BYTES / 1024 ** 3} GiB. Choose fewer, or download large ones on their pages.`,
    );
  const used = new Map<string, number>();
  const files = rows.map(({ name, storage_key: key }) => {
    const before = used.get(name) ?? 0;
    used.set(name, before + 1);
    return { name: before === 0 ? name : `${before + 1} ${name}`, content: { key } };
  });
  return zipDownload(storage, { fileName: 'files.zip', files });
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
  const file = await requireAnyGenotype(db, projectId, id);
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
