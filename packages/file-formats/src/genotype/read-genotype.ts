import type { ByteSource } from '../byte-source.ts';
import { GzipError } from '../compression/gzip-error.ts';
import { formatBytes } from '../compression/inflated-bytes.ts';
import { openZip, zipEntrySource } from '../compression/zip-archive.ts';
import { detectFileKind, type FileKind, wrongTypeProblem } from '../detect-file-kind.ts';
import { type GenotypeFormat, isGenotypeFormat } from '../file-kinds.ts';
import { FileFormatError, ProblemCollector, type ProblemReport } from '../problem.ts';
import { legacyEncodingProblem } from '../text/encoding.ts';
import { lineBlocks } from '../text/line-blocks.ts';
import { type GenotypeStats } from './genotype-stats.ts';
import { type FractionalCount, PLOIDIES } from './panel/dosages.ts';
import type { DuplicateGenotypes } from './panel/duplicate-genotypes.ts';
import type { MarkerTable } from './panel/genotype-panel.ts';
import type { AlleleOrder } from './panel/packed-calls.ts';
import type { DuplicatePositionRule } from './panel/panel-findings.ts';
import type { Contig } from './panel/panel-lists.ts';
import { PanelWriter } from './panel/panel-writer.ts';
import type { MultiallelicRule } from './readers/allele-calls.ts';
import { readHapmap } from './readers/hapmap-reader.ts';
import { readDart } from './readers/laboratory/dart-reader.ts';
import { readKasp } from './readers/laboratory/kasp-reader.ts';
import { readLongDosages } from './readers/laboratory/long-dosages.ts';
import { type MarkerPlaces, readMarkerList } from './readers/marker-list.ts';
import type { MatrixRows } from './readers/matrix-layout.ts';
import { readMatrix } from './readers/matrix-reader.ts';
import type { CodingOfNumbers, NumericCoding } from './readers/numeric-coding.ts';
import { readPlinkBinary } from './readers/plink/plink-binary-reader.ts';
import { readPlinkText } from './readers/plink/plink-text-reader.ts';
import { readPlink2 } from './readers/plink/plink2-reader.ts';
import type { GenotypeField, HaploidRule } from './readers/vcf/vcf-calls.ts';
import { DifferentPloidies, type PloidiesOfSamples, readPloidies, samplesToRead } from './readers/vcf/vcf-ploidies.ts';
import { readVcf } from './readers/vcf/vcf-reader.ts';

export interface GenotypeLimits {
  /** Size of the file as it lies there. */
  maxCompressedBytes: number;
  /** Size after unpacking. */
  maxInflatedBytes: number;
  /** Length of one line. */
  maxLineBytes: number;
}

/** 10 GB as uploaded; genotypes pack up to 1:40, and the ratio check of the unpacker stops what is not genotypes. */
export const GENOTYPE_LIMITS: GenotypeLimits = {
  maxCompressedBytes: 10_000_000_000,
  maxInflatedBytes: 400_000_000_000,
  maxLineBytes: 256_000_000,
};

export interface ReadGenotypeOptions {
  /** Files are written as `<outPrefix>.bed` and so on; the folder is made when absent. */
  outPrefix: string;
  /** Of the `.bed` and `.bim` written; PLINK's (`alt-first`) unless told. */
  alleleOrder?: AlleleOrder;
  /** Rows with more than two alleles: one marker for each alternative (default), or left out. */
  multiallelic?: MultiallelicRule;
  /**
   * The same variant (chromosome, position, alleles) twice: an error (default), or, where both have ids of their own
   * as the probes of arrays do, a warning with both kept.
   */
  duplicatePositions?: DuplicatePositionRule;
  /** The field of a VCF that genotypes are read from; GT, and where it is not there DS or GP, unless told. */
  genotypeField?: GenotypeField;
  /** Whether calls of more than two alleles are read; they are an error (E-GT-PLOIDY) unless told. */
  polyploids?: boolean;
  /** Copies of each chromosome, where a file does not tell it: a table of numbers, or a VCF of dosages alone. */
  ploidy?: number;
  /** Reads only the plants of this ploidy: of a VCF those whose calls have so many alleles. */
  samplesOfPloidy?: number;
  /** A call of one allele in a line of a VCF whose others have two: an error (default), or read as homozygous. */
  haploidCalls?: HaploidRule;
  /** Coding of a numeric matrix; detected from its values, with a warning to be confirmed, unless told. */
  numericCoding?: NumericCoding;
  /** What the rows of a matrix are; read from its header unless told. */
  matrixRows?: MatrixRows;
  /** Chromosome and position by marker id for formats that have none (from a linkage map). */
  places?: MarkerPlaces;
  limits?: Partial<GenotypeLimits>;
  /** Aborting makes the call reject with the signal's reason, with nothing left on disk. */
  signal?: AbortSignal;
  /** Bytes of the source taken so far, and all of them. */
  onProgress?: (done: number, total: number) => void;
}

/**
 * Outcome of {@link readGenotype}. With errors in the report the lists are empty, `markers` and `stats` are null and
 * no file is left.
 */
export interface GenotypeImport {
  /** Null when the content is no genotype format. */
  format: GenotypeFormat | null;
  report: ProblemReport;
  samples: string[];
  markerCount: number;
  /** How the numbers of a numeric matrix were read, also when the report has errors; null for other formats. */
  numericCoding: CodingOfNumbers | null;
  /** As the `.bim` has them; null with errors. */
  markers: MarkerTable | null;
  contigs: Contig[];
  stats: GenotypeStats | null;
  /** Pairs of samples with the same genotype; null with errors. */
  duplicates: DuplicateGenotypes | null;
  /** Null for a panel of whole numbers, and with errors. */
  fractional: FractionalCount | null;
  /** Copies of A2 in a homozygote, the highest where samples differ; 2 with errors. */
  ploidy: number;
  /**
   * Paths written: `.bed .bim .fam .samples.csv .contigs.csv .snpids.csv .linkmaptemp.csv`, and `.dosage` with
   * fractional dosages.
   */
  files: string[];
}

/**
 * Reads a genotype file of any accepted format, chosen by its content, into PLINK 1 files (in PLINK's order column 5
 * of the `.bim` is ALT and column 6 is REF), sorted by natural chromosome order and position, and the lists beside
 * them. All problems of the file are collected in one pass; with any error nothing is left on disk. Memory does not
 * grow with the number of calls, only with markers and samples. Rejects only for what is not the file's fault: a
 * system error while reading or writing, or the signal's reason.
 */
export async function readGenotype(source: ByteSource, options: ReadGenotypeOptions): Promise<GenotypeImport> {
  try {
    return await readOnce(source, { ...options, areMixed: false });
  } catch (error) {
    if (!(error instanceof DifferentPloidies)) throw error;
    return await readOnce(source, { ...options, areMixed: true });
  }
}

interface Asked extends ReadGenotypeOptions {
  /** Whether samples are known to differ in ploidy. */
  areMixed: boolean;
}

async function readOnce(source: ByteSource, options: Asked): Promise<GenotypeImport> {
  const limits = { ...GENOTYPE_LIMITS, ...options.limits };
  const problems = new ProblemCollector();
  const writer = new PanelWriter({
    prefix: options.outPrefix,
    sourceName: source.name,
    duplicatePositions: options.duplicatePositions ?? 'error',
    alleleOrder: options.alleleOrder ?? 'alt-first',
    problems,
  });
  let kind: FileKind | null = null;
  let numericCoding: CodingOfNumbers | null = null;
  try {
    checkSize(source, limits);
    kind = await detectFileKind(source, options.ploidy);
    const wrongType = wrongTypeProblem(kind, 'GENOTYPE');
    const ploidy = options.ploidy ?? kind.ploidy;
    requireReadable(kind, { ...options, ...(ploidy === undefined ? {} : { ploidy }) });
    requireAsked(kind, options.samplesOfPloidy, ploidy);
    if (wrongType === null) {
      const reading = { ...options, ...(ploidy === undefined ? {} : { ploidy }), limits, writer, problems };
      numericCoding = await readFormat(source, kind, reading);
      const written = await writer.finish();
      if (written !== null) {
        const report = problems.report();
        return { format: formatOf(kind), report, samples: writer.samples, numericCoding, ...written };
      }
    } else {
      problems.add(wrongType);
    }
  } catch (error) {
    await writer.abandon();
    if (error instanceof FileFormatError) problems.add(error.problem);
    else if (error instanceof GzipError) addGzipProblem(problems, error);
    else throw error;
  }
  return {
    format: formatOf(kind),
    report: problems.report(),
    samples: [],
    markerCount: 0,
    numericCoding,
    markers: null,
    contigs: [],
    stats: null,
    duplicates: null,
    fractional: null,
    ploidy: 2,
    files: [],
  };
}

function checkSize(source: ByteSource, limits: GenotypeLimits): void {
  if (source.size === 0) {
    throw new FileFormatError('E-EMPTY', { message: 'The file is empty.', suggestion: 'Choose the file again.' });
  }
  if (source.size > limits.maxCompressedBytes) {
    throw new FileFormatError('E-TOO-LARGE', {
      message: `The file has ${formatBytes(source.size)}; at most ${formatBytes(limits.maxCompressedBytes)} are read.`,
      suggestion: 'Compress it with bgzip, or split it by chromosome.',
    });
  }
}

/** Formats that can hold more than two copies. */
const POLYPLOID_FORMATS: ReadonlySet<string> = new Set([
  'vcf',
  'numeric-matrix',
  'letter-matrix',
  'dart',
  'long-dosages',
]);

/** A ploidy above 2 is taken where it is read, of formats that can have it. */
function requireReadable({ format, label }: FileKind, options: ReadGenotypeOptions): void {
  const { polyploids = false, ploidy = (format === 'vcf' ? options.samplesOfPloidy : undefined) ?? 2 } = options;
  const isKnown = PLOIDIES.includes(ploidy);
  if (ploidy === 2 || !isGenotypeFormat(format) || (polyploids && isKnown && POLYPLOID_FORMATS.has(format))) return;
  if (polyploids && !isKnown) {
    throw new FileFormatError('E-GT-PLOIDY', {
      value: String(ploidy),
      message: `The calls have ${ploidy} alleles; only ploidies of 2, 4, 6 and 8 are read.`,
      suggestion: 'Call the genotypes with one of these ploidies, or export presence/absence of each allele.',
    });
  }
  throw new FileFormatError('E-GT-PLOIDY', {
    value: String(ploidy),
    message: polyploids
      ? `This is ${label}, which holds calls of diploids, and the ploidy was given as ${ploidy}.`
      : `The plants have ${ploidy} copies of each chromosome; only diploid genotypes can be analysed here.`,
    suggestion: polyploids
      ? 'Leave the ploidy out, or give a VCF or a table of dosages.'
      : 'Use diploid calls, or an analysis that takes polyploids.',
  });
}

/** Only a VCF tells the ploidy of each sample; all of another file have one. */
function requireAsked({ format }: FileKind, wanted: number | undefined, ploidy = 2): void {
  if (wanted === undefined || format === 'vcf' || wanted === ploidy) return;
  throw new FileFormatError('E-GT-PLOIDY', {
    value: String(wanted),
    message: `No plant has ${wanted} copies of each chromosome: all have ${ploidy}.`,
    suggestion: 'Read all plants of the file.',
  });
}

function formatOf(kind: FileKind | null): GenotypeFormat | null {
  return kind !== null && isGenotypeFormat(kind.format) ? kind.format : null;
}

interface Reading extends Asked {
  limits: GenotypeLimits;
  writer: PanelWriter;
  problems: ProblemCollector;
}

async function readFormat(source: ByteSource, kind: FileKind, reading: Reading): Promise<CodingOfNumbers | null> {
  const { limits, writer, problems, signal } = reading;
  const multiallelic = reading.multiallelic ?? 'split';
  let coding: CodingOfNumbers | null = null;
  let hasLegacyText = false;
  const onLegacyText = () => {
    hasLegacyText = true;
  };
  let hasBgzipEnd: boolean | null = null;
  const blocksOf = (text: ByteSource, memory?: () => Uint8Array) =>
    lineBlocks(text, {
      ...limits,
      ...(memory === undefined ? {} : { memory }),
      signal,
      onRead: (done) => reading.onProgress?.(done, text.size),
      onBgzipEnd: (hasMarker) => {
        hasBgzipEnd = hasMarker;
      },
    });
  const zip = kind.zipEntry === null ? null : await openZip(source);
  const text =
    zip === null || kind.zipEntry === null ? source : zipEntrySource(zip, kind.zipEntry, limits.maxInflatedBytes);
  const places =
    zip === null || kind.markerList === null
      ? reading.places
      : await readMarkerList(zip, kind.markerList, problems, { onLegacyText, signal });
  const temporaryPath = `${reading.outPrefix}.calls.part`;
  const matrixOptions = {
    ...{ multiallelic, coding: reading.numericCoding, rows: reading.matrixRows },
    ...{ ploidy: reading.ploidy, polyploids: reading.polyploids },
    ...{ places, temporaryPath, onLegacyText, signal },
  };
  const dosageOptions = {
    ...{ places, onLegacyText, ploidy: reading.ploidy, genotypeField: reading.genotypeField },
  };
  const plinkOptions = { ...limits, multiallelic, temporaryPath, onLegacyText, signal, onProgress: reading.onProgress };
  switch (kind.format) {
    case 'vcf':
      await readVcf((memory) => blocksOf(text, memory), writer, problems, {
        multiallelic,
        genotypeField: reading.genotypeField,
        polyploids: reading.polyploids,
        ploidy: reading.ploidy,
        differing: await differingIn(() => blocksOf(text), reading),
        haploidCalls: reading.haploidCalls,
        onLegacyText,
      });
      break;
    case 'hapmap':
      await readHapmap(blocksOf(text), writer, problems, { multiallelic, onLegacyText });
      break;
    case 'numeric-matrix':
    case 'letter-matrix': {
      const cells = kind.format === 'numeric-matrix' ? 'numbers' : 'letters';
      coding = await readMatrix(blocksOf(text), writer, problems, { ...matrixOptions, cells });
      break;
    }
    case 'plink-binary':
      await readPlinkBinary(await openZip(source), writer, problems, plinkOptions);
      break;
    case 'plink-text':
      await readPlinkText(await openZip(source), writer, problems, plinkOptions);
      break;
    case 'flapjack':
      if (places === undefined) throw withoutMap();
      await readMatrix(blocksOf(text), writer, problems, { ...matrixOptions, cells: 'names' });
      break;
    case 'long-dosages':
      await readLongDosages(blocksOf(text), writer, problems, { ...dosageOptions, signal });
      break;
    case 'kasp':
      await readKasp(blocksOf(text), writer, problems, { multiallelic, places, onLegacyText, signal });
      break;
    case 'dart':
      await readDart(blocksOf(text), writer, problems, { ...dosageOptions, signal });
      break;
    case 'plink2':
      await readPlink2(await openZip(source), writer, problems, plinkOptions);
      break;
    default:
      throw new Error(`no reader for ${kind.format}`);
  }
  if (hasLegacyText) problems.add(legacyEncodingProblem());
  if (hasBgzipEnd === false) {
    problems.warning('W-GT-NO-END', {
      message: 'The bgzip file lacks the marker that closes it; it may have been cut exactly between two blocks.',
      suggestion: 'Compare the number of markers with the original, or compress the file again with bgzip.',
    });
  }
  return coding;
}

/** The ploidy of each sample of a VCF where they differ, or where those of one ploidy are asked for. */
async function differingIn(
  blocks: () => AsyncIterable<Buffer>,
  { areMixed, samplesOfPloidy, ploidy = 2, problems }: Reading,
): Promise<PloidiesOfSamples | null> {
  if (!areMixed && samplesOfPloidy === undefined) return null;
  return samplesToRead(await readPloidies(blocks(), ploidy), samplesOfPloidy, problems);
}

function withoutMap(): FileFormatError {
  return new FileFormatError('E-GT-MAP', {
    message: 'A Flapjack genotype file has no chromosomes and positions; they are in its map file.',
    suggestion: 'Pack the genotype and the map file into one zip and upload that.',
  });
}

function addGzipProblem(problems: ProblemCollector, error: GzipError): void {
  const codes = { truncated: 'E-GT-TRUNCATED', damaged: 'E-GZIP', 'too-large': 'E-TOO-LARGE' } as const;
  problems.error(codes[error.kind], {
    message: error.message,
    suggestion:
      error.kind === 'too-large'
        ? 'Check that this is the file you meant; split it by chromosome when it is.'
        : 'The upload or the compression was cut short. Compress the file again and upload it once more.',
  });
}
