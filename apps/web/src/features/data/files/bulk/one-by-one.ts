import { asProblem } from '../../../../lib/api/problem.ts';
import { type StorageRow, thingOf } from '../storage-columns.tsx';

/** Rows are changed one after the other; of those that refuse the reason is kept, and the others go on. */
export async function oneByOne(
  rows: readonly StorageRow[],
  change: (row: StorageRow) => Promise<unknown>,
): Promise<{ done: StorageRow[]; refused: { name: string; reason: string }[] }> {
  const done: StorageRow[] = [];
  const refused: { name: string; reason: string }[] = [];
  for (const row of rows)
    try {
      await change(row);
      done.push(row);
    } catch (error) {
      refused.push({ name: thingOf(row).name, reason: asProblem(error).detail });
    }
  return { done, refused };
}
