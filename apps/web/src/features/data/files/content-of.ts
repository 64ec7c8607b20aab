import { type File, fileType } from '@heterosis/contracts/data/files';
import type { TFunction } from 'i18next';
import { formatCount } from '../../../lib/format/format.ts';

/** What a file holds, in the words of its type: `281 samples × 3,093 markers`, `28 crosses, 8 parents`. */
export function contentOf(
  { file_type: type, row_count: rows, column_count: columns }: Pick<File, 'file_type' | 'row_count' | 'column_count'>,
  t: TFunction,
): string {
  if (type === null || rows === null) return '–';
  return t(`files.contentOf.${fileType.enum[type]}`, {
    // The number that may be one.
    count: type === 'PHENOTYPE' ? (columns ?? 0) : rows,
    rows: formatCount(rows),
    columns: formatCount(columns ?? 0),
  });
}
