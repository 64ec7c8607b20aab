import { FileFormatError, type ProblemCollector } from '../../../problem.ts';
import { PLOIDIES } from '../../panel/dosages.ts';
import { countPloidies, noneOfPloidy, ploidiesInWords } from '../../ploidies.ts';
import { allelesToldBy } from './vcf-cell.ts';
import { FIXED_COLUMNS } from './vcf-header.ts';

const TAB = 9;
const LF = 10;
const HASH = 0x23;
const QUOTE = 0x22;

/** Samples of a VCF by their ploidy. */
export interface PloidiesOfSamples {
  /** Of each sample that is read. */
  ploidies: Uint8Array;
  /** Columns of the samples that are read among those of the samples; null where all are read. */
  columns: Int32Array | null;
}

/** Thrown where samples of a VCF turn out to differ in ploidy: it is to be read again by the ploidy of each. */
export class DifferentPloidies extends Error {
  override readonly name = 'DifferentPloidies';
}

/**
 * The number of alleles in the first call of each sample of a VCF. Reads no further than all samples have told it.
 * Calls of one allele tell nothing: samples with no others get the lowest ploidy of the file, those without a call the
 * highest.
 *
 * @param otherwise where no call tells a ploidy
 */
export async function readPloidies(blocks: AsyncIterable<Buffer>, otherwise: number): Promise<Uint8Array> {
  let found = new Uint8Array(0);
  for await (const block of blocks) {
    for (let at = 0; at < block.length; ) {
      const end = block.indexOf(LF, at);
      const isHeader = block[at] === HASH || (block[at] === QUOTE && block[at + 1] === HASH);
      if (!isHeader) addLine(block, at, end, found);
      else if (/^#CHROM\t/i.test(block.toString('latin1', at, at + 7)))
        found = new Uint8Array(samplesIn(block, at, end));
      at = end + 1;
    }
    if (found.length > 0 && found.every((alleles) => alleles > 1)) break;
  }
  const told = found.filter((alleles) => alleles > 1);
  const [lowest, highest] =
    told.length === 0 ? [otherwise, otherwise] : [Math.min(...new Set(told)), Math.max(...new Set(told))];
  return found.map((alleles) => (alleles > 1 ? alleles : alleles === 1 ? lowest : highest));
}

function samplesIn(block: Buffer, start: number, end: number): number {
  let tabs = 0;
  for (let i = start; i < end; i++) if (block[i] === TAB) tabs++;
  return Math.max(0, tabs + 1 - FIXED_COLUMNS.length);
}

/** Takes the calls of a line for samples that have told nothing yet. */
function addLine(block: Buffer, start: number, end: number, found: Uint8Array): void {
  let at = start;
  let formatFrom = start;
  for (let field = 0; field < FIXED_COLUMNS.length; field++) {
    formatFrom = at;
    const tab = block.indexOf(TAB, at);
    if (tab < 0 || tab > end) return;
    at = tab + 1;
  }
  const gtIndex = block
    .toString('latin1', formatFrom, at - 1)
    .split(':', MAX_FIELDS)
    .indexOf('GT');
  if (gtIndex < 0) return;
  for (let sample = 0; sample < found.length && at < end; sample++) {
    let cellEnd = at;
    while (cellEnd < end && block[cellEnd] !== TAB) cellEnd++;
    if (found[sample] < 2) found[sample] = Math.max(found[sample], allelesToldBy(block, at, cellEnd, gtIndex));
    at = cellEnd + 1;
  }
}

/** VCF wants GT as the first field of FORMAT. */
const MAX_FIELDS = 1000;

/**
 * The samples to read; I-GT-PLOIDY-CHOSEN says which are left out.
 *
 * @param wanted ploidy of those to read; all unless told
 * @throws FileFormatError E-GT-PLOIDY when none has it, or one has a ploidy that is not read
 */
export function samplesToRead(
  ploidies: Uint8Array,
  wanted: number | undefined,
  problems: ProblemCollector,
): PloidiesOfSamples {
  const counts = countPloidies(ploidies);
  if (wanted === undefined) {
    const odd = counts.find(({ ploidy }) => !PLOIDIES.includes(ploidy));
    if (odd === undefined) return { ploidies, columns: null };
    throw new FileFormatError('E-GT-PLOIDY', {
      value: String(odd.ploidy),
      message: `The plants differ in ploidy: ${ploidiesInWords(counts)}. Only ploidies of 2, 4, 6 and 8 are read.`,
      suggestion: 'Read only the plants of one ploidy.',
    });
  }
  const columns = Int32Array.from(ploidies.keys()).filter((column) => ploidies[column] === wanted);
  if (columns.length === 0) throw new FileFormatError('E-GT-PLOIDY', noneOfPloidy(wanted, counts));
  if (columns.length === ploidies.length) return { ploidies, columns: null };
  problems.info('I-GT-PLOIDY-CHOSEN', {
    value: String(wanted),
    message: `The plants differ in ploidy: ${ploidiesInWords(counts)}. Only those with ${wanted} were read.`,
    suggestion: 'Nothing, if that was meant. Upload the file once more for the others.',
  });
  return { ploidies: ploidies.filter((ploidy) => ploidy === wanted), columns };
}
