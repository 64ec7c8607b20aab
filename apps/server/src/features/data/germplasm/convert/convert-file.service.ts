import { withoutEndings } from '@heterosis/contracts/data/file-formats';
import type { CanonicalNamesReport, convertedFile, FileDetail, FileType } from '@heterosis/contracts/data/files';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { convertFileApi } from '@heterosis/contracts/endpoints/data/convert-file';
import { canonicalNames } from '@heterosis/file-formats/names/canonical-names';
import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';
import type * as z from 'zod';
import type { ProjectAccess } from '../../../../platform/http/access.ts';
import type { Services } from '../../../../platform/http/app.ts';
import type { ProjectCall } from '../../../../platform/http/bind.ts';
import { notFound, Problem } from '../../../../platform/http/problem.ts';
import { isUuid } from '../../../../platform/http/uuid.ts';
import {
  cancelDerivation,
  type DerivationParameters,
  type FileRow,
  findFile,
  readIndividuals,
  readMarkers,
  requireAnyGenotype,
  requireReadyFile,
  startDerivation,
} from '../../files/index.ts';
import { readCatalogueOfProject } from '../catalogue.queries.ts';
import { ofProject, requireAdding } from '../germplasm-access.ts';
import { convertFileJob } from '../jobs.ts';

/** What the job needs to make the file. */
export interface ConversionParameters extends DerivationParameters {
  renames: { from: string; to: string }[];
  /** Names of which the list does not say what they mean. */
  unsettled: number;
}

interface Form {
  ending: string;
  contentType: string;
  /** How the check reads the new file. */
  options: FileRow['meta']['options'];
}

interface Conversion {
  form: (file: FileRow) => Form;
  /** Whether two names may become one: a parent may be in many crosses; an individual of another file is one. */
  mergesNames: boolean;
}

/** The new table has its header on top, points for decimals and nothing that was left out; only roles are mapped. */
function tableForm({ meta: { options, kept_mapping: kept } }: FileRow): Form {
  const read = options?.mapping ?? kept?.mapping;
  const columns = read?.columns?.filter(({ role }) => role !== 'ignore');
  return {
    ending: '.csv',
    contentType: 'text/csv',
    options: {
      ...(kept === undefined ? {} : { missing_codes: kept.missing_codes }),
      ...options,
      left_out: undefined,
      ...(read === undefined ? {} : { mapping: columns === undefined ? null : { columns } }),
    },
  };
}

/** A matrix of numbers names no alleles, which a VCF has to; in a VCF fractional dosages stand beside GT. */
function genotypeForm({ format, meta: { options, panel } }: FileRow): Form {
  if (format === 'numeric-matrix')
    return { ending: '.csv', contentType: 'text/csv', options: { ...options, numeric_coding: '0/1/2' } };
  const hasDosages = format !== 'vcf' && panel?.fractional != null;
  return {
    ending: '.vcf.gz',
    contentType: 'application/gzip',
    options: { ...options, ...(hasDosages ? { genotype_field: 'DS' } : {}) },
  };
}

/** The types of file that can be converted; null: this one cannot. */
const CONVERSIONS: Record<FileType, Conversion | null> = {
  GENOTYPE: { form: genotypeForm, mergesNames: false },
  PHENOTYPE: { form: tableForm, mergesNames: false },
  CROSSING_TABLE: { form: tableForm, mergesNames: true },
  LINKAGE_MAP: null,
  PEDIGREE: null,
  GENES: null,
};

/** `GET …/files/{id}/synonyms`. */
export async function previewConversion(
  { services, access }: ProjectCall,
  { file_id: id }: InputOf<typeof convertFileApi.previewConversion>,
): Promise<CanonicalNamesReport> {
  return (await examine(services, access, id)).names;
}

/** `POST …/files/{id}/synonyms`. */
export async function convertFile(
  { services, access, principal }: ProjectCall,
  { file_id: id, body: { name } }: InputOf<typeof convertFileApi.convertFile>,
): Promise<z.input<typeof convertedFile>> {
  const { file, conversion, names } = await examine(services, access, id);
  const [clash] = names.clashes;
  if (clash !== undefined)
    throw new Problem(
      'files/names-clash',
      `${clash.from.map((from) => `"${from}"`).join(' and ')} would both be named "${clash.to}". Remove one of them from the file, or correct the germplasm list.`,
      { details: { clashes: names.clashes.slice(0, MAX_DETAILS) } },
    );
  if (names.renames.length === 0)
    throw new Problem(
      'files/nothing-to-rename',
      names.canonical > 0
        ? 'The names of this file are those of the germplasm list already, as far as they are in it.'
        : 'No name of this file is in the germplasm list of the project’s crop.',
    );
  if (file.file_type === 'GENOTYPE') await requireHeld(services, file);
  const parameters: ConversionParameters = {
    name: name ?? `${withoutEndings(file.name).slice(0, 240) || 'file'}_renamed${conversion.form(file).ending}`,
    renames: names.renames.map(({ from, to }) => ({ from, to })),
    unsettled: names.ambiguous.length + names.unknown.length,
  };
  const source = await startDerivation({ services, access, principal }, file, {
    job: convertFileJob,
    step: 'convert',
    parameters,
    // Only names change.
    sizeBytes: file.size_bytes + (file.meta.covariance?.size_bytes ?? 0),
  });
  return { file: source, names };
}

/** In which form a file of this type is written; undefined for one that cannot be converted. */
export function convertedForm(file: FileRow): Form | undefined {
  return file.file_type === null ? undefined : CONVERSIONS[file.file_type]?.form(file);
}

/** Refuses genotypes that a VCF, in which they would be written, cannot hold. */
async function requireHeld({ storage }: Services, file: FileRow): Promise<void> {
  if (file.format === 'vcf' || file.format === 'numeric-matrix') return;
  const { positionBp } = await readMarkers(storage, file);
  const unplaced = positionBp.reduce((count, position) => count + (position > 0 ? 0 : 1), 0);
  if (unplaced === 0) return;
  throw new Problem(
    'files/format-cannot-hold',
    `The new file would be a VCF, which needs the position of every marker; ${groupedNumber(unplaced)} of this file have none. Upload the genotypes with positions, or store the names as synonyms.`,
  );
}

/** A response names as many clashes; the preview has them all. */
const MAX_DETAILS = 100;

async function examine(
  { db, storage }: Services,
  access: ProjectAccess,
  id: string,
): Promise<{ file: FileRow; conversion: Conversion; names: CanonicalNamesReport }> {
  // Guests do not see the whole list.
  requireAdding(await ofProject(db, access));
  const type = isUuid(id) ? (await findFile(db, access.projectId, id))?.file_type : undefined;
  if (type === undefined) throw notFound('This file');
  const conversion = type === null ? null : CONVERSIONS[type];
  if (type === null || conversion === null)
    throw new Problem(
      'files/wrong-type',
      'This file cannot be converted: only genotype files, phenotype files and crossing tables can.',
    );
  const file =
    type === 'GENOTYPE'
      ? await requireAnyGenotype(db, access.projectId, id)
      : await requireReadyFile(db, access.projectId, id, type);
  const written = await readIndividuals(storage, file);
  const names = canonicalNames(written, await readCatalogueOfProject(db, access.projectId, written));
  return { file, conversion, names: conversion.mergesNames ? { ...names, clashes: [] } : names };
}

/** `DELETE …/files/{id}/synonyms`. */
export async function cancelConversion(
  call: ProjectCall,
  { file_id }: InputOf<typeof convertFileApi.cancelConversion>,
): Promise<FileDetail> {
  return await cancelDerivation(call, file_id, 'convert');
}
