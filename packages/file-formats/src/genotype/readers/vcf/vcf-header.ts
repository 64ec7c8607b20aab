import { columnLabel, FileFormatError, type ProblemCollector } from '../../../problem.ts';

/** Columns of a VCF before those of the samples. */
export const FIXED_COLUMNS: readonly string[] = [
  '#CHROM',
  'POS',
  'ID',
  'REF',
  'ALT',
  'QUAL',
  'FILTER',
  'INFO',
  'FORMAT',
];

/**
 * Checks the header line of a VCF, which has `line` as its number.
 *
 * @throws FileFormatError `E-COL-MISSING`, `E-GT-NO-GT`
 */
export function requireVcfColumns(columns: readonly string[], line: number): void {
  if (columns.length === 1) {
    throw new FileFormatError('E-COL-MISSING', {
      line,
      value: columns[0] ?? '',
      message: 'The columns of the VCF are not separated by tabs.',
      suggestion: 'Export the file again; copying it through an editor or Excel replaces tabs by blanks.',
    });
  }
  const wrong = FIXED_COLUMNS.findIndex((name, i) => columns[i]?.trim().toUpperCase() !== name);
  if (wrong >= 0 && wrong < 8) {
    throw new FileFormatError('E-COL-MISSING', {
      line,
      column: columnLabel(columns[wrong] ?? '', wrong),
      value: columns[wrong] ?? '',
      message: `Column ${wrong + 1} of a VCF must be ${FIXED_COLUMNS[wrong]}.`,
      suggestion: 'The first nine columns are #CHROM POS ID REF ALT QUAL FILTER INFO FORMAT, in this order.',
    });
  }
  if (wrong === 8 || columns.length < 10) {
    throw new FileFormatError('E-GT-NO-GT', {
      line,
      message: 'The VCF lists variants only: it has no sample columns.',
      suggestion: 'Export it with genotypes.',
    });
  }
}

/**
 * Reports a header line among the markers, as files have that were put one behind the other: W-GT-HEADER when it names
 * the same samples, else E-GT-HEADER, because the calls below it belong to others than the file began with.
 */
export function reportFurtherHeader(
  names: readonly string[],
  first: readonly string[],
  line: number,
  problems: ProblemCollector,
): void {
  const place = names.findIndex((name, i) => name !== first[i]);
  const isSame = place < 0 && names.length === first.length;
  const suggestion = 'Join files of the same samples with: bcftools concat.';
  if (isSame) {
    problems.warning('W-GT-HEADER', {
      line,
      message: 'A second header line stands among the markers; it names the same samples and was passed over.',
      suggestion,
    });
    return;
  }
  const at = place < 0 ? names.length : place;
  problems.error('E-GT-HEADER', {
    line,
    column: columnLabel(names[at] ?? '', FIXED_COLUMNS.length + at),
    value: names[at] ?? '',
    message: `A second header line stands among the markers, and its samples are not those of the first: sample ${at + 1} is "${names[at] ?? ''}", not "${first[at] ?? ''}".`,
    suggestion,
  });
}
