import { FileFormatError } from '../../problem.ts';
import { type CodeTexts, codeTexts } from '../../text/code-texts.ts';
import { csvCell } from '../../text/csv-cell.ts';
import type { LineBuffer } from '../../text/line-buffer.ts';
import { type DosageValues, MISSING_POLYPLOID, POLYPLOID_UNITS, ploidyOf } from '../panel/dosages.ts';
import type { GenotypePanel, MarkerTable } from '../panel/genotype-panel.ts';
import { UNKNOWN_ALLELE } from '../panel/marker-columns.ts';
import { callPairs } from './call-pairs.ts';
import { lineChunks, packedMarkers } from './marker-blocks.ts';

/**
 * A panel as CSV of letters with markers in rows: marker, chrom, pos, REF, ALT, then one column a sample with a letter
 * a copy, those of A1 first: `AG`, `AAAG`. Empty cells are missing calls. Alleles of polyploids without a name are
 * called A and B, as arrays do; fractions become the nearest whole number of copies.
 *
 * @throws FileFormatError E-GT-ALLELES before the first byte, when the alleles of a marker are no two letters
 */
export function writeLetters(panel: GenotypePanel): AsyncGenerator<Uint8Array> {
  const ploidy = ploidyOf(panel);
  if (ploidy > 2) requireTwoLetters(panel.markers);
  else callPairs(panel.markers, DIPLOID);
  return lineChunks((lines) => letterRows(lines, panel, ploidy));
}

const FORMAT = 'A matrix of letters';
const DIPLOID = {
  format: FORMAT,
  isAllele: (allele: string): boolean => /^[ACGT]$/.test(allele),
  call: (first: string, second: string): string => `,${first}${second}`,
  missing: ',',
};

async function* letterRows(lines: LineBuffer, panel: GenotypePanel, ploidy: number): AsyncGenerator<void> {
  const { samples, markers } = panel;
  lines.text(`${['marker', 'chrom', 'pos', 'REF', 'ALT', ...samples].map(csvCell).join(',')}\n`);
  const callsOf = new Map<string, { pairs: CodeTexts; classes: string[] }>();
  for await (const { marker, packed, units } of packedMarkers(panel)) {
    const { letters, named } = ploidy > 2 ? lettersOf(markers, marker) : pairOf(markers, marker);
    const lead = [csvCell(markers.id[marker]), csvCell(markers.chromosome[marker]), markers.positionBp[marker]];
    lines.text([...lead, ...named].join(','));
    const key = letters.join('');
    const calls = callsOf.get(key) ?? callTexts(letters, ploidy);
    callsOf.set(key, calls);
    if (ploidy > 2 && units !== undefined) writeClasses(lines, units, calls.classes);
    else lines.codes(packed, samples.length, calls.pairs);
    lines.newLine();
    yield;
  }
}

function callTexts(
  [first, second]: readonly [string, string],
  ploidy: number,
): { pairs: CodeTexts; classes: string[] } {
  const { call, missing } = DIPLOID;
  return {
    pairs: codeTexts([call(first, first), missing, call(first, second), call(second, second)]),
    classes: Array.from(
      { length: ploidy + 1 },
      (_, copies) => `,${first.repeat(ploidy - copies)}${second.repeat(copies)}`,
    ),
  };
}

function writeClasses(lines: LineBuffer, units: DosageValues, classes: readonly string[]): void {
  for (let i = 0; i < units.length; i++)
    lines.text(units[i] === MISSING_POLYPLOID ? ',' : classes[Math.round(units[i] / POLYPLOID_UNITS)]);
}

interface Letters {
  /** Of A1 and of A2. */
  letters: [string, string];
  /** What the columns REF and ALT say. */
  named: string[];
}

/** A diploid marker with one known allele has only calls of that one. */
function pairOf({ a1, a2 }: MarkerTable, j: number): Letters {
  const [first, second] = [a1[j], a2[j]];
  return {
    letters: [first === UNKNOWN_ALLELE ? second : first, second === UNKNOWN_ALLELE ? first : second],
    named: [first, second].map((allele) => (allele === UNKNOWN_ALLELE ? '' : allele)),
  };
}

/** An allele without a name is B beside one with a name, which a marker of one class never writes. */
function lettersOf({ a1, a2 }: MarkerTable, j: number): Letters {
  const [first, second] = [a1[j], a2[j]];
  if (first === UNKNOWN_ALLELE) {
    const letters: [string, string] = second === UNKNOWN_ALLELE ? ['A', 'B'] : [otherThan(second), second];
    return { letters, named: letters };
  }
  if (second === UNKNOWN_ALLELE) return { letters: [first, otherThan(first)], named: [first, ''] };
  return { letters: [first, second], named: [first, second] };
}

const otherThan = (letter: string): string => (letter === 'B' ? 'A' : 'B');

function requireTwoLetters({ id, a1, a2 }: MarkerTable): void {
  const isLetter = (allele: string): boolean => allele === UNKNOWN_ALLELE || /^[ACGTB]$/.test(allele);
  for (let j = 0; j < id.length; j++) {
    if (isLetter(a1[j]) && isLetter(a2[j]) && (a1[j] !== a2[j] || a1[j] === UNKNOWN_ALLELE)) continue;
    throw new FileFormatError('E-GT-ALLELES', {
      value: id[j],
      message: `${FORMAT} cannot tell apart the alleles ${a1[j]} and ${a2[j]} of the marker ${id[j]}.`,
      suggestion: 'Export VCF or numbers instead, or leave the marker out.',
    });
  }
}
