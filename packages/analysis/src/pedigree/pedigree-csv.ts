import type { PedigreeTable } from '@heterosis/file-formats/tables/pedigree/pedigree-table';
import { csvChunks } from '@heterosis/file-formats/tables/text/csv-writer';

/** A pedigree as the reader of pedigree files takes it back: name,female,male,cross_type,generation. */
export function pedigreeCsv({ names, maternal, paternal, selfings }: PedigreeTable): Iterable<string> {
  const nameOf = (place: number): string | null => (place < 0 ? null : names[place]);
  return csvChunks(
    ['name', 'female', 'male', 'cross_type', 'generation'],
    names.map((name, i) => [
      ...[name, nameOf(maternal[i]), nameOf(paternal[i])],
      selfings[i] === Number.POSITIVE_INFINITY ? 'DH' : selfings[i] < 0 ? 'CLONE' : null,
      selfings[i] > 0 && Number.isFinite(selfings[i]) ? `F${selfings[i] + 1}` : null,
    ]),
  );
}
