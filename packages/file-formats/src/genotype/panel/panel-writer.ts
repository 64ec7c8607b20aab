import { readSync } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { FileFormatError, type ProblemCollector } from '../../problem.ts';
import { LineWriter } from '../../text/line-writer.ts';
import type { GenotypeStats } from '../genotype-stats.ts';
import type { KernelMemory } from '../kernels/genotype-kernels.ts';
import { ploidiesInWords } from '../ploidies.ts';
import { subgenomesOf } from '../subgenomes/subgenomes.ts';
import { compareChromosomes } from './chromosome-order.ts';
import { DosageRows } from './dosage-file.ts';
import { classOfCopies, DOSAGE_UNITS, type FractionalCount, nearestCall, POLYPLOID_UNITS } from './dosages.ts';
import { type DuplicateGenotypes, findDuplicateGenotypes, withinPloidy } from './duplicate-genotypes.ts';
import type { MarkerTable } from './genotype-panel.ts';
import { MarkerColumns, type MarkerRecord } from './marker-columns.ts';
import type { MarkerSink, PolyploidCalls } from './marker-sink.ts';
import { type AlleleOrder, BED_MAGIC, exchangeAlleles, packedLength } from './packed-calls.ts';
import {
  checkedSamples,
  checkMarkers,
  checkPositions,
  checkSharedId,
  type DuplicatePositionRule,
  reportImputedIds,
  type SamplePlace,
  warnAboutDuplicates,
  warnAboutMarkers,
  warnAboutSamples,
} from './panel-findings.ts';
import { type Contig, contigsOf, panelLists } from './panel-lists.ts';
import { MISSING_NIBBLE, PolyploidRows, packClasses, packClassesOf } from './polyploid-file.ts';
import { gatherRows, writeAll } from './row-files.ts';
import { SampleCounter } from './sample-counter.ts';
import { counted } from './tally.ts';

export interface PanelWriterOptions {
  /** Files are written as `<prefix>.bed` and so on. */
  prefix: string;
  /** Name of the file that is read, for the head of the linkage-map template. */
  sourceName: string;
  duplicatePositions: DuplicatePositionRule;
  alleleOrder: AlleleOrder;
  problems: ProblemCollector;
}

/** The panel that {@link PanelWriter.finish} has written. */
export interface WrittenPanel {
  markerCount: number;
  /** As the `.bim` has them. */
  markers: MarkerTable;
  contigs: Contig[];
  files: string[];
  stats: GenotypeStats;
  /** Samples with the same genotype, as `findDuplicateGenotypes` finds them. */
  duplicates: DuplicateGenotypes;
  /** Null for a panel of whole numbers. */
  fractional: FractionalCount | null;
  /** Copies of A2 in a homozygote, the highest where samples differ. */
  ploidy: number;
}

/** Rows are collected to this size before they are written. */
const WRITE_BLOCK_BYTES = 2 << 20;

/**
 * Turns the markers of any reader into files: takes them in file order, checks ids and positions, counts calls,
 * sorts, and writes `.bed/.bim/.fam` and the lists. Files get their final names only when all of them are complete.
 */
export class PanelWriter implements MarkerSink {
  readonly needsAlleles = false;
  readonly #prefix: string;
  readonly #problems: ProblemCollector;
  readonly #sourceName: string;
  readonly #duplicatePositions: DuplicatePositionRule;
  readonly #alleleOrder: AlleleOrder;
  readonly #temporary: string[] = [];

  samples: string[] = [];
  /**
   * Packed calls of the marker about to be added, to be filled by the reader; unused bits of the last byte must be
   * zero.
   */
  row: Uint8Array = new Uint8Array(0);
  #counter = new SampleCounter(0);
  #dosages: DosageRows | null = null;
  #polyploid: PolyploidRows | null = null;
  readonly #markers = new MarkerColumns();

  #handle: FileHandle | null = null;
  #block = new Uint8Array(0);
  #spareBlock = new Uint8Array(0);
  #blockLength = 0;
  #writing: Promise<void> = Promise.resolve();
  #written = 0;

  constructor(options: PanelWriterOptions) {
    this.#prefix = options.prefix;
    this.#sourceName = options.sourceName;
    this.#duplicatePositions = options.duplicatePositions;
    this.#alleleOrder = options.alleleOrder;
    this.#problems = options.problems;
  }

  get markerCount(): number {
    return this.#markers.count;
  }

  /** Heterozygous calls of the marker added last. */
  get lastHet(): number {
    return this.#counter.counts.het;
  }

  /**
   * Takes the sample names (in file order) and opens the temporary file. Names are normalised as everywhere; `where`
   * tells the place of a sample for messages. Reports E-NAME-EMPTY, E-NAME-INVALID and E-GT-DUP-SAMPLE. `row` lies in
   * `memory`, which has `SampleCounter.memoryFor` bytes left.
   */
  async start(names: readonly string[], where: (index: number) => SamplePlace, memory?: KernelMemory): Promise<void> {
    this.samples = checkedSamples(names, where, this.#problems);
    const rowBytes = packedLength(names.length);
    this.#counter = new SampleCounter(names.length, memory);
    this.row = this.#counter.row;
    this.#dosages = new DosageRows(this.#temporaryPath('dosage.rows'), names.length);
    const rowsInBlock = Math.max(1, Math.floor(WRITE_BLOCK_BYTES / Math.max(1, rowBytes)));
    this.#block = new Uint8Array(rowsInBlock * rowBytes);
    this.#spareBlock = new Uint8Array(rowsInBlock * rowBytes);
    await this.makeFolder();
    const path = this.#temporaryPath('bed');
    this.#handle = await open(path, 'w+');
    await writeAll(this.#handle, BED_MAGIC, 0);
  }

  /** Makes the folder of the files; `start` does it too. */
  async makeFolder(): Promise<void> {
    await mkdir(dirname(this.#prefix), { recursive: true });
  }

  /** Adds the marker whose calls are in `row`. Rows stay in memory until `drain` is called. */
  add(marker: MarkerRecord): void {
    this.#counter.add();
    this.#markers.push(marker, this.#counter.counts);

    // After an error the files will be thrown away: the calls are checked, but no longer stored.
    if (this.#problems.errorCount > 0) return;
    if (this.#blockLength + this.row.length > this.#block.length) {
      const larger = new Uint8Array(2 * this.#block.length);
      larger.set(this.#block);
      this.#block = larger;
    }
    this.#block.set(this.row, this.#blockLength);
    this.#blockLength += this.row.length;
  }

  /**
   * Takes a marker by its dosages in units, one a sample. The nearest calls become its row; the dosages are kept
   * where one of them is a fraction.
   */
  addDosages(marker: MarkerRecord, units: Uint16Array): void {
    const { row } = this;
    row.fill(0);
    for (let i = 0; i < units.length; i++) row[i >> 2] |= nearestCall(units[i]) << (2 * (i & 3));
    if (this.#problems.errorCount === 0) this.#dosages?.add(this.markerCount, units);
    this.add(marker);
  }

  /** Takes a marker of polyploids. Markers before the first of them had no call. */
  addCopies(marker: MarkerRecord, { ploidy, ploidies, codes, copies }: PolyploidCalls): void {
    const { row } = this;
    if (this.#polyploid === null) {
      this.#requireNoCalls(marker, ploidy);
      const path = this.#temporaryPath('dosage.rows');
      this.#polyploid = new PolyploidRows(path, this.samples.length, ploidy, ploidies ?? null);
      const missing = new Uint8Array(this.samples.length).fill(MISSING_NIBBLE);
      for (let before = 0; before < this.markerCount; before++) this.#polyploid.addWhole(missing);
    }
    if (codes === null) {
      row.fill(0);
      for (let i = 0; i < copies.length; i++)
        row[i >> 2] |= classOfCopies(copies[i], ploidies?.[i] ?? ploidy) << (2 * (i & 3));
    } else if (ploidies === undefined) packClasses(codes, ploidy, row);
    else packClassesOf(codes, ploidies, row);
    if (this.#problems.errorCount === 0) {
      if (codes === null) this.#polyploid.add(copies);
      else this.#polyploid.addWhole(codes);
    }
    this.add(marker);
  }

  /** Markers before the first of polyploids were read as those of diploids. */
  #requireNoCalls({ line }: MarkerRecord, ploidy: number): void {
    const { missing } = this.#markers;
    for (let before = 0; before < this.markerCount; before++) {
      if (missing.at(before) === this.samples.length) continue;
      throw new FileFormatError('E-GT-PLOIDY', {
        line,
        message: `The calls of this line have ${ploidy} alleles, and lines before it with dosages do not tell the ploidy.`,
        suggestion: `Say the ploidy of the plants (heterosis --ploidy ${ploidy}).`,
      });
    }
  }

  /** Writes the rows in memory once there are enough of them. The write runs while the next rows are read. */
  async drain(): Promise<void> {
    await this.#dosages?.drain();
    await this.#polyploid?.drain();
    if (this.#blockLength >= WRITE_BLOCK_BYTES / 2) await this.#flush();
  }

  async #flush(): Promise<void> {
    await this.#writing;
    if (this.#problems.errorCount > 0 || this.#handle === null || this.#blockLength === 0) return;
    const rows = this.#block.subarray(0, this.#blockLength);
    const bytes = this.#alleleOrder === 'ref-first' ? rows : exchangeAlleles(rows, this.samples.length);
    const at = BED_MAGIC.length + this.#written;
    this.#written += bytes.length;
    this.#writing = writeAll(this.#handle, bytes, at);
    this.#writing.catch(() => {}); // thrown by the next flush, which awaits the same promise
    [this.#block, this.#spareBlock] = [this.#spareBlock, this.#block];
    this.#blockLength = 0;
  }

  /** Deletes all temporary files; safe to call at any time. */
  async abandon(): Promise<void> {
    await this.#writing.catch(() => {}); // the file goes away; why its last write failed is already being reported
    await this.#handle?.close();
    this.#handle = null;
    await this.#dosages?.close();
    await this.#polyploid?.close();
    await Promise.all(this.#temporary.map((path) => rm(path, { force: true })));
  }

  /**
   * Ends the reading: imputes ids, sorts, reports what only the whole file tells (E-GT-DUP-MARKER, E-GT-DUP-POS,
   * E-EMPTY and the warnings), and writes the files. Returns null, with nothing left on disk, when there are errors.
   */
  async finish(): Promise<WrittenPanel | null> {
    await this.#flush();
    await this.#writing;
    this.#counter.finish();
    const problems = this.#problems;
    const markers = this.#markers;
    if (markers.count === 0 && problems.errorCount === 0) {
      problems.error('E-EMPTY', {
        message: 'The file has a header but no markers.',
        suggestion: 'Export the genotypes again; only the column names were written.',
      });
    }
    checkMarkers(markers, problems);
    markers.completeIds((marker, earlier, id) => checkSharedId(marker, earlier, id, markers, problems));
    reportImputedIds(markers, problems);
    const order = this.#order();
    checkPositions(markers, order, this.#duplicatePositions, problems);
    const fractional = new Set(
      this.#polyploid?.fractionalMarkers() ?? Array.from(this.#dosages?.sums() ?? [], ([marker]) => marker),
    );
    warnAboutMarkers(markers, this.samples.length, fractional, problems);
    warnAboutSamples(this.samples, this.#counter, markers.count, problems);
    if (problems.errorCount > 0 || this.#handle === null) {
      await this.abandon();
      return null;
    }
    const duplicates = withinPloidy(await this.#duplicates(this.#handle), this.#polyploid?.ploidies);
    warnAboutDuplicates(this.samples, duplicates.pairs, problems);
    this.#reportDosages();
    const sorted = isIdentity(order) ? null : order;
    if (sorted !== null) await this.#rewriteInOrder(this.#handle, sorted);
    await this.#handle?.close();
    this.#handle = null;
    return {
      markerCount: markers.count,
      markers: markers.table(sorted),
      contigs: contigsOf(markers),
      files: await this.#writeLists(sorted),
      stats: this.#stats(sorted),
      duplicates,
      fractional: this.#fractional(),
      ploidy: this.#polyploid?.ploidy ?? 2,
    };
  }

  #fractional(): FractionalCount | null {
    const rows = this.#polyploid ?? this.#dosages;
    return rows === null || rows.markerCount === 0 ? null : { calls: rows.callCount, markers: rows.markerCount };
  }

  #reportDosages(): void {
    const fractional = this.#fractional();
    const { ploidy = 2, ploidies = null } = this.#polyploid ?? {};
    if (ploidies !== null) {
      this.#problems.warning('W-GT-PLOIDY-MIX', {
        message: `The plants differ in ploidy: ${ploidiesInWords(ploidies)}. Analyses take plants of one ploidy.`,
        suggestion: 'Read only the plants of one ploidy. To have all, read the file once for each.',
      });
    } else if (ploidy > 2) {
      this.#problems.info('I-GT-PLOIDY', {
        value: String(ploidy),
        message: `The plants have ${ploidy} copies of each chromosome; dosages run from 0 to ${ploidy}.`,
        suggestion: 'Frequencies, kinship, training, prediction and GWAS use the dosages.',
      });
    }
    if (ploidy === 2) this.#reportSubgenomes();
    if (fractional === null) return;
    const { calls, markers } = fractional;
    const kept = ploidy > 2 ? POLYPLOID_UNITS : DOSAGE_UNITS;
    this.#problems.info('I-GT-DOSAGE', {
      message: `${counted(calls, 'call')} of ${counted(markers, 'marker')} ${calls === 1 ? 'has a fractional dosage' : 'have fractional dosages'}; they are kept to 1/${kept} of a copy.`,
      suggestion:
        ploidy > 2
          ? 'Kinship, training, prediction and GWAS use them.'
          : 'Kinship, training, prediction and GWAS use them. Phasing and crossing use the nearest of 0, 1 and 2.',
    });
  }

  #reportSubgenomes(): void {
    const subgenomes = subgenomesOf(this.#markers.chromosomes);
    if (subgenomes.length === 0) return;
    const listed = subgenomes.map(({ letter, chromosomes }) => `${letter} (${chromosomes.join(', ')})`);
    this.#problems.info('I-GT-SUBGENOMES', {
      value: subgenomes.map(({ letter }) => letter).join(''),
      message: `The chromosomes form ${subgenomes.length} subgenomes: ${listed.join('; ')}. Each is taken as a set of diploid chromosomes.`,
      suggestion:
        'Nothing to do. Markers that count alleles over subgenomes are read as a table of dosages with their ploidy.',
    });
  }

  #temporaryPath(extension: string): string {
    const path = `${this.#prefix}.${extension}.part`;
    this.#temporary.push(path);
    return path;
  }

  /** Marker indices by natural chromosome order, then position, then file order; reports W-GT-UNSORTED. */
  #order(): Uint32Array {
    const { count, chromosomes } = this.#markers;
    const chromosomeOf = this.#markers.chromosomeOf.values;
    const positions = this.#markers.positions.values;
    const rank = new Int32Array(chromosomes.length);
    const names = [...chromosomes.keys()].sort((a, b) => compareChromosomes(chromosomes[a], chromosomes[b]));
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
    const line = this.#markers.lines.at(firstUnsorted);
    this.#problems.warning('W-GT-UNSORTED', {
      line: line > 0 ? line : null,
      value: this.#markers.place(firstUnsorted),
      message: `Markers are not in order of chromosome and position (first at ${this.#markers.place(firstUnsorted)}); they were sorted.`,
      suggestion: 'Nothing to do: the original file is kept as it is.',
    });
    return order;
  }

  async #duplicates(handle: FileHandle): Promise<DuplicateGenotypes> {
    const counts = {
      sampleCount: this.samples.length,
      markerMissing: this.#markers.missing.values,
      markerA2Copies: this.#markers.a2Copies.values,
    };
    if (this.#polyploid !== null) {
      return findDuplicateGenotypes({ ...counts, bits: 4, readRows: await this.#polyploid.nearestReader() });
    }
    return findDuplicateGenotypes({
      ...counts,
      // These bytes were just written and are still in memory: a thousand promises would take longer than the reads.
      readRows: (marker, count, into) => {
        const rowBytes = this.row.length;
        readSync(handle.fd, into, 0, count * rowBytes, BED_MAGIC.length + marker * rowBytes);
      },
    });
  }

  /** Rewrites the rows in the given order, in groups of bounded size. */
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
        await gatherRows(unsorted, wanted, { rowBytes, from: BED_MAGIC.length }, group);
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

  async #writeLists(order: Uint32Array | null): Promise<string[]> {
    const { samples } = this;
    const lists = panelLists({
      samples,
      markers: this.#markers,
      order,
      alleleOrder: this.#alleleOrder,
      sourceName: this.#sourceName,
    });
    for (const { extension, write } of lists) await LineWriter.write(this.#temporaryPath(extension), write);
    const extensions = ['bed', ...lists.map((list) => list.extension)];
    // Dosages of an earlier import under the same name would be taken for those of this one.
    await rm(`${this.#prefix}.dosage`, { force: true });
    if (this.#polyploid !== null) {
      await this.#polyploid.write(this.#temporaryPath('dosage'), order);
      extensions.push('dosage');
    } else if (this.#dosages !== null && this.#dosages.markerCount > 0) {
      await this.#dosages.write(this.#temporaryPath('dosage'), this.#markers.count, order);
      extensions.push('dosage');
    }
    await this.#dosages?.close();
    await this.#polyploid?.close();
    await rm(`${this.#prefix}.dosage.rows.part`, { force: true });
    for (const extension of extensions) {
      await rename(`${this.#prefix}.${extension}.part`, `${this.#prefix}.${extension}`);
    }
    return extensions.map((extension) => `${this.#prefix}.${extension}`);
  }

  #stats(order: Uint32Array | null): GenotypeStats {
    const { missing, het, a2Copies } = this.#markers;
    const inOrder = (values: Int32Array) =>
      order === null ? values.slice() : Int32Array.from(order, (i) => values[i]);
    let markerDosage: Float64Array | null = null;
    const polyploid = this.#polyploid;
    if (polyploid !== null) {
      markerDosage = new Float64Array(missing.length);
      for (let j = 0; j < missing.length; j++) markerDosage[j] = polyploid.sumAt(order === null ? j : order[j]);
    } else if (this.#dosages !== null && this.#dosages.markerCount > 0) {
      const inFileOrder = Float64Array.from(a2Copies.values);
      for (const [marker, sum] of this.#dosages.sums()) inFileOrder[marker] = sum / DOSAGE_UNITS;
      markerDosage = order === null ? inFileOrder : Float64Array.from(order, (i) => inFileOrder[i]);
    }
    const ploidies = polyploid?.ploidies ?? null;
    const chromosomesAt = (_: unknown, j: number): number =>
      polyploid?.chromosomesAt(order === null ? j : order[j]) ?? 0;
    return {
      ...(polyploid === null ? {} : { ploidy: polyploid.ploidy }),
      ...(ploidies === null
        ? {}
        : { mixed: { ploidies, markerChromosomes: Int32Array.from({ length: missing.length }, chromosomesAt) } }),
      markerMissing: inOrder(missing.values),
      markerHet: inOrder(het.values),
      markerA2Copies: inOrder(a2Copies.values),
      markerDosage,
      sampleMissing: this.#counter.sampleMissing,
      sampleHet: this.#counter.sampleHet,
    };
  }
}

function isIdentity(order: Uint32Array): boolean {
  return order.every((index, i) => index === i);
}
