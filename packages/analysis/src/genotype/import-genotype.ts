import { rm, writeFile } from 'node:fs/promises';
import { type ByteSource, openFileSource } from '@heterosis/file-formats/byte-source';
import { GzipError } from '@heterosis/file-formats/compression/gzip-error';
import { detectFileKind, type FileKind } from '@heterosis/file-formats/detect-file-kind';
import { GENOTYPE_FORMATS, type GenotypeFormat, isGenotypeFormat } from '@heterosis/file-formats/file-kinds';
import type { FractionalCount } from '@heterosis/file-formats/genotype/panel/dosages';
import type { AlleleOrder } from '@heterosis/file-formats/genotype/panel/packed-calls';
import { blocksOf } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import { openBed } from '@heterosis/file-formats/genotype/panel/plink-panel';
import { countPloidies, type PloidyCount } from '@heterosis/file-formats/genotype/ploidies';
import { readGenotype } from '@heterosis/file-formats/genotype/read-genotype';
import type { MatrixRows } from '@heterosis/file-formats/genotype/readers/matrix-layout';
import {
  type CodingOfNumbers,
  NUMERIC_CODINGS,
  type NumericCoding,
} from '@heterosis/file-formats/genotype/readers/numeric-coding';
import { FileFormatError, ProblemCollector, type ProblemReport } from '@heterosis/file-formats/problem';
import { type AnalysisContext, reportProgress } from '../context.ts';
import { markerPlacesOf } from '../inputs/marker-places.ts';
import { type GenotypeQc, qualityOfPanel } from './qc-genotype.ts';
import { markerTable, sampleTable } from './quality-tables.ts';

// The command line knows the formats only through the analyses.
export { GENOTYPE_FORMATS, NUMERIC_CODINGS };

export interface ImportInput {
  source: ByteSource;
  /** Files are written as `outPrefix.bed` and so on; creates the folder if it does not exist. */
  outPrefix: string;
  /** Allele order of the `.bed` and `.bim` written; default PLINK's (`alt-first`). */
  alleleOrder?: AlleleOrder;
  /** Rows with more than two alleles: split into one marker per alternative (default), or skipped. */
  multiallelic?: 'split' | 'drop';
  /**
   * The same variant (chromosome, position, alleles) in two rows: an error (default), or kept with a warning if each
   * row has its own id, as array probes do.
   */
  duplicatePositions?: 'error' | 'keep';
  /** Refuse any other format (E-TYPE) before anything is written. */
  format?: GenotypeFormat;
  /** Read DS or GP of a VCF even where GT is present; default GT. */
  prefersDosages?: boolean;
  /** A call of one allele in a line of a VCF whose others have two: an error (default), or read as homozygous. */
  haploidCalls?: 'refuse' | 'homozygous';
  /** How to read the numbers of a numeric matrix; by default detected, with a warning to be confirmed. */
  numericCoding?: NumericCoding;
  /** What the rows of a matrix are, where its header does not tell. */
  matrixRows?: MatrixRows;
  /** A compressed file that unpacks to more is refused (E-TOO-LARGE); default 400 GB. */
  maxInflatedBytes?: number;
  /** False skips the QC figures, for files that are read once and discarded; default true. */
  withQc?: boolean;
  /** True also writes the figures of every marker and every sample, as CSV. */
  withTables?: boolean;
}

export interface ImportedPanel {
  samples: number;
  markers: number;
  phased: boolean;
  /** Null for a panel of whole numbers. */
  fractional: FractionalCount | null;
  /** Copies of A2 in a homozygote, the highest where samples differ. */
  ploidy: number;
  /** Samples by ploidy where they differ; null where they do not. */
  ploidies: PloidyCount[] | null;
}

export interface GenotypeImport {
  /** Format detected from the content; null when unsupported. */
  format: GenotypeFormat | null;
  report: ProblemReport;
  /** How the numbers of a numeric matrix were read, even when the report has errors; null for other formats. */
  numericCoding: CodingOfNumbers | null;
  /** Null when the report has errors. */
  panel: ImportedPanel | null;
  /** Null when the report has errors or no figures were requested. */
  qc: GenotypeQc | null;
  /**
   * Paths written: `.bed .bim .fam .samples.csv .contigs.csv .snpids.csv .linkmaptemp.csv .qc.json`, and with tables
   * `.marker_qc.csv .sample_qc.csv`; none when the report has errors.
   */
  files: string[];
}

/**
 * Checks a genotype file of any accepted format and writes it as PLINK files with lists and QC figures. If the report
 * has an error, or the call rejects (system errors, abort), no file is left on disk.
 */
export async function importGenotype(input: ImportInput, context: AnalysisContext): Promise<GenotypeImport> {
  reportProgress(context, 'read', 0, input.source.size);
  if (input.format !== undefined) {
    const refused = await otherFormat(input.source, input.format, context.genotypes?.ploidy);
    if (refused !== null) return refused;
  }
  const alleleOrder = input.alleleOrder ?? 'alt-first';
  const read = await readGenotype(input.source, {
    outPrefix: input.outPrefix,
    alleleOrder,
    onProgress: (done, total) => context.onProgress?.({ stage: 'read', done, total }),
    ...context.genotypes,
    ...(input.prefersDosages === true ? { genotypeField: 'DS' as const } : {}),
    ...(input.haploidCalls === undefined ? {} : { haploidCalls: input.haploidCalls }),
    ...(input.multiallelic === undefined ? {} : { multiallelic: input.multiallelic }),
    ...(input.numericCoding === undefined ? {} : { numericCoding: input.numericCoding }),
    ...(input.matrixRows === undefined ? {} : { matrixRows: input.matrixRows }),
    ...(input.duplicatePositions === undefined ? {} : { duplicatePositions: input.duplicatePositions }),
    ...(context.signal === undefined ? {} : { signal: context.signal }),
    ...(input.maxInflatedBytes === undefined ? {} : { limits: { maxInflatedBytes: input.maxInflatedBytes } }),
  });
  const { format, report, numericCoding } = read;
  const { markers, stats, duplicates, fractional, ploidy } = read;
  if (markers === null || stats === null || duplicates === null)
    return { format, report, numericCoding, panel: null, qc: null, files: [] };
  const isPhased = format === 'vcf' && report.totals.byCode['W-GT-UNPHASED'] === undefined;
  const ploidies = stats.mixed === undefined ? null : countPloidies(stats.mixed.ploidies);
  if (input.withQc === false) {
    const sizes = { samples: read.samples.length, markers: read.markerCount };
    const panel = { ...sizes, phased: isPhased, fractional, ploidy, ploidies };
    return { format, report, numericCoding, panel, qc: null, files: read.files };
  }
  const pathOf = (ending: string): string => `${input.outPrefix}.${ending}`;
  const written = ['qc.json', ...(input.withTables === true ? ['marker_qc.csv', 'sample_qc.csv'] : [])].map(pathOf);
  try {
    // Names and markers are already known: do not read them again.
    const bed = await openFileSource(pathOf('bed'));
    const dosage = read.files.includes(pathOf('dosage')) ? await openFileSource(pathOf('dosage')) : undefined;
    const panel = blocksOf(await openBed({ bed, dosage }, read.samples, markers, alleleOrder));
    try {
      const counted = { stats, duplicates, places: markerPlacesOf(markers) };
      const quality = await qualityOfPanel({ panel, isPhased, counted }, context);
      const { qc, classes } = quality;
      reportProgress(context, 'write', 0, 1);
      await writeFile(pathOf('qc.json'), `${JSON.stringify(qc)}\n`);
      if (input.withTables === true) {
        const { signal } = context;
        const options = signal === undefined ? {} : { signal };
        await writeFile(pathOf('marker_qc.csv'), markerTable(panel, stats, classes), options);
        await writeFile(pathOf('sample_qc.csv'), sampleTable(panel, quality), options);
      }
      return {
        format,
        report,
        numericCoding,
        panel: { samples: qc.samples, markers: qc.markers, phased: qc.phased, fractional, ploidy, ploidies },
        qc,
        files: [...read.files, ...written],
      };
    } finally {
      await panel.close();
    }
  } catch (error) {
    await Promise.all([...read.files, ...written].map((path) => rm(path, { force: true })));
    throw error;
  }
}

/**
 * Refuses a file in a format other than the required one; null when the format fits, or when the file is damaged,
 * which the reader reports.
 */
async function otherFormat(
  source: ByteSource,
  wanted: GenotypeFormat,
  ploidy: number | undefined,
): Promise<GenotypeImport | null> {
  let kind: FileKind;
  try {
    kind = await detectFileKind(source, ploidy);
  } catch (error) {
    if (error instanceof FileFormatError || error instanceof GzipError) return null;
    throw error;
  }
  if (kind.format === wanted) return null;
  const problems = new ProblemCollector();
  problems.error('E-TYPE', {
    message: `This is ${kind.label}, and the format asked for is ${wanted}.`,
    suggestion: 'Leave the format out; it is found by the content.',
  });
  const format = isGenotypeFormat(kind.format) ? kind.format : null;
  return { format, report: problems.report(), panel: null, qc: null, numericCoding: null, files: [] };
}
