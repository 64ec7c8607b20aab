import type { ByteSource } from '../../byte-source.ts';
import { FileFormatError } from '../../problem.ts';
import { decodeText } from '../../text/line-blocks.ts';
import { openDosages } from './dosage-file.ts';
import type { GenotypePanel, MarkerTable } from './genotype-panel.ts';
import { UNKNOWN_ALLELE } from './marker-columns.ts';
import { type AlleleOrder, BED_MAGIC, exchangeAlleles, packedLength } from './packed-calls.ts';

/** The three files of a PLINK 1 binary set, and the file of fractional dosages that we may have written beside them. */
export interface PlinkSources {
  bed: ByteSource;
  bim: ByteSource;
  fam: ByteSource;
  dosage?: ByteSource | undefined;
}

/**
 * Opens a `.bed/.bim/.fam` set: names and markers are read at once, calls by byte range when asked for. An allele
 * written `0` becomes `.`. The panel closes its sources. Throws {@link FileFormatError} E-GT-TRIO when the files do
 * not fit together, with line for a bad `.bim` or `.fam` line; E-GT-SAME-ALLELES.
 */
export async function openPlinkPanel(sources: PlinkSources, order: AlleleOrder = 'alt-first'): Promise<GenotypePanel> {
  const samples = parseFam(await readText(sources.fam), sources.fam.name);
  const { name } = sources.bim;
  const markers = parseBim(await readText(sources.bim), { name, order, isForeign: isForeign(order) });
  await Promise.all([sources.bim.close(), sources.fam.close()]);
  return openBed(sources, samples, markers, order);
}

/**
 * The calls of a `.bed` whose samples and markers are known. The panel closes its sources.
 * Throws {@link FileFormatError} E-GT-TRIO when they do not fit together.
 */
export async function openBed(
  { bed, dosage }: Pick<PlinkSources, 'bed' | 'dosage'>,
  samples: string[],
  markers: MarkerTable,
  order: AlleleOrder,
): Promise<GenotypePanel> {
  checkBedHead(await bed.read(0, BED_MAGIC.length), bed.name);
  checkBedSize(bed.size, samples.length, markers.positionBp.length);
  return {
    samples,
    markers,
    readPacked: bedReader(bed, samples.length, markers.positionBp.length, order),
    dosages: dosage && (await openDosages(dosage, samples.length, markers.positionBp.length)),
    close: async () => {
      await Promise.all([bed.close(), dosage?.close()]);
    },
  };
}

/** Reads the packed calls of markers by their byte range. */
export function bedReader(
  bed: ByteSource,
  sampleCount: number,
  markerCount: number,
  order: AlleleOrder,
): GenotypePanel['readPacked'] {
  const rowBytes = packedLength(sampleCount);
  return async (first, count) => {
    if (first < 0 || count < 0 || first + count > markerCount) {
      throw new RangeError(`markers ${first} to ${first + count} of ${markerCount} asked for`);
    }
    const length = count * rowBytes;
    const bytes = await bed.read(BED_MAGIC.length + first * rowBytes, length);
    if (bytes.length !== length) {
      throw new FileFormatError('E-GT-TRIO', {
        message: `The .bed file ends early: ${bytes.length} of ${length} bytes could be read for marker ${first + 1}.`,
        suggestion: 'Upload the file again.',
      });
    }
    return order === 'ref-first' ? bytes : exchangeAlleles(bytes, sampleCount);
  };
}

/** Checks the first three bytes of a `.bed`: magic number and SNP-major mode. */
export function checkBedHead(head: Uint8Array, name: string): void {
  if (head[0] === BED_MAGIC[0] && head[1] === BED_MAGIC[1] && head[2] === BED_MAGIC[2]) return;
  const isSampleMajor = head[0] === BED_MAGIC[0] && head[1] === BED_MAGIC[1] && head[2] === 0;
  throw new FileFormatError('E-GT-TRIO', {
    value: name,
    message: isSampleMajor
      ? 'The .bed file is stored by individual; only the usual storage by marker is read.'
      : 'The .bed file does not begin as a PLINK 1 .bed file does.',
    suggestion: 'Write the files again with: plink --make-bed.',
  });
}

/** Checks that a `.bed` of `size` bytes holds exactly the calls of the `.fam` and `.bim`. */
export function checkBedSize(size: number, sampleCount: number, markerCount: number): void {
  const expected = BED_MAGIC.length + markerCount * packedLength(sampleCount);
  if (size === expected) return;
  throw new FileFormatError('E-GT-TRIO', {
    value: `${size} bytes`,
    message: `The .bed, .bim and .fam files do not belong together: ${sampleCount} individuals and ${markerCount} markers need a .bed of ${expected} bytes, it has ${size}.`,
    suggestion: 'Upload the three files of one PLINK export.',
  });
}

/** All text of a source. */
export async function readText(source: ByteSource): Promise<string> {
  return decodeText(await source.read(0, source.size), () => {});
}

/**
 * Individual names of a `.fam`: IID, or FID_IID where an IID repeats. Throws {@link FileFormatError} E-GT-TRIO for a
 * line without six fields.
 */
export function parseFam(text: string, name: string): string[] {
  const families: string[] = [];
  const individuals: string[] = [];
  for (const { fields, line } of tableLines(text)) {
    if (fields.length !== 6) throw badLine(name, line, fields, 'six fields (FID IID father mother sex phenotype)');
    families.push(fields[0] as string);
    individuals.push(fields[1] as string);
  }
  return individualNames(families, individuals);
}

/** IID, or FID_IID for every individual whose IID is not unique. */
export function individualNames(families: readonly string[], individuals: readonly string[]): string[] {
  const count = new Map<string, number>();
  for (const id of individuals) count.set(id, (count.get(id) ?? 0) + 1);
  return individuals.map((id, i) => ((count.get(id) ?? 0) > 1 ? `${families[i]}_${id}` : id));
}

/** What {@link parseBim} must know of the file whose text it is given. */
export interface BimFile {
  /** For messages. */
  name: string;
  order: AlleleOrder;
  /** Lines of the file before this text; none unless told. */
  linesBefore?: number;
  /** Nobody else compares the alleles of a marker. */
  isForeign?: boolean;
}

/** Sets with the reference first were written, and checked, by this product. */
export const isForeign = (order: AlleleOrder): boolean => order === 'alt-first';

/**
 * Markers of a `.bim`. Throws {@link FileFormatError} E-GT-TRIO for a line without six fields, with an empty one (but
 * for the id), or with a position that is not a whole number; E-GT-SAME-ALLELES in a foreign file.
 */
export function parseBim(text: string, { name, order, linesBefore = 0, isForeign = false }: BimFile): MarkerTable {
  const id: string[] = [];
  const chromosome: string[] = [];
  const positions: number[] = [];
  const first: string[] = [];
  const second: string[] = [];
  // One string a distinct chromosome or allele, not one a marker.
  const interned = new Map<string, string>([['0', UNKNOWN_ALLELE]]);
  const intern = (value: string) => {
    const known = interned.get(value);
    if (known !== undefined) return known;
    interned.set(value, value);
    return value;
  };
  let lastChromosome = '';
  for (const { fields, line } of tableLines(text)) {
    const position = Number(fields[3]);
    // Markers may do without an id, but not without a chromosome and alleles.
    const isComplete = fields.length === 6 && fields.every((field, column) => field !== '' || column === 1);
    if (!isComplete || !Number.isSafeInteger(position)) {
      throw badLine(
        name,
        linesBefore + line,
        fields,
        'six fields (chromosome, id, centimorgan, position and two alleles) with a whole number as position',
      );
    }
    if (fields[0] !== lastChromosome) lastChromosome = fields[0] as string;
    chromosome.push(lastChromosome);
    id.push(fields[1] as string);
    // PLINK skips markers with a negative position; here the position counts as unknown.
    positions.push(Math.max(0, position));
    first.push(intern(fields[4] as string));
    second.push(intern(fields[5] as string));
    if (isForeign && isSameAllele(first.at(-1) as string, second.at(-1) as string)) {
      throw new FileFormatError('E-GT-SAME-ALLELES', {
        line: linesBefore + line,
        column: 'ALT',
        value: fields[4] as string,
        message: `Line ${linesBefore + line} of ${name} has "${fields[4]}" and "${fields[5]}" as the alleles of its marker.`,
        suggestion: 'Correct one of them, or write "0" for an allele that is not known.',
      });
    }
  }
  const [a1, a2] = order === 'ref-first' ? [first, second] : [second, first];
  return { id, chromosome, positionBp: Float64Array.from(positions), a1, a2 };
}

/** Case does not tell alleles apart (VCF 4.4, 1.6.1). */
export function isSameAllele(a: string, b: string): boolean {
  if (a === UNKNOWN_ALLELE || a.length !== b.length) return false;
  return a === b || a.toUpperCase() === b.toUpperCase();
}

function* tableLines(text: string): Generator<{ fields: string[]; line: number }> {
  let line = 0;
  for (let start = 0; start < text.length; ) {
    let end = text.indexOf('\n', start);
    if (end < 0) end = text.length;
    line++;
    const content = text.slice(start, text[end - 1] === '\r' ? end - 1 : end);
    start = end + 1;
    if (content.trim() === '') continue;
    // Our own files are tab-separated, so that names may hold blanks; PLINK also accepts blanks between fields.
    const byTab = content.split('\t', 7);
    yield { fields: byTab.length === 6 ? byTab : content.trim().split(/\s+/, 7), line };
  }
}

function badLine(name: string, line: number, fields: readonly string[], expected: string): FileFormatError {
  return new FileFormatError('E-GT-TRIO', {
    line,
    value: fields.join(' '),
    message: `Line ${line} of ${name} does not have ${expected}.`,
    suggestion: 'Write the files again with: plink --make-bed.',
  });
}
