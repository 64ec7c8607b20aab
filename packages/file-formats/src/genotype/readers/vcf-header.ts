import { columnLabel, FileFormatError } from '../../problem.ts';

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
