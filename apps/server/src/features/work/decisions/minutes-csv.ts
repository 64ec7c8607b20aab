import { csvChunks } from '@heterosis/file-formats/tables/text/csv-writer';
import { inOrder, type Minutes } from './minutes.ts';

/** One row per line, in the order of the minutes. */
export function minutesAsCsv({ columns, lines, people }: Minutes): Iterable<string> {
  const header = [
    ...['line', 'family', 'check', 'mark', 'settled_by', 'settled_reason'],
    ...['index', 'beats_check', 'beats_every', 'among_best'],
    ...columns.flatMap(({ trait, kind }) => [
      `${trait} (${kind})`,
      `${trait} (${kind}) se`,
      `${trait} (${kind}) reliability`,
    ]),
    ...people.flatMap((person) => [`mark of ${person}`, `reason of ${person}`]),
  ];
  return csvChunks(
    header,
    inOrder(lines).map((line) => [
      ...[line.name, line.family, line.is_check ? 'yes' : '', line.mark, line.settled_by, line.settled_reason],
      ...[line.index, line.beats_check, line.beats_every, line.among_best],
      ...columns.flatMap((_, c) => [line.values[c], line.ses[c], line.reliabilities[c]]),
      ...people.flatMap((person) => {
        const mark = line.marks.find((one) => one.person === person);
        return [mark?.mark, mark?.reason];
      }),
    ]),
  );
}
