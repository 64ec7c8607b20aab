import type { ZipArchive } from '../../../compression/zip-archive.ts';
import { FileFormatError, type ProblemCollector } from '../../../problem.ts';
import { UNKNOWN_ALLELE } from '../../panel/marker-columns.ts';
import { exchangeAlleles } from '../../panel/packed-calls.ts';
import type { PanelWriter } from '../../panel/panel-writer.ts';
import { counted, Tally } from '../../panel/tally.ts';
import { AlleleCalls, type MultiallelicRule, reportMultiallelic } from '../allele-calls.ts';
import { ByteFeed } from '../byte-feed.ts';
import { soleEntry } from '../zip-entries.ts';
import { BLOCK_VARIANTS, badPgen, type PgenIndex, readPgenHeader } from './pgen-header.ts';
import { PgenRecords } from './pgen-record.ts';
import type { PlinkReadOptions } from './plink-binary-reader.ts';
import { type PvarVariant, readPsam, readPvar } from './pvar.ts';

/** Bits of the type of a record. */
const HAS_PATCHES = 0x08;
const HAS_PHASE = 0x10;
const HAS_DOSAGES = 0x60;
/** Alleles are numbered in one byte, whose last value is a missing call. */
const MAX_ALTERNATIVES = 254;
/** No record has more bytes a sample, or more beside them. */
const MAX_RECORD = { perSample: 32, beside: 1 << 16 };

/**
 * Reads `.pgen`, `.pvar` (also `.pvar.zst`) and `.psam` of a zip archive into a panel: hard calls of any number of
 * alleles, and the dosages of two. ALT is counted. Phase is not kept. Throws {@link FileFormatError} E-GT-TRIO when the
 * files do not fit together, E-GT-PGEN for a damaged file and for forms that are not read.
 */
export async function readPlink2(
  zip: ZipArchive,
  writer: PanelWriter,
  problems: ProblemCollector,
  options: PlinkReadOptions & { multiallelic: MultiallelicRule },
): Promise<void> {
  const pgen = soleEntry(zip, '.pgen', 'E-GT-TRIO');
  const samples = await readPsam(zip, options);
  const variants = await readPvar(zip, options);
  if (samples.length === 0 || variants.length === 0) {
    throw new FileFormatError('E-EMPTY', {
      message: `The .${samples.length === 0 ? 'psam file lists no samples' : 'pvar file lists no variants'}.`,
      suggestion: 'Write the files again with: plink2 --make-pgen.',
    });
  }
  const feed = new ByteFeed(zip.stream(pgen, options.maxInflatedBytes), () => badPgen('The .pgen file ends early.'));
  const index = await readPgenHeader(feed, { samples: samples.length, variants: variants.length });
  await writer.start(samples, (i) => ({ line: i + 1, column: null }));
  const reader = new Plink2Reader(index, writer, options.multiallelic);
  const total = zip.sizeOf(pgen);
  for (const [place, variant] of variants.entries()) {
    reader.add(place, variant, await feed.take(reader.lengthOf(place)));
    if (place % 1024 !== 0) continue;
    options.signal?.throwIfAborted();
    options.onProgress?.(feed.taken, total);
    await writer.drain();
  }
  if (!(await feed.isAtEnd())) throw badPgen('The .pgen file is longer than its index says.');
  reader.report(problems);
}

class Plink2Reader {
  readonly #index: PgenIndex;
  readonly #writer: PanelWriter;
  readonly #rule: MultiallelicRule;
  readonly #records: PgenRecords;
  readonly #calls: AlleleCalls;
  readonly #units: Uint16Array;
  readonly #multiallelic = new Tally();
  #phased = 0;

  constructor(index: PgenIndex, writer: PanelWriter, rule: MultiallelicRule) {
    const samples = writer.samples.length;
    this.#index = index;
    this.#writer = writer;
    this.#rule = rule;
    this.#records = new PgenRecords(samples);
    this.#calls = new AlleleCalls(samples);
    this.#units = new Uint16Array(samples);
  }

  /** Bytes of a record. */
  lengthOf(place: number): number {
    const length = this.#index.lengths[place] ?? 0;
    const { perSample, beside } = MAX_RECORD;
    if (length > perSample * this.#writer.samples.length + beside)
      throw badPgen('The index of the .pgen file is damaged.', place);
    return length;
  }

  add(place: number, variant: PvarVariant, bytes: Uint8Array): void {
    const type = this.#index.types[place] ?? 0;
    const { alleles, ...marker } = variant;
    const alternatives = alleles.length - 1;
    const [a1 = UNKNOWN_ALLELE, a2 = UNKNOWN_ALLELE] = alleles;
    const writer = this.#writer;
    if (this.#index.isBed) {
      if (alternatives > 1) throw badPgen('A variant of a .bed file has more than two alleles.', place);
      writer.row.set(exchangeAlleles(bytes, writer.samples.length));
      writer.add({ ...marker, a1, a2 });
      return;
    }
    const records = this.#records;
    if (place % BLOCK_VARIANTS === 0) records.startBlock();
    records.start(place, type, bytes);
    if (alternatives > 1) this.#addMultiallelic(place, variant, type);
    else if ((type & HAS_PATCHES) !== 0)
      throw badPgen('A variant has more alleles in the .pgen than in the .pvar.', place);
    else {
      if ((type & HAS_PHASE) !== 0) this.#phased += records.skipPhase();
      if ((type & HAS_DOSAGES) !== 0) {
        records.dosagesInto(this.#units, type);
        writer.addDosages({ ...marker, a1, a2 }, this.#units);
      } else {
        records.packInto(writer.row);
        writer.add({ ...marker, a1, a2 });
      }
    }
  }

  #addMultiallelic(place: number, { alleles, ...marker }: PvarVariant, type: number): void {
    const alternatives = alleles.length - 1;
    if ((type & HAS_DOSAGES) !== 0)
      throw badPgen('A variant with more than two alleles has dosages, which are not read.', place);
    if (alternatives > MAX_ALTERNATIVES)
      throw badPgen(`A variant has more than ${MAX_ALTERNATIVES} alternative alleles.`, place);
    this.#multiallelic.add(marker.line);
    if (this.#rule === 'drop') return;
    this.#records.allelesInto(this.#calls, alternatives, (type & HAS_PATCHES) !== 0);
    this.#calls.addTo(this.#writer, marker, alleles);
  }

  report(problems: ProblemCollector): void {
    reportMultiallelic(this.#multiallelic, 'line', this.#rule, problems);
    problems.info('I-GT-COUNTED', {
      message: `REF of the .pvar is the reference allele (A1) and ALT the alternative (A2), which is counted.${this.#index.hasProvisionalReferences ? ' PLINK has noted that it does not know the reference of all variants.' : ''}`,
      suggestion: 'Nothing to do; effects and frequencies refer to ALT.',
    });
    if (this.#phased === 0) return;
    problems.info('I-GT-PHASE', {
      message: `${counted(this.#phased, 'heterozygous call')} ${this.#phased === 1 ? 'is' : 'are'} phased in the .pgen; phase is read from VCF only.`,
      suggestion: 'For crossing simulations with heterozygous parents upload a VCF: plink2 --export vcf bgz.',
    });
  }
}
