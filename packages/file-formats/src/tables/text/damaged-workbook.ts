import { FileFormatError } from '../../problem.ts';

/**
 * E-WORKBOOK, for a workbook that a spreadsheet program would call damaged; `what` says where it contradicts itself, in
 * a sentence.
 */
export function damagedWorkbook(
  what: string,
  { line = null, cause }: { line?: number | null; cause?: unknown } = {},
): FileFormatError {
  return new FileFormatError(
    'E-WORKBOOK',
    {
      line,
      message: `The workbook is damaged. ${what}`,
      suggestion: 'Open it in a spreadsheet program, check what that repairs, and save it anew, or save it as CSV.',
    },
    { cause },
  );
}
