import { readSync } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { nameFault, normalizeName } from '../names/normalize-name.ts';
import { columnLabel, fileProblem, type ProblemCollector } from '../problem.ts';
import { csvCell } from '../text/csv-cell.ts';
import { groupedNumber } from '../text/grouped-number.ts';
import { compareChromosomes } from './chromosome-order.ts';
import { type DuplicatePair, findDuplicateGenotypes } from './duplicate-genotypes.ts';
import type { MarkerTable } from './genotype-panel.ts';
import { GrowingFloat64, GrowingInt32 } from './growing-array.ts';
import { IdIndex } from './id-index.ts';
import { BED_MAGIC, packedLength } from './packed-calls.ts';
import { SampleCounter } from './sample-counter.ts';
import { counted } from './tally.ts';

/** Base pairs a centimorgan of the linkage-map template: the usual rule of thumb when nothing better is known. */
export const DEFAULT_BP_PER_CM = 1_000_000;

/** Chromosome of markers whose file gives none. */
export const UNKNOWN_CHROMOSOME = 'UN';

/** Allele whose name the file does not tell. */
export const UNKNOWN_ALLELE = '.';

/** One marker as a reader hands it over; its calls stand in the writer's `row`. */
export interface MarkerRecord {
  /** Null when the file gives no id, or when the id is shared by the parts of a split row: one is made from the position. */
  id: string | null;
  chromosome: string;
  /** Base pairs, 1-based; 0 when unknown. */
  positionBp: number;
  a1: string;
  a2: string;
  /** 1-based line of the file, 0 when a line has no meaning for the format. */
  line: number;
  /** True when several alternatives were split, so that position alone does not name the marker. */
  isSplit?: boolean;
}

/** Figures of every marker and sample, gathered while reading. Markers are in the order of the `.bed`. */
export interface GenotypeStats {
  /** Samples without a call, one entry a marker. */
  markerMissing: Int32Array;
  /** Heterozygous samples, one entry a marker. */
  markerHet: Int32Array;
  /** Copies of A2 among called samples, one entry a marker: frequency of A2 = copies / (2 × (samples − missing)). */
  markerA2Copies: Int32Array;
  /** Markers without a call, one entry a sample. */
  sampleMissing: Int32Array;
  /** Heterozygous markers, one entry a sample. */
  sampleHet: Int32Array;
}

/** Markers of one chromosome, in natural order of their names. */
export interface Contig {
  name: string;
  markerCount: number;
  /** Largest position in base pairs. */
  lastPositionBp: number;
}

/** What to do with the same variant twice under two ids: refuse the file, or keep both with a warning. */
export type DuplicatePositionRule = 'error' | 'keep';

export interface PanelWriterOptions {
  /** Files are written as `<prefix>.bed` and so on. */
  prefix: string;
  /** Name of the file that is read, for the head of the linkage-map template. */
  sourceName: string;
  duplicatePositions: DuplicatePositionRule;
  problems: ProblemCollector;
}

/** What {@link PanelWriter.finish} leaves behind. */
export interface WrittenPanel {
  markerCount: number;
  /** As the `.bim` has them. */
  markers: MarkerTable;
  contigs: Contig[];
  files: string[];
  stats: GenotypeStats;
  /** Samples with the same genotype, as `findDuplicateGenotypes` finds them. */
  duplicates: DuplicatePair[];
}

/** Rows are collected to this size before they are written. */
const WRITE_BLOCK_BYTES = 2 << 20;

const SAMPLE_CALLRATE_WARNING = 0.8;
/** A panel whose median heterozygosity lies below this is taken as inbred lines; a sample above the second figure stands out in it. */
const INBRED_MEDIAN_HET = 0.05;
const INBRED_OUTLIER_HET = 0.15;

/**
 * The one place where a read genotype becomes files: takes markers in file order, checks ids and positions, gathers figures, sorts,
 * and writes `.bed/.bim/.fam` with the lists beside them. Nothing keeps its final name until everything is written.
 */
export class PanelWriter {
  readonly #prefix: string;
  readonly #problems: ProblemCollector;
  readonly #sourceName: string;
  readonly #duplicatePositions: DuplicatePositionRule;
  readonly #temporary: string[] = [];

  samples: string[] = [];
  /** Packed calls of the marker about to be added, to be filled by the reader; unused bits of the last byte must be zero. */
  row: Uint8Array = new Uint8Array(0);
  #counter = new SampleCounter(0);

  #handle: FileHandle | null = null;
  #block = new Uint8Array(0);
  #spareBlock = new Uint8Array(0);
  #blockLength = 0;
  #writing: Promise<void> = Promise.resolve();
  #written = 0;

  readonly #ids: (string | null)[] = [];
  readonly #splitMarkers = new Set<number>();
  readonly #imputed = new Set<number>();
  readonly #indexOfId = new IdIndex(this.#ids);
  readonly #chromosomes: string[] = [];
  readonly #chromosomeIndex = new Map<string, number>();
  #lastChromosome = '';
  #lastChromosomeIndex = -1;
  readonly #chromosomeOf = new GrowingInt32();
  readonly #positions = new GrowingFloat64();
  readonly #lines = new GrowingInt32();
  readonly #a1: string[] = [];
  readonly #a2: string[] = [];
  readonly #missing = new GrowingInt32();
  readonly #het = new GrowingInt32();
  readonly #a2Copies = new GrowingInt32();

  constructor(options: PanelWriterOptions) {
    this.#prefix = options.prefix;
    this.#sourceName = options.sourceName;
    this.#duplicatePositions = options.duplicatePositions;
    this.#problems = options.problems;
  }

  get markerCount(): number {
    return this.#ids.length;
  }

  /** Heterozygous calls of the marker added last. */
  get lastHet(): number {
    return this.#counter.counts.het;
  }

  /**
   * Takes the sample names (in file order) and opens the temporary file. Names are normalised as everywhere; `where` tells the place of a
   * sample for messages. Reports E-NAME-EMPTY, E-NAME and E-GT-DUP-SAMPLE.
   */
  async start(names: readonly string[], where: (index: number) => SamplePlace): Promise<void> {
    this.samples = checkedSamples(names, where, this.#problems);
    const rowBytes = packedLength(names.length);
    this.#counter = new SampleCounter(names.length);
    this.row = this.#counter.row;
    const rowsInBlock = Math.max(1, Math.floor(WRITE_BLOCK_BYTES / Math.max(1, rowBytes)));
    this.#block = new Uint8Array(rowsInBlock * rowBytes);
    this.#spareBlock = new Uint8Array(rowsInBlock * rowBytes);
    await this.makeFolder();
    const path = this.#temporaryPath('bed');
    this.#handle = await open(path, 'w+');
    await this.#handle.write(BED_MAGIC, 0, BED_MAGIC.length, 0);
  }

  /** Makes the folder of the files; `start` does it too. */
  async makeFolder(): Promise<void> {
    await mkdir(dirname(this.#prefix), { recursive: true });
  }

  /** Takes the marker whose calls stand in `row`. Reports E-GT-DUP-MARKER. Call `drain` now and then: rows wait in memory until then. */
  add(marker: MarkerRecord): void {
    const index = this.#ids.length;
    let { id } = marker;
    if (id !== null) {
      const earlier = this.#indexOfId.find(id);
      if (earlier !== undefined) {
        if (!this.#isAt(earlier, marker)) this.#reportDuplicateId(id, earlier, marker);
        id = null;
        this.#splitMarkers.add(index);
      }
    }
    if (marker.isSplit === true) this.#splitMarkers.add(index);
    this.#ids.push(id);
    if (id !== null) this.#indexOfId.add(id, index);
    this.#chromosomeOf.push(this.#indexOfChromosome(marker.chromosome));
    this.#positions.push(marker.positionBp);
    this.#lines.push(marker.line);
    this.#a1.push(marker.a1);
    this.#a2.push(marker.a2);

    this.#counter.add();
    const { missing, het, homA2 } = this.#counter.counts;
    this.#missing.push(missing);
    this.#het.push(het);
    this.#a2Copies.push(het + 2 * homA2);

    // With errors nothing will be kept, so the calls need not be stored; checking goes on.
    if (this.#problems.errorCount > 0) return;
    if (this.#blockLength + this.row.length > this.#block.length) {
      const larger = new Uint8Array(2 * this.#block.length);
      larger.set(this.#block);
      this.#block = larger;
    }
    this.#block.set(this.row, this.#blockLength);
    this.#blockLength += this.row.length;
  }

  /** Writes waiting rows once there are enough of them; one write runs while the next rows are read. */
  async drain(): Promise<void> {
    if (this.#blockLength >= WRITE_BLOCK_BYTES / 2) await this.#flush();
  }

  async #flush(): Promise<void> {
    await this.#writing;
    if (this.#problems.errorCount > 0 || this.#handle === null || this.#blockLength === 0) return;
    const bytes = this.#block.subarray(0, this.#blockLength);
    const at = BED_MAGIC.length + this.#written;
    this.#written += bytes.length;
    this.#writing = writeAll(this.#handle, bytes, at);
    this.#writing.catch(() => {}); // thrown by the next flush, which awaits the same promise
    [this.#block, this.#spareBlock] = [this.#spareBlock, this.#block];
    this.#blockLength = 0;
  }

  /** Throws everything away; safe to call at any time. */
  async abandon(): Promise<void> {
    await this.#writing.catch(() => {}); // the file goes away; why its last write failed is already being reported
    await this.#handle?.close();
    this.#handle = null;
    await Promise.all(this.#temporary.map((path) => rm(path, { force: true })));
  }

  /**
   * Ends the reading: imputes ids, sorts, reports what only the whole file tells (E-GT-DUP-POS, E-EMPTY and the warnings), and writes
   * the files. Returns null, with nothing left on disk, when there are errors.
   */
  async finish(): Promise<WrittenPanel | null> {
    await this.#flush();
    await this.#writing;
    this.#counter.finish();
    if (this.markerCount === 0 && this.#problems.errorCount === 0) {
      this.#problems.error('E-EMPTY', {
        message: 'The file has a header but no markers.',
        suggestion: 'Export the genotypes again; only the column names were written.',
      });
    }
    this.#imputeIds();
    const order = this.#order();
    this.#checkPositions(order);
    this.#warnAboutMarkers();
    this.#warnAboutSamples();
    if (this.#problems.errorCount > 0 || this.#handle === null) {
      await this.abandon();
      return null;
    }
    const duplicates = await this.#warnAboutDuplicateGenotypes(this.#handle);
    const sorted = isIdentity(order) ? null : order;
    if (sorted !== null) await this.#rewriteInOrder(this.#handle, sorted);
    await this.#handle?.close();
    this.#handle = null;
    const contigs = this.#contigs();
    const files = await this.#writeLists(sorted, contigs);
    return {
      markerCount: this.markerCount,
      markers: this.#markers(sorted),
      contigs,
      files,
      stats: this.#stats(sorted),
      duplicates,
    };
  }

  #temporaryPath(extension: string): string {
    const path = `${this.#prefix}.${extension}.part`;
    this.#temporary.push(path);
    return path;
  }

  #indexOfChromosome(name: string): number {
    if (name === this.#lastChromosome) return this.#lastChromosomeIndex;
    let index = this.#chromosomeIndex.get(name);
    if (index === undefined) {
      index = this.#chromosomes.length;
      this.#chromosomes.push(name);
      this.#chromosomeIndex.set(name, index);
    }
    this.#lastChromosome = name;
    this.#lastChromosomeIndex = index;
    return index;
  }

  /** Whether a marker has the known position of an earlier one: then they are two variants of one place that share their id. */
  #isAt(index: number, marker: MarkerRecord): boolean {
    return (
      marker.positionBp > 0 &&
      this.#positions.at(index) === marker.positionBp &&
      this.#chromosomes[this.#chromosomeOf.at(index)] === marker.chromosome
    );
  }

  #reportDuplicateId(id: string, earlier: number, marker: MarkerRecord): void {
    const firstLine = this.#lines.at(earlier);
    const where = firstLine > 0 ? `line ${firstLine}` : `marker ${earlier + 1}`;
    const places =
      marker.positionBp > 0
        ? `first in ${where} (${this.#place(earlier)}), again at ${marker.chromosome}:${marker.positionBp}`
        : `first in ${where}, again without a position that tells them apart`;
    this.#problems.error('E-GT-DUP-MARKER', {
      line: marker.line > 0 ? marker.line : null,
      column: 'ID',
      value: id,
      message: `Marker id "${id}" is used twice: ${places}.`,
      suggestion: 'Give each marker an id of its own, or remove one of the two.',
    });
  }

  #place(index: number): string {
    return `${this.#chromosomes[this.#chromosomeOf.at(index)]}:${this.#positions.at(index)}`;
  }

  /** Whether the marker's id is from the file. */
  #hasOwnId(index: number): boolean {
    return !this.#imputed.has(index);
  }

  /** Missing ids become `chrom@pos`, or `chrom_pos_ref_alt` where several markers share the position (FORMATS §2). */
  #imputeIds(): void {
    let imputed = 0;
    let example = '';
    let firstLine = 0;
    for (let i = 0; i < this.#ids.length; i++) {
      if (this.#ids[i] !== null) continue;
      const chromosome = this.#chromosomes[this.#chromosomeOf.at(i)];
      const position = this.#positions.at(i);
      const withAlleles = `${chromosome}_${position}_${this.#a1[i]}_${this.#a2[i]}`;
      let id = this.#splitMarkers.has(i) ? withAlleles : `${chromosome}@${position}`;
      if (this.#indexOfId.find(id) !== undefined) id = withAlleles;
      for (let copy = 2; this.#indexOfId.find(id) !== undefined; copy++) id = `${withAlleles}_${copy}`;
      this.#ids[i] = id;
      this.#indexOfId.add(id, i);
      this.#imputed.add(i);
      if (imputed++ === 0) {
        example = id;
        firstLine = this.#lines.at(i);
      }
    }
    if (imputed > 0) {
      this.#problems.warning('W-GT-ID-IMPUTED', {
        line: firstLine > 0 ? firstLine : null,
        column: 'ID',
        value: example,
        message: `${counted(imputed, 'marker')} had no id of their own; ids were made from chromosome and position, for example ${example}.`,
        suggestion: 'Nothing to do, unless other files of yours use other ids for these markers.',
      });
    }
  }

  /** Marker indices by natural chromosome order, then position, then file order; reports W-GT-UNSORTED. */
  #order(): Uint32Array {
    const count = this.markerCount;
    const chromosomeOf = this.#chromosomeOf.values;
    const positions = this.#positions.values;
    const rank = new Int32Array(this.#chromosomes.length);
    const names = [...this.#chromosomes.keys()].sort((a, b) =>
      compareChromosomes(this.#chromosomes[a], this.#chromosomes[b]),
    );
    for (const [place, index] of names.entries()) rank[index] = place;

    const order = new Uint32Array(count);
    let firstUnsorted = -1;
    for (let i = 0; i < count; i++) {
      order[i] = i;
      if (i === 0 || firstUnsorted >= 0) continue;
      const step = rank[chromosomeOf[i]] - rank[chromosomeOf[i - 1]];
      if (step < 0 || (step === 0 && positions[i] < positions[i - 1])) firstUnsorted = i;
    }
    if (firstUnsorted < 0) return order;
    order.sort((a, b) => rank[chromosomeOf[a]] - rank[chromosomeOf[b]] || positions[a] - positions[b] || a - b);
    const line = this.#lines.at(firstUnsorted);
    this.#problems.warning('W-GT-UNSORTED', {
      line: line > 0 ? line : null,
      value: this.#place(firstUnsorted),
      message: `Markers are not in order of chromosome and position (first at ${this.#place(firstUnsorted)}); they were sorted.`,
      suggestion: 'Nothing to do: the original file is kept as it is.',
    });
    return order;
  }

  #checkPositions(order: Uint32Array): void {
    const chromosomeOf = this.#chromosomeOf.values;
    const positions = this.#positions.values;
    const lines = this.#lines.values;
    const duplicates: { first: number; again: number }[] = [];
    for (let start = 0; start < order.length; ) {
      let end = start + 1;
      const head = order[start];
      while (
        end < order.length &&
        positions[order[end]] === positions[head] &&
        chromosomeOf[order[end]] === chromosomeOf[head]
      ) {
        end++;
      }
      if (end - start > 1 && positions[head] > 0) {
        const seen = new Map<string, number>();
        for (const index of order.subarray(start, end)) {
          // Alleles without a name cannot tell two variants at one place apart.
          if (this.#a1[index] === UNKNOWN_ALLELE && this.#a2[index] === UNKNOWN_ALLELE) continue;
          const alleles = `${this.#a1[index]}>${this.#a2[index]}`;
          const first = seen.get(alleles);
          if (first === undefined) seen.set(alleles, index);
          else duplicates.push({ first, again: index });
        }
      }
      start = end;
    }
    duplicates.sort((a, b) => a.again - b.again);
    for (const { first, again } of duplicates) {
      const line = lines[again] ?? 0;
      const where = lines[first] > 0 ? `line ${lines[first]}` : `marker ${first + 1} (${this.#ids[first]})`;
      const isKept = this.#duplicatePositions === 'keep' && this.#hasOwnId(first) && this.#hasOwnId(again);
      this.#problems.add(
        fileProblem(isKept ? 'warning' : 'error', isKept ? 'W-GT-DUP-POS' : 'E-GT-DUP-POS', {
          line: line > 0 ? line : null,
          column: 'POS',
          value: `${this.#place(again)} ${this.#a1[again]}/${this.#a2[again]}`,
          message: `The same variant (${this.#place(again)}, alleles ${this.#a1[again]} and ${this.#a2[again]}) stands in the file twice; first in ${where}.`,
          suggestion: isKept ? 'Both are kept, since each has an id of its own.' : 'Keep one of the two rows.',
        }),
      );
    }
  }

  #warnAboutMarkers(): void {
    const sampleCount = this.samples.length;
    let monomorphic = 0;
    for (let i = 0; i < this.markerCount; i++) {
      const called = sampleCount - this.#missing.at(i);
      const copies = this.#a2Copies.at(i);
      if (copies === 0 || copies === 2 * called) monomorphic++;
    }
    if (monomorphic > 0) {
      this.#problems.warning('W-GT-MONO', {
        message: `${counted(monomorphic, 'marker')} of ${groupedNumber(this.markerCount)} ${monomorphic === 1 ? 'has' : 'have'} only one allele in this panel.`,
        suggestion: 'They are kept; analyses leave them out.',
      });
    }
  }

  #warnAboutSamples(): void {
    const markerCount = this.markerCount;
    if (markerCount === 0) return;
    const { sampleMissing, sampleHet } = this.#counter;
    const low: string[] = [];
    const het = new Float64Array(this.samples.length);
    for (let i = 0; i < this.samples.length; i++) {
      const called = markerCount - sampleMissing[i];
      if (called / markerCount < SAMPLE_CALLRATE_WARNING) {
        low.push(`${this.samples[i]} (${(called / markerCount).toFixed(2)})`);
      }
      het[i] = called === 0 ? 0 : sampleHet[i] / called;
    }
    if (low.length > 0) {
      this.#problems.warning('W-GT-CALLRATE', {
        value: low[0] ?? null,
        message: `${counted(low.length, 'sample')} ${low.length === 1 ? 'has' : 'have'} a call rate below ${SAMPLE_CALLRATE_WARNING}: ${shortList(low)}.`,
        suggestion: 'Missing calls are imputed in analyses; consider leaving out samples with very few calls.',
      });
    }
    const median = Float64Array.from(het).sort()[het.length >> 1] ?? 0;
    const outliers = this.samples.flatMap((name, i) =>
      het[i] > INBRED_OUTLIER_HET ? [`${name} (${het[i].toFixed(2)})`] : [],
    );
    if (median < INBRED_MEDIAN_HET && outliers.length > 0) {
      this.#problems.warning('W-GT-HET', {
        value: outliers[0] ?? null,
        message: `The panel looks inbred (median heterozygosity ${median.toFixed(3)}), but ${counted(outliers.length, 'sample')} ${outliers.length === 1 ? 'is' : 'are'} above ${INBRED_OUTLIER_HET}: ${shortList(outliers)}.`,
        suggestion: 'Check these samples for mixtures, outcrosses or swapped tubes.',
      });
    }
  }

  async #warnAboutDuplicateGenotypes(handle: FileHandle): Promise<DuplicatePair[]> {
    const pairs = await findDuplicateGenotypes({
      sampleCount: this.samples.length,
      markerMissing: this.#missing.values,
      markerA2Copies: this.#a2Copies.values,
      // Written a moment ago: it takes microseconds, and a thousand promises would take longer.
      readRow: (index, into) => {
        readSync(handle.fd, into, 0, into.length, BED_MAGIC.length + index * into.length);
      },
    });
    const listed = pairs.slice(0, 100);
    for (const { first, second, identity } of listed) {
      const names = `${this.samples[first]} and ${this.samples[second]}`;
      this.#problems.warning('W-GT-DUPLICATE-GENOTYPE', {
        value: names,
        message: `${names} have the same genotype (${(100 * identity).toFixed(1)} % of the compared calls agree).`,
        suggestion: 'Check whether one line was genotyped twice or two tubes were swapped.',
      });
    }
    if (pairs.length > listed.length) {
      this.#problems.warning('W-GT-DUPLICATE-GENOTYPE', {
        message: `${groupedNumber(pairs.length - listed.length)} more pairs of samples have the same genotype.`,
      });
    }
    return pairs;
  }

  /** Writes the rows anew in the given order, reading them in groups so that memory stays flat whatever the size. */
  async #rewriteInOrder(unsorted: FileHandle, order: Uint32Array): Promise<void> {
    const rowBytes = this.row.length;
    const path = this.#temporaryPath('sorted.bed');
    const handle = await open(path, 'w');
    try {
      await writeAll(handle, BED_MAGIC, 0);
      const rowsInGroup = Math.max(1, Math.floor((8 << 20) / rowBytes));
      const group = new Uint8Array(rowsInGroup * rowBytes);
      for (let first = 0; first < order.length; first += rowsInGroup) {
        const wanted = order.subarray(first, first + rowsInGroup);
        await gatherRows(unsorted, wanted, rowBytes, group);
        const bytes = group.subarray(0, wanted.length * rowBytes);
        await writeAll(handle, bytes, BED_MAGIC.length + first * rowBytes);
      }
    } finally {
      await handle.close();
    }
    await unsorted.close();
    this.#handle = null;
    await rename(path, `${this.#prefix}.bed.part`);
  }

  #contigs(): Contig[] {
    const contigs = this.#chromosomes.map((name) => ({ name, markerCount: 0, lastPositionBp: 0 }));
    const positions = this.#positions.values;
    for (let i = 0; i < positions.length; i++) {
      const contig = contigs[this.#chromosomeOf.at(i)];
      contig.markerCount++;
      contig.lastPositionBp = Math.max(contig.lastPositionBp, positions[i]);
    }
    return contigs.sort((a, b) => compareChromosomes(a.name, b.name));
  }

  async #writeLists(order: Uint32Array | null, contigs: Contig[]): Promise<string[]> {
    const fam = this.samples.map((name) => `0\t${name}\t0\t0\t0\t-9\n`);
    await writeFile(this.#temporaryPath('fam'), fam.join(''));
    await writeFile(
      this.#temporaryPath('samples.csv'),
      `sample\n${this.samples.map((s) => `${csvCell(s)}\n`).join('')}`,
    );
    await writeFile(
      this.#temporaryPath('contigs.csv'),
      `contig,markers,last_position_bp\n${contigs.map((c) => `${csvCell(c.name)},${c.markerCount},${c.lastPositionBp}\n`).join('')}`,
    );
    await this.#writeMarkerList('bim', order, '', (i) => {
      const chromosome = this.#chromosomes[this.#chromosomeOf.at(i)];
      return `${chromosome}\t${this.#ids[i]}\t0\t${this.#positions.at(i)}\t${bimAllele(this.#a1[i])}\t${bimAllele(this.#a2[i])}\n`;
    });
    await this.#writeMarkerList('snpids.csv', order, 'snpid\n', (i) => `${csvCell(this.#ids[i])}\n`);
    await this.#writeMarkerList('linkmaptemp.csv', order, templateHead(this.#sourceName), (i) => {
      const chromosome = this.#chromosomes[this.#chromosomeOf.at(i)];
      const positionBp = this.#positions.at(i);
      const positionCm = positionBp > 0 ? String(positionBp / DEFAULT_BP_PER_CM) : '';
      return `${csvCell(chromosome)},${positionBp > 0 ? positionBp : ''},${csvCell(this.#ids[i])},${positionCm}\n`;
    });
    const extensions = ['bed', 'bim', 'fam', 'samples.csv', 'contigs.csv', 'snpids.csv', 'linkmaptemp.csv'];
    for (const extension of extensions)
      await rename(`${this.#prefix}.${extension}.part`, `${this.#prefix}.${extension}`);
    return extensions.map((extension) => `${this.#prefix}.${extension}`);
  }

  async #writeMarkerList(
    extension: string,
    order: Uint32Array | null,
    head: string,
    lineOf: (index: number) => string,
  ): Promise<void> {
    const handle = await open(this.#temporaryPath(extension), 'w');
    try {
      await handle.write(head);
      const linesInGroup = 20_000;
      for (let first = 0; first < this.markerCount; first += linesInGroup) {
        let text = '';
        const last = Math.min(first + linesInGroup, this.markerCount);
        for (let i = first; i < last; i++) text += lineOf(order === null ? i : order[i]);
        await handle.write(text);
      }
    } finally {
      await handle.close();
    }
  }

  #markers(order: Uint32Array | null): MarkerTable {
    const place = (i: number) => (order === null ? i : order[i]);
    const listed = (valueOf: (marker: number) => string) =>
      Array.from({ length: this.markerCount }, (_, i) => valueOf(place(i)));
    const positions = this.#positions.values;
    return {
      id: listed((i) => this.#ids[i] ?? UNKNOWN_ALLELE),
      chromosome: listed((i) => this.#chromosomes[this.#chromosomeOf.at(i)]),
      positionBp: order === null ? positions : Float64Array.from(order, (i) => positions[i]),
      a1: listed((i) => this.#a1[i]),
      a2: listed((i) => this.#a2[i]),
    };
  }

  #stats(order: Uint32Array | null): GenotypeStats {
    const inOrder = (values: Int32Array) =>
      order === null ? values.slice() : Int32Array.from(order, (i) => values[i]);
    return {
      markerMissing: inOrder(this.#missing.values),
      markerHet: inOrder(this.#het.values),
      markerA2Copies: inOrder(this.#a2Copies.values),
      sampleMissing: this.#counter.sampleMissing,
      sampleHet: this.#counter.sampleHet,
    };
  }
}

/** Where a sample's name stands in the file. */
export interface SamplePlace {
  line: number | null;
  /** 0-based column, when names stand in a header row. */
  column: number | null;
}

function checkedSamples(
  names: readonly string[],
  where: (index: number) => SamplePlace,
  problems: ProblemCollector,
): string[] {
  const firstIndex = new Map<string, number>();
  return names.map((raw, i) => {
    const name = normalizeName(raw);
    const { line, column } = where(i);
    const place = { line, column: column === null ? null : columnLabel(name, column), value: raw };
    const fault = nameFault(raw);
    if (fault !== null) {
      problems.error(name === '' ? 'E-NAME-EMPTY' : 'E-NAME', {
        ...place,
        message: `${fault} (sample ${i + 1}).`,
        suggestion: 'Give the sample a short plain name.',
      });
      return name;
    }
    const earlier = firstIndex.get(name);
    if (earlier === undefined) {
      firstIndex.set(name, i);
      return name;
    }
    const first = where(earlier);
    const firstPlace = first.column === null ? `line ${first.line}` : `column ${columnLabel('', first.column)}`;
    const again = column === null ? `line ${line}` : `column ${columnLabel('', column)}`;
    problems.error('E-GT-DUP-SAMPLE', {
      ...place,
      message: `Sample "${name}" stands in the file twice: ${firstPlace} and ${again}.`,
      suggestion: 'Rename or remove one of the two; repeats of one line need names of their own.',
    });
    return name;
  });
}

/** PLINK writes 0 for an allele without a name. */
function bimAllele(allele: string): string {
  return allele === UNKNOWN_ALLELE ? '0' : allele;
}

function templateHead(sourceName: string): string {
  const source = sourceName.replaceAll(/[\r\n]/g, ' ');
  return `# linkMapPos in cM, computed as physPos / ${DEFAULT_BP_PER_CM} bp per cM; source: ${source}\nchr,physPos,SNPid,linkMapPos\n`;
}

async function writeAll(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

/** Reads rows in the order of `wanted` into `into`; rows that lie side by side in the file are read together. */
async function gatherRows(handle: FileHandle, wanted: Uint32Array, rowBytes: number, into: Uint8Array): Promise<void> {
  for (let i = 0; i < wanted.length; ) {
    let count = 1;
    while (i + count < wanted.length && wanted[i + count] === wanted[i] + count) count++;
    await handle.read(into, i * rowBytes, count * rowBytes, BED_MAGIC.length + wanted[i] * rowBytes);
    i += count;
  }
}

function isIdentity(order: Uint32Array): boolean {
  return order.every((index, i) => index === i);
}

function shortList(items: readonly string[]): string {
  const shown = items.slice(0, 10).join(', ');
  return items.length > 10 ? `${shown} and ${items.length - 10} more` : shown;
}
