import type { ByteSource } from '../byte-source.ts';
import { openZip, zipEntrySource } from '../compression/zip-archive.ts';
import { detectFileKind, type FileKind } from '../detect-file-kind.ts';
import { normalizeName } from '../names/normalize-name.ts';
import { FileFormatError, ProblemCollector } from '../problem.ts';
import { lineBlocks } from '../text/line-blocks.ts';
import { MarkerColumns, type MarkerRecord } from './panel/marker-columns.ts';
import type { MarkerSink, PolyploidCalls, RowAlleles } from './panel/marker-sink.ts';
import { checkedSamples, type SamplePlace } from './panel/panel-findings.ts';
import { GENOTYPE_LIMITS } from './read-genotype.ts';
import { DifferentPloidies, type PloidiesOfSamples, readPloidies, samplesToRead } from './readers/vcf/vcf-ploidies.ts';
import { readVcf } from './readers/vcf/vcf-reader.ts';

/** Allele of a missing call in {@link Haplotypes}. */
export const MISSING_ALLELE = 255;

/** Haplotypes of chosen samples, markers in file order. */
export interface Haplotypes {
  /** Ids as a panel of the same file has them. */
  ids: string[];
  /**
   * As many arrays a sample as it has homologs, one entry a marker: 1 = allele A2 of that marker, 0 = any other, {@link
   * MISSING_ALLELE} = missing.
   */
  alleles: Uint8Array[];
  /** Heterozygous calls without phase, by sample. */
  unphased: Int32Array;
}

export interface ReadHaplotypesOptions {
  /** Homologs of a plant; 2 unless told. */
  ploidy?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Bytes of the source taken so far, and all of them. */
  onProgress?: ((done: number, total: number) => void) | undefined;
}

/**
 * Reads the haplotypes of some samples of a VCF. The reader is that of panels, so that names, ids, and what becomes
 * of rows with several alternatives (one marker for each) are the same; only the order of the two alleles is kept as
 * well. Null when the file is not a VCF or lacks one of the samples.
 *
 * @throws FileFormatError when the VCF has errors
 */
export async function readHaplotypes(
  source: ByteSource,
  names: readonly string[],
  { ploidy = 2, signal, onProgress }: ReadHaplotypesOptions = {},
): Promise<Haplotypes | null> {
  const kind = await vcfKind(source);
  if (kind === null) return null;
  const text =
    kind.zipEntry === null
      ? source
      : zipEntrySource(await openZip(source), kind.zipEntry, GENOTYPE_LIMITS.maxInflatedBytes);
  const blocks = (memory?: () => Uint8Array) =>
    lineBlocks(text, {
      ...GENOTYPE_LIMITS,
      ...(memory === undefined ? {} : { memory }),
      signal,
      onRead: (done) => onProgress?.(done, text.size),
      onBgzipEnd: () => {},
    });
  const problems = new ProblemCollector();
  const read = async (differing: PloidiesOfSamples | null): Promise<HaplotypeCollector> => {
    const collector = new HaplotypeCollector(names, ploidy, problems);
    // The panel was read from this file: whoever did it has decided about calls of one allele.
    const rules = { multiallelic: 'split', haploidCalls: 'homozygous', polyploids: true, differing } as const;
    await readVcf(blocks, collector, problems, { ...rules, onLegacyText: () => {} });
    return collector;
  };
  const collector = await read(null).catch(async (reason: unknown) => {
    if (!(reason instanceof DifferentPloidies)) throw reason;
    return await read(samplesToRead(await readPloidies(blocks(), ploidy), ploidy, problems));
  });
  const error = problems.report().problems.find(({ severity }) => severity === 'error');
  if (error !== undefined) {
    const { code, message, suggestion, line, column, value } = error;
    throw new FileFormatError(code, { message, suggestion: suggestion ?? '', line, column, value });
  }
  return collector.finish();
}

/**
 * The kind of a VCF; null for any other file. A genotype that was read before can still be a PLINK `.bed`, which no
 * detection knows.
 */
async function vcfKind(source: ByteSource): Promise<FileKind | null> {
  try {
    const kind = await detectFileKind(source);
    return kind.format === 'vcf' ? kind : null;
  } catch (error) {
    if (error instanceof FileFormatError) return null;
    throw error;
  }
}

const NO_COUNTS = { missing: 0, het: 0, homA2: 0 };
const FIRST_MARKERS = 1024;

/** Keeps the alleles of the wanted samples, a byte a homolog and marker. */
class HaplotypeCollector implements MarkerSink {
  readonly needsAlleles = true;
  readonly lastHet = 0;
  readonly row = new Uint8Array(0);
  samples: string[] = [];
  readonly #wanted: readonly string[];
  readonly #ploidy: number;
  readonly #problems: ProblemCollector;
  readonly #markers = new MarkerColumns();
  readonly #unphased: Int32Array;
  #columns: number[] = [];
  #alleles: Uint8Array;

  constructor(wanted: readonly string[], ploidy: number, problems: ProblemCollector) {
    this.#wanted = wanted;
    this.#ploidy = ploidy;
    this.#problems = problems;
    this.#unphased = new Int32Array(wanted.length);
    this.#alleles = new Uint8Array(ploidy * wanted.length * FIRST_MARKERS);
  }

  async start(names: readonly string[], where: (index: number) => SamplePlace): Promise<void> {
    this.samples = checkedSamples(names, where, this.#problems);
    const columns = new Map(this.samples.map((name, i) => [name, i]));
    this.#columns = this.#wanted.map((name) => columns.get(normalizeName(name)) ?? -1);
  }

  add(marker: MarkerRecord, row?: RowAlleles, alternative?: number): void {
    if (row === undefined) throw new TypeError('haplotypes need the alleles of the row');
    let at = this.#place(marker);
    if (this.#ploidy > 2) {
      // Before the ploidy is known a line can only be without calls.
      this.#alleles.fill(MISSING_ALLELE, at, at + this.#ploidy * this.#columns.length);
      return;
    }
    for (const [parent, column] of this.#columns.entries()) {
      const first = row.first[column];
      const second = row.second[column];
      const isMissing = first === MISSING_ALLELE || second === MISSING_ALLELE;
      const u = first === alternative ? 1 : 0;
      const v = second === alternative ? 1 : 0;
      if (!isMissing && u !== v && row.unphased[column] === 1) this.#unphased[parent]++;
      this.#alleles[at++] = isMissing ? MISSING_ALLELE : u;
      this.#alleles[at++] = isMissing ? MISSING_ALLELE : v;
    }
  }

  addCopies(marker: MarkerRecord, calls: PolyploidCalls, alternative: number): void {
    const { alleles, unphased, ploidy } = calls;
    if (alleles === null) throw new TypeError('haplotypes need the alleles of the row');
    if (ploidy !== this.#ploidy) {
      throw new FileFormatError('E-GT-PLOIDY', {
        line: marker.line,
        value: String(ploidy),
        message: `The calls have ${ploidy} alleles, and the plants were read with ${this.#ploidy} copies of each chromosome.`,
        suggestion: 'Read the genotype again from this file.',
      });
    }
    let at = this.#place(marker);
    for (const [parent, column] of this.#columns.entries()) {
      let copies = 0;
      for (let k = 0; k < ploidy; k++, at++) {
        const allele = alleles[column * ploidy + k];
        const isCounted = allele === alternative;
        this.#alleles[at] = allele === MISSING_ALLELE ? MISSING_ALLELE : Number(isCounted);
        if (isCounted) copies++;
      }
      if (unphased[column] === 1 && copies > 0 && copies < ploidy) this.#unphased[parent]++;
    }
  }

  /** Where the alleles of a marker go. */
  #place(marker: MarkerRecord): number {
    const stride = this.#ploidy * this.#columns.length;
    const at = this.#markers.count * stride;
    this.#markers.push(marker, NO_COUNTS);
    if (at + stride > this.#alleles.length) {
      const larger = new Uint8Array(2 * this.#alleles.length);
      larger.set(this.#alleles);
      this.#alleles = larger;
    }
    return at;
  }

  async drain(): Promise<void> {}

  finish(): Haplotypes | null {
    if (this.#columns.includes(-1)) return null;
    const markers = this.#markers;
    markers.completeIds(() => {});
    const stride = this.#ploidy * this.#columns.length;
    return {
      ids: Array.from({ length: markers.count }, (_, j) => markers.ids.at(j) ?? ''),
      alleles: Array.from({ length: stride }, (_, h) =>
        Uint8Array.from({ length: markers.count }, (_, j) => this.#alleles[j * stride + h]),
      ),
      unphased: this.#unphased,
    };
  }
}
