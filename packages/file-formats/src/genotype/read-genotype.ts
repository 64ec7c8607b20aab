import type { ByteSource } from '../byte-source.ts';
import { GzipError } from '../compression/gzip-error.ts';
import { formatBytes } from '../compression/inflated-bytes.ts';
import { FileFormatError, ProblemCollector, type ProblemReport } from '../problem.ts';
import { legacyEncodingProblem } from '../text/encoding.ts';
import { lineBlocks } from '../text/line-blocks.ts';
import type { MultiallelicRule } from './allele-calls.ts';
import { type Contig, type GenotypeStats, PanelWriter } from './panel-writer.ts';
import { readVcf } from './vcf-reader.ts';

export interface GenotypeLimits {
  /** Size of the file as it lies there. */
  maxCompressedBytes: number;
  /** Size after unpacking. */
  maxInflatedBytes: number;
  /** Length of one line. */
  maxLineBytes: number;
}

/** 10 GB as uploaded (FORMATS §1); genotypes pack up to 1:40, and the ratio check of the unpacker stops what is not genotypes. */
export const GENOTYPE_LIMITS: GenotypeLimits = {
  maxCompressedBytes: 10_000_000_000,
  maxInflatedBytes: 400_000_000_000,
  maxLineBytes: 256_000_000,
};

export type GenotypeFormat = 'vcf';

export interface ReadGenotypeOptions {
  /** Files are written as `<outPrefix>.bed` and so on; the folder is made when absent. */
  outPrefix: string;
  /** Rows with more than two alleles: one marker for each alternative (default), or left out. */
  multiallelic?: MultiallelicRule;
  limits?: Partial<GenotypeLimits>;
  /** Aborting makes the call reject with the signal's reason, with nothing left on disk. */
  signal?: AbortSignal;
  /** Bytes of the source taken so far, and all of them. */
  onProgress?: (done: number, total: number) => void;
}

/** Outcome of {@link readGenotype}. With errors in the report the lists are empty, `stats` is null and no file is left. */
export interface GenotypeImport {
  /** Null when the content is no genotype format. */
  format: GenotypeFormat | null;
  report: ProblemReport;
  samples: string[];
  markerCount: number;
  contigs: Contig[];
  stats: GenotypeStats | null;
  /** Paths written: `.bed .bim .fam .samples.csv .contigs.csv .snpids.csv .linkmaptemp.csv`. */
  files: string[];
}

/**
 * Reads a genotype file of any accepted format, chosen by its content, into PLINK 1 files (A1 = REF in column 5, A2 = ALT in column 6, sorted by
 * natural chromosome order and position) and the lists beside them. All problems of the file are collected in one pass; with any error
 * nothing is left on disk. Memory does not grow with the number of calls, only with markers and samples.
 * Rejects only for what is not the file's fault: a system error while reading or writing, or the signal's reason.
 */
export async function readGenotype(source: ByteSource, options: ReadGenotypeOptions): Promise<GenotypeImport> {
  const limits = { ...GENOTYPE_LIMITS, ...options.limits };
  const problems = new ProblemCollector();
  const writer = new PanelWriter(options.outPrefix, source.name, problems);
  let hasLegacyText = false;
  const onLegacyText = () => {
    hasLegacyText = true;
  };
  try {
    if (source.size > limits.maxCompressedBytes) {
      throw new FileFormatError('E-TOO-LARGE', {
        message: `The file has ${formatBytes(source.size)}; at most ${formatBytes(limits.maxCompressedBytes)} are read.`,
        suggestion: 'Compress it with bgzip, or split it by chromosome.',
      });
    }
    const blocks = lineBlocks(source, {
      ...limits,
      signal: options.signal,
      onRead: (done) => options.onProgress?.(done, source.size),
    });
    await readVcf(blocks, writer, problems, { multiallelic: options.multiallelic ?? 'split', onLegacyText });
    if (hasLegacyText) problems.add(legacyEncodingProblem());
    const written = await writer.finish();
    if (written !== null) {
      const { samples } = writer;
      return { format: 'vcf', report: problems.report(), samples, ...written };
    }
  } catch (error) {
    await writer.abandon();
    if (error instanceof FileFormatError) problems.add(error.problem);
    else if (error instanceof GzipError) addGzipProblem(problems, error);
    else throw error;
  }
  return { format: 'vcf', report: problems.report(), samples: [], markerCount: 0, contigs: [], stats: null, files: [] };
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
