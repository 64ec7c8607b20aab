import { withoutEndings } from '@heterosis/contracts/file-formats';
import type { CanonicalNamesReport, convertedFile, convertFileBody, FileType } from '@heterosis/contracts/files';
import { deflateBgzf } from '@heterosis/file-formats/compression/bgzf';
import type { GenotypePanel } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import { renameVcfSamples } from '@heterosis/file-formats/genotype/writers/rename-vcf';
import { writePanel } from '@heterosis/file-formats/genotype/writers/write-panel';
import { canonicalNames } from '@heterosis/file-formats/names/canonical-names';
import { normalizeName } from '@heterosis/file-formats/names/normalize-name';
import { renameIndividuals } from '@heterosis/file-formats/tables/rename-individuals';
import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';
import type * as z from 'zod';
import type { Principal, ProjectAccess } from '../../platform/http/access.ts';
import type { Services } from '../../platform/http/app.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import { isUuid } from '../../platform/http/uuid.ts';
import {
  createDerivedFile,
  type FileRow,
  findFile,
  openFilePanel,
  readIndividuals,
  readMarkers,
  requireReadyFile,
} from '../files/index.ts';
import { readCatalogueOfProject } from './catalogue.queries.ts';
import { ofProject, requireAdding } from './germplasm-access.ts';

type Rewrite = (services: Services, file: FileRow, renames: ReadonlyMap<string, string>) => AsyncIterable<Uint8Array>;

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
  rewrite: Rewrite;
}

const tableForm = ({ meta }: FileRow): Form => ({ ending: '.csv', contentType: 'text/csv', options: meta.options });

/** A matrix of numbers names no alleles, which a VCF has to; in a VCF fractional dosages stand beside GT. */
function genotypeForm({ format, meta: { options, panel } }: FileRow): Form {
  if (format === 'numeric-matrix')
    return { ending: '.csv', contentType: 'text/csv', options: { ...options, numeric_coding: '0/1/2' } };
  const prefersDosages = format !== 'vcf' && panel?.fractional != null;
  return {
    ending: '.vcf.gz',
    contentType: 'application/gzip',
    options: { ...options, ...(prefersDosages ? { prefer_dosages: true } : {}) },
  };
}

/** How each type of file is converted; null: it is not. */
const CONVERSIONS: Record<FileType, Conversion | null> = {
  GENOTYPE: { form: genotypeForm, mergesNames: false, rewrite: renamedGenotypes },
  PHENOTYPE: { form: tableForm, mergesNames: false, rewrite: renamedTable('PHENOTYPE') },
  CROSSING_TABLE: { form: tableForm, mergesNames: true, rewrite: renamedTable('CROSSING_TABLE') },
  LINKAGE_MAP: null,
  PEDIGREE: null,
  GENES: null,
};

/** `GET …/files/{id}/synonyms`. */
export async function previewConversion(
  services: Services,
  access: ProjectAccess,
  id: string,
): Promise<CanonicalNamesReport> {
  return (await examine(services, access, id)).names;
}

/** `POST …/files/{id}/synonyms`. */
export async function convertFile(
  services: Services,
  access: ProjectAccess,
  principal: Principal,
  id: string,
  { name }: z.output<typeof convertFileBody>,
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
  const renames = new Map(names.renames.map(({ from, to }) => [from, to]));
  if (file.file_type === 'GENOTYPE') await requireHeld(services, file);
  const { ending, contentType, options } = conversion.form(file);
  const made = await createDerivedFile(services, access, principal, file, {
    name,
    defaultName: `${withoutEndings(file.name).slice(0, 240) || 'file'}_renamed${ending}`,
    contentType,
    description: describe(file, names),
    options: options ?? {},
    bytes: conversion.rewrite(services, file, renames),
  });
  return { file: made, names };
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
  const file = await requireReadyFile(db, access.projectId, id, type);
  const written = await readIndividuals(storage, file);
  const names = canonicalNames(written, await readCatalogueOfProject(db, access.projectId, written));
  return { file, conversion, names: conversion.mergesNames ? { ...names, clashes: [] } : names };
}

function renamedTable(type: 'PHENOTYPE' | 'CROSSING_TABLE'): Rewrite {
  return async function* ({ storage }, file, renames) {
    const source = await storage.open(file.storage_key, file.name);
    try {
      yield* renameIndividuals(source, type, renames);
    } finally {
      await source.close();
    }
  };
}

/** A VCF with all that it says; of another format the genotypes, in the form of {@link genotypeForm}. */
async function* renamedGenotypes(
  { storage, config }: Services,
  file: FileRow,
  renames: ReadonlyMap<string, string>,
): AsyncGenerator<Uint8Array> {
  if (file.format === 'vcf') {
    const source = await storage.open(file.storage_key, file.name);
    try {
      yield* deflateBgzf(renameVcfSamples(source, renames, config.limits.inflatedBytes));
    } finally {
      await source.close();
    }
    return;
  }
  const panel = await openFilePanel(storage, file);
  try {
    const renamed: GenotypePanel = {
      samples: panel.samples.map((sample) => renames.get(normalizeName(sample)) ?? sample),
      markers: panel.markers,
      dosages: panel.dosages,
      readPacked: (first, count) => panel.readPacked(first, count),
      close: () => panel.close(),
    };
    yield* writePanel(renamed, file.format === 'numeric-matrix' ? 'numeric' : 'vcf', 'genotypes').chunks;
  } finally {
    await panel.close();
  }
}

/** The description of the new file: where it comes from. */
function describe(file: FileRow, { renames, ambiguous, unknown }: CanonicalNamesReport): string {
  const left = ambiguous.length + unknown.length;
  const rest =
    left === 0
      ? ''
      : ` ${inWords(left)} that the list does not settle ${left === 1 ? 'is as it was' : 'are as they were'}.`;
  return `Converted from ${file.name}: ${inWords(renames.length)} replaced by those of the germplasm list.${rest}`;
}

const inWords = (count: number): string => `${groupedNumber(count)} ${count === 1 ? 'name' : 'names'}`;
