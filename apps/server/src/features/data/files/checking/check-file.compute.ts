import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { GenotypeReading } from '@heterosis/analysis/context';
import { importGenotype } from '@heterosis/analysis/genotype/import-genotype';
import { codeLikeColumns, groupCovariates } from '@heterosis/analysis/inputs/covariates';
import { readPhenotype } from '@heterosis/analysis/inputs/read-phenotype';
import { storedMeans, summarizeMeans } from '@heterosis/analysis/means/means-table';
import { traitMeans } from '@heterosis/analysis/means/trait-means';
import { summarizePedigree } from '@heterosis/analysis/pedigree/summarize-pedigree';
import { packRecord } from '@heterosis/analysis/results/binary-record';
import { ploidy, ploidyCount } from '@heterosis/contracts/data/file-formats';
import type { FileType } from '@heterosis/contracts/data/files';
import type { FileQc } from '@heterosis/contracts/data/files-qc';
import { COLUMN_ROLES, type MappedTable } from '@heterosis/contracts/data/table-mapping';
import type { ByteSource } from '@heterosis/file-formats/byte-source';
import type { FileFormat } from '@heterosis/file-formats/file-kinds';
import { fileProblem, type ProblemReport } from '@heterosis/file-formats/problem';
import { parentsOfCross } from '@heterosis/file-formats/tables/crossing-table/crossing-table';
import { readCrossingTable } from '@heterosis/file-formats/tables/crossing-table/read-crossing-table';
import { firstGenes } from '@heterosis/file-formats/tables/genes/gene-table';
import { readGenes } from '@heterosis/file-formats/tables/genes/read-genes';
import { readLinkageMap } from '@heterosis/file-formats/tables/linkage-map/read-linkage-map';
import { readPedigree } from '@heterosis/file-formats/tables/pedigree/read-pedigree';
import { readFirstRows } from '@heterosis/file-formats/tables/text/first-rows';
import type { ComputeContext, ComputeFunction } from '../../../../platform/compute/compute.ts';
import { openStorageLocation, type StorageLocation } from '../../../../platform/object-storage/storage-location.ts';
import { STORED_ORDER } from '../../../../platform/object-storage/stored-panel.ts';
import { type KeptMapping, keptFor, readAsKept } from '../../../../platform/tables/kept-mapping.ts';
import {
  type CheckOptions,
  type DeclaredBytes,
  type DerivedKind,
  type FileMeta,
  genotypeFieldOf,
  phenotypeOptions,
  tableOptions,
} from '../file-meta.ts';
import { hashedSource } from './hashed-source.ts';

export interface CheckFileInput {
  storage: StorageLocation;
  key: string;
  /** Name of the file, for messages. */
  name: string;
  /** Null: only hash the file. */
  fileType: FileType | null;
  options: CheckOptions;
  /** How the organization reads tables of this type, the latest first. */
  kept: KeptMapping[];
  /** Size and hash that the sender declared. */
  declared: DeclaredBytes;
  /** An empty directory for the output. */
  directory: string;
  /** Largest inflated size of a genotype; the table readers have their own limits. */
  maxInflatedBytes: number;
}

export interface CheckFileOutput {
  sha256: string;
  format: FileFormat | null;
  report: ProblemReport;
  rowCount: number | null;
  columnCount: number | null;
  meta: Pick<FileMeta, 'traits' | 'covariates' | 'groups' | 'codes' | 'panel' | 'coding' | 'kept_mapping'>;
  /** Files written to the directory; of a file with errors only its first rows. */
  files: Partial<Record<DerivedKind, string>>;
}

type Checked = Omit<CheckFileOutput, 'sha256'>;

const NOTHING: Checked = {
  format: null,
  report: { problems: [], totals: { errors: 0, warnings: 0, infos: 0, byCode: {} } },
  rowCount: null,
  columnCount: null,
  meta: {},
  files: {},
};

export const compute: ComputeFunction<CheckFileInput, CheckFileOutput> = async (input, context) => {
  const { declared, fileType } = input;
  const onRead = (done: number, total: number) => context.onProgress({ stage: 'read', done, total });
  const source = hashedSource(await openStorageLocation(input.storage).open(input.key, input.name), {
    partBytes: declared.parts?.bytes,
    // The import of genotypes reports what it has read by itself.
    ...(fileType === 'GENOTYPE' ? {} : { onRead }),
  });
  const hash = async (): Promise<{ sha256: string; isDamaged: boolean }> => {
    const { sha256, parts } = await source.digest();
    return { sha256, isDamaged: (declared.sha256 ?? sha256) !== sha256 || parts !== declared.parts?.sha256 };
  };
  try {
    const checked = await check(source, input, context).catch(async (error: unknown) => {
      // Damaged bytes may end a reader; the hash says what was wrong.
      if (context.signal.aborted || !(await hash()).isDamaged) throw error;
      return undefined;
    });
    const { sha256, isDamaged } = await hash();
    return isDamaged || checked === undefined ? { sha256, ...NOTHING, report: DAMAGED } : { sha256, ...checked };
  } finally {
    await source.close();
  }
};

const DAMAGED: ProblemReport = {
  problems: [
    fileProblem('error', 'E-UPLOAD-DAMAGED', {
      message:
        'The bytes that arrived are not those of the file that was sent: the hash that the sender gave does not fit.',
      suggestion: 'Upload the file again. It may have been changed on your computer while it was sent.',
    }),
  ],
  totals: { errors: 1, warnings: 0, infos: 0, byCode: { 'E-UPLOAD-DAMAGED': 1 } },
};

type Check = (source: ByteSource, input: CheckFileInput, context: ComputeContext) => Promise<Checked>;

/** How each type of file is checked. */
const CHECKS: Record<FileType, Check> = {
  GENOTYPE: checkGenotype,
  PHENOTYPE: checkPhenotype,
  LINKAGE_MAP: checkLinkageMap,
  CROSSING_TABLE: checkCrossingTable,
  PEDIGREE: checkPedigree,
  GENES: checkGenes,
};

const check: Check = async (source, input, context) => {
  const { fileType } = input;
  if (fileType === null) return NOTHING;
  return isMapped(fileType)
    ? await checkTable(fileType, source, input, context)
    : await CHECKS[fileType](source, input, context);
};

const isMapped = (type: FileType): type is MappedTable & FileType => Object.hasOwn(COLUMN_ROLES, type);

/**
 * Keeps the first rows of a table, so that a person can say what its columns hold. When nobody has for this file, a
 * mapping that the organization keeps for the same header is taken.
 */
async function checkTable(
  fileType: MappedTable & FileType,
  source: ByteSource,
  input: CheckFileInput,
  context: ComputeContext,
): Promise<Checked> {
  const first = await readFirstRows(source, context.signal);
  const files =
    first === null ? {} : { first_rows: await write(input.directory, 'first-rows.json', [JSON.stringify(first)]) };
  const kept = first === null || input.options.mapping !== undefined ? undefined : keptFor(first, fileType, input.kept);
  const options =
    kept === undefined ? input.options : { missing_codes: kept.missing_codes, ...input.options, mapping: kept.mapping };
  const checked = await CHECKS[fileType](source, { ...input, options }, context);
  if (kept === undefined) return { ...checked, files: { ...files, ...checked.files } };
  const told = readAsKept(kept);
  const { problems, totals } = checked.report;
  return {
    ...checked,
    report: {
      problems: [told, ...problems],
      totals: { ...totals, infos: totals.infos + 1, byCode: { ...totals.byCode, [told.code]: 1 } },
    },
    meta: { ...checked.meta, kept_mapping: { mapping: kept.mapping, missing_codes: kept.missing_codes } },
    files: { ...files, ...checked.files },
  };
}

const GENOTYPE_FILES: Record<string, DerivedKind> = {
  '.bed': 'bed',
  '.bim': 'bim',
  '.fam': 'fam',
  '.dosage': 'dosage',
  '.samples.csv': 'samples',
  '.contigs.csv': 'contigs',
  '.snpids.csv': 'snpids',
  '.linkmaptemp.csv': 'linkmaptemp',
  '.qc.json': 'qc',
  '.marker_qc.csv': 'marker_qc',
  '.sample_qc.csv': 'sample_qc',
};

async function checkGenotype(
  source: ByteSource,
  { directory, options, maxInflatedBytes }: CheckFileInput,
  context: ComputeContext,
): Promise<Checked> {
  const outPrefix = join(directory, 'panel');
  const { format, report, numericCoding, panel, qc, files } = await importGenotype(
    {
      source,
      outPrefix,
      alleleOrder: STORED_ORDER,
      maxInflatedBytes,
      withTables: true,
      ...(options.keep_duplicate_positions === true ? { duplicatePositions: 'keep' as const } : {}),
      ...(options.haploid_as_homozygous === true ? { haploidCalls: 'homozygous' as const } : {}),
      ...(options.numeric_coding == null ? {} : { numericCoding: options.numeric_coding }),
      ...(options.matrix_rows === undefined ? {} : { matrixRows: options.matrix_rows }),
    },
    { ...asAnalysis(context), genotypes: readingOf(options) },
  );
  const coding = numericCoding === null ? {} : { coding: numericCoding };
  if (panel === null || qc === null) return { ...NOTHING, format, report, meta: coding };
  return {
    format,
    report,
    rowCount: panel.samples,
    columnCount: panel.markers,
    meta: {
      ...coding,
      panel: {
        markersAfterQc: qc.markers_after_default_qc,
        missingShare: qc.missing_share,
        phased: panel.phased,
        ...(panel.ploidy === 2 ? {} : { ploidy: ploidy.parse(panel.ploidy) }),
        ...(panel.ploidies === null ? {} : { ploidies: panel.ploidies.map((one) => ploidyCount.parse(one)) }),
        fractional: panel.fractional,
      },
    },
    files: Object.fromEntries(
      files.flatMap((path) => {
        const kind = GENOTYPE_FILES[path.slice(outPrefix.length)];
        return kind === undefined ? [] : [[kind, path]];
      }),
    ),
  };
}

function readingOf(options: CheckOptions): GenotypeReading {
  const field = genotypeFieldOf(options);
  return {
    polyploids: true,
    ...(options.ploidy == null ? {} : { ploidy: options.ploidy }),
    ...(options.samples_of_ploidy == null ? {} : { samplesOfPloidy: options.samples_of_ploidy }),
    ...(field === null ? {} : { genotypeField: field }),
  };
}

/** About a minute, see `componentBudget`. */
const COMPONENT_BUDGET = 3e6;

async function checkPhenotype(
  source: ByteSource,
  { directory, options }: CheckFileInput,
  context: ComputeContext,
): Promise<Checked> {
  const reading = await readPhenotype(source, asAnalysis(context), phenotypeOptions(options));
  const { table, report, summaries, correlations } = reading;
  if (table === null) return { ...NOTHING, report };
  const means = table.reductions.every((reduction) => reduction === 'as given')
    ? []
    : [...traitMeans(reading, asAnalysis(context), { componentBudget: COMPONENT_BUDGET })];
  const qc: FileQc = {
    kind: 'phenotype',
    shape: table.shape,
    individuals: table.individuals.length,
    traits: summaries.map(({ isCovariate, ...summary }) => ({ ...summary, is_covariate: isCovariate })),
    correlations,
    ...(table.environments.length > 0 ? { environments: table.environments } : {}),
    ...(means.length > 0 ? { means: means.map(summarizeMeans) } : {}),
  };
  const kept = await keepTable(directory, { report, format: table.shape, table, qc });
  return {
    ...kept,
    rowCount: table.individuals.length,
    columnCount: table.traits.length,
    meta: {
      traits: table.traits.flatMap(({ name, kind, isCovariate }) =>
        kind === 'numeric' && isCovariate !== true ? [name] : [],
      ),
      covariates: table.traits.flatMap(({ name, kind, isCovariate }) =>
        kind === 'numeric' && isCovariate === true ? [name] : [],
      ),
      groups: groupCovariates(table),
      codes: codeLikeColumns(table),
    },
    files: {
      ...kept.files,
      ...(means.length > 0
        ? { means: await write(directory, 'means.bin', [packRecord(storedMeans(table.individuals, means))]) }
        : {}),
    },
  };
}

async function checkLinkageMap(
  source: ByteSource,
  { directory, options }: CheckFileInput,
  context: ComputeContext,
): Promise<Checked> {
  context.onProgress({ stage: 'read', done: 0, total: source.size });
  const { map, report, summary } = await readLinkageMap(source, { ...tableOptions(options), signal: context.signal });
  if (map === null) return { ...NOTHING, report };
  const { markers, chromosomes } = summary;
  const qc: FileQc = {
    kind: 'linkage_map',
    markers,
    chromosomes: chromosomes.map(({ name, markers: count, lengthCm }) => ({
      name,
      markers: count,
      length_cm: lengthCm,
    })),
  };
  return {
    ...(await keepTable(directory, { report, format: 'linkage-map', table: map, qc })),
    rowCount: markers,
    columnCount: chromosomes.length,
  };
}

async function checkCrossingTable(
  source: ByteSource,
  { directory, options }: CheckFileInput,
  context: ComputeContext,
): Promise<Checked> {
  context.onProgress({ stage: 'read', done: 0, total: source.size });
  const { crosses, report } = await readCrossingTable(source, { ...tableOptions(options), signal: context.signal });
  if (crosses === null) return { ...NOTHING, report };
  const qc: FileQc = {
    kind: 'crossing_table',
    crosses: crosses.map(({ name, female, male, progenyCount, type }) => ({
      name,
      female,
      male,
      progeny_count: progenyCount,
      type,
    })),
  };
  return {
    ...(await keepTable(directory, { report, format: 'crossing-table', table: crosses, qc })),
    rowCount: crosses.length,
    columnCount: new Set(crosses.flatMap(parentsOfCross)).size,
  };
}

async function checkPedigree(
  source: ByteSource,
  { directory, options }: CheckFileInput,
  context: ComputeContext,
): Promise<Checked> {
  context.onProgress({ stage: 'read', done: 0, total: source.size });
  const { table, report } = await readPedigree(source, { ...tableOptions(options), signal: context.signal });
  if (table === null) return { ...NOTHING, report };
  const qc = summarizePedigree(table);
  return {
    ...(await keepTable(directory, { report, format: 'pedigree', table, qc })),
    rowCount: table.names.length,
    columnCount: qc.founders,
  };
}

async function checkGenes(
  source: ByteSource,
  { directory }: CheckFileInput,
  context: ComputeContext,
): Promise<Checked> {
  context.onProgress({ stage: 'read', done: 0, total: source.size });
  const { genes, report } = await readGenes(source, { signal: context.signal });
  if (genes === null) return { ...NOTHING, report };
  const first = firstGenes(genes);
  const qc: FileQc = {
    kind: 'genes',
    genes: genes.ids.length,
    named: genes.names.filter((name, gene) => name !== genes.ids[gene]).length,
    chromosomes: genes.chromosomes.map((name, index) => ({
      name,
      genes: (first[index + 1] ?? 0) - (first[index] ?? 0),
      length_bp: genes.end.subarray(first[index], first[index + 1]).reduce((most, end) => Math.max(most, end), 0),
    })),
  };
  return {
    ...(await keepTable(directory, { report, format: 'genes', table: genes, qc })),
    rowCount: genes.ids.length,
    columnCount: genes.chromosomes.length,
  };
}

/** Writes what runs read from a table, and the figures that its page shows. */
async function keepTable(
  directory: string,
  { report, format, table, qc }: { report: ProblemReport; format: FileFormat; table: unknown; qc: FileQc },
): Promise<Checked> {
  return {
    ...NOTHING,
    report,
    format,
    files: {
      table: await write(directory, 'table.bin', [packRecord(table)]),
      qc: await write(directory, 'qc.json', [JSON.stringify(qc)]),
    },
  };
}

async function write(directory: string, name: string, parts: Iterable<string | Uint8Array>): Promise<string> {
  const path = join(directory, name);
  await pipeline(Readable.from(parts), createWriteStream(path));
  return path;
}

const asAnalysis = ({ threads, onProgress, signal }: ComputeContext) => ({ threads, onProgress, signal });
