import { FILE_TYPES, type FileType } from '@heterosis/contracts/data/files';
import { openDosages } from '@heterosis/file-formats/genotype/panel/dosage-file';
import type { BlockDosages } from '@heterosis/file-formats/genotype/panel/dosages';
import type { GenotypePanel, MarkerTable } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import { BED_MAGIC, packedLength } from '@heterosis/file-formats/genotype/panel/packed-calls';
import { parseBim, parseFam } from '@heterosis/file-formats/genotype/panel/plink-panel';
import { ploidiesInWords } from '@heterosis/file-formats/genotype/ploidies';
import type { PhenotypeTable } from '@heterosis/file-formats/tables/phenotype/phenotype-table';
import type { Queryable } from '../../../platform/database/database.ts';
import { Problem } from '../../../platform/http/problem.ts';
import type { ObjectStorage } from '../../../platform/object-storage/object-storage.ts';
import type { CovarianceObject } from '../../../platform/object-storage/stored-covariance.ts';
import {
  openStoredPanel,
  type PanelKeys,
  readObject,
  STORED_ORDER,
  unpackPhenotype,
} from '../../../platform/object-storage/stored-panel.ts';
import type { DerivedKind } from './file-meta.ts';
import type { FileRow } from './files.queries.ts';
import { getFileRow } from './files.service.ts';

/**
 * A file that a run may use: in this project, of the right type, and checked. A genotype of polyploids is refused; what
 * takes them asks for it by {@link requireGenotype}, and what takes plants that differ by {@link requireAnyGenotype}.
 */
export async function requireReadyFile(
  db: Queryable,
  projectId: string,
  id: string,
  fileType: FileType,
): Promise<FileRow> {
  const file = await requireChecked(db, projectId, id, fileType);
  requireDiploids(file);
  return file;
}

/** As {@link requireReadyFile}, a genotype of plants of one ploidy, whichever it is. */
export async function requireGenotype(db: Queryable, projectId: string, id: string): Promise<FileRow> {
  const file = await requireAnyGenotype(db, projectId, id);
  requireOnePloidy(file);
  return file;
}

function requireOnePloidy(file: FileRow): void {
  const { ploidies } = file.meta.panel ?? {};
  if (ploidies === undefined) return;
  throw new Problem(
    'files/mixed-ploidy',
    `The plants of "${file.name}" differ in ploidy: ${ploidiesInWords(ploidies)}; this needs plants of one ploidy. Open the file and read only the plants of one ploidy; upload it once more for those of another.`,
    { details: { file_id: file.id, ploidies } },
  );
}

/** As {@link requireGenotype}, also of plants that differ in ploidy. */
export const requireAnyGenotype = (db: Queryable, projectId: string, id: string): Promise<FileRow> =>
  requireChecked(db, projectId, id, 'GENOTYPE');

/** Copies of each chromosome in the plants of a genotype, the most where they differ. */
export const ploidyOf = ({ meta }: Pick<FileRow, 'meta'>): number => meta.panel?.ploidy ?? 2;

/**
 * Refuses a genotype of polyploids.
 *
 * @param what takes only diploids; it begins the sentence
 * @param instead what to do
 */
export function requireDiploids(
  file: FileRow,
  what = 'This analysis',
  instead = 'Choose a genotype of diploids.',
): void {
  requireOnePloidy(file);
  const ploidy = ploidyOf(file);
  if (ploidy === 2) return;
  throw new Problem(
    'files/polyploid',
    `${what} takes diploids, and the plants of "${file.name}" have ${ploidy} copies of each chromosome. ${instead}`,
    { details: { file_id: file.id, ploidy } },
  );
}

/**
 * Refuses the double reduction of a request for plants that have none.
 *
 * @param hasPedigree false where it is about the relationships of a pedigree, and none was chosen
 */
export function requireDoubleReduction(rate: number, ploidy: number, hasPedigree = true): void {
  if (rate === 0 || (ploidy > 2 && hasPedigree)) return;
  const reason = hasPedigree
    ? 'Diploids have no double reduction.'
    : 'Double reduction is about relationships by pedigree: choose a pedigree.';
  throw new Problem('request/invalid', reason, { invalidParams: [{ name: 'body.double_reduction', reason }] });
}

async function requireChecked(db: Queryable, projectId: string, id: string, fileType: FileType): Promise<FileRow> {
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

export function requireType(file: FileRow, fileType: FileType): void {
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

export const withoutCovariance = ({ id, name }: FileRow, traits: readonly string[] = []): Problem =>
  new Problem(
    'files/no-covariance',
    `"${name}" has no covariance${traits.length === 0 ? '' : ` of ${traits.join(', ')}`}: it comes with the phenotype file that a trial analysis makes of its means. Take such a file, or weigh by standard errors or not at all.`,
    { details: { file_id: id, traits } },
  );

/** The covariance of the means of some traits; refuses a file without. */
export function covarianceObject(file: FileRow, traits: readonly string[]): CovarianceObject {
  const known = file.meta.covariance?.traits ?? [];
  const without = traits.filter((name) => !known.some(({ trait }) => trait === name));
  if (without.length > 0) throw withoutCovariance(file, without);
  return { key: derivedKey(file, 'covariance'), traits: known };
}

export async function readPhenotypeTable(storage: Pick<ObjectStorage, 'open'>, file: FileRow): Promise<PhenotypeTable> {
  return unpackPhenotype(await readObject(storage, derivedKey(file, 'table')));
}

/** Names of the individuals of a genotype, in file order. */
export async function readSampleNames(storage: Pick<ObjectStorage, 'open'>, file: FileRow): Promise<string[]> {
  const bytes = await readObject(storage, derivedKey(file, 'fam'));
  return parseFam(new TextDecoder().decode(bytes), file.name);
}

/** Calls of neighbouring markers, as {@link readCalls} reads them. */
export interface CallsOfMarkers {
  packed: Uint8Array;
  /** Of polyploids; undefined for diploids, also where they have fractions. */
  dosages: BlockDosages | undefined;
  panelSize: number;
  /** The most where plants differ. */
  ploidy: number;
  /** Of the plant in a column of the panel. */
  ploidyAt(column: number): number;
}

/** Calls of neighbouring markers by byte range, without reading the table of all markers. */
export async function readCalls(
  storage: Pick<ObjectStorage, 'open'>,
  file: FileRow,
  { first, count }: { first: number; count: number },
): Promise<CallsOfMarkers> {
  const panelSize = file.row_count ?? 0;
  const stride = packedLength(panelSize);
  const ploidy = ploidyOf(file);
  const bed = await storage.open(derivedKey(file, 'bed'));
  try {
    const packed = await bed.read(BED_MAGIC.length + first * stride, count * stride);
    if (ploidy === 2) return { packed, dosages: undefined, panelSize, ploidy, ploidyAt: () => ploidy };
    const { dosages, ploidies } = await readDosages(storage, file, panelSize, { first, count });
    return { packed, dosages, panelSize, ploidy, ploidyAt: (column) => ploidies?.[column] ?? ploidy };
  } finally {
    await bed.close();
  }
}

async function readDosages(
  storage: Pick<ObjectStorage, 'open'>,
  file: FileRow,
  panelSize: number,
  { first, count }: { first: number; count: number },
): Promise<{ dosages: BlockDosages | undefined; ploidies: Uint8Array | undefined }> {
  const source = await storage.open(derivedKey(file, 'dosage'), file.name);
  try {
    const stored = await openDosages(source, panelSize, file.column_count ?? 0);
    return { dosages: await stored.read(first, count), ploidies: stored.ploidies };
  } finally {
    await source.close();
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
export function openFilePanel(storage: Pick<ObjectStorage, 'open'>, file: FileRow): Promise<GenotypePanel> {
  return openStoredPanel(storage, panelKeys(file));
}
