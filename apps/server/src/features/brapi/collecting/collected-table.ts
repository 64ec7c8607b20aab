import { DESIGN_ROLES, type DesignRole } from '@heterosis/file-formats/tables/phenotype/phenotype-header';
import type { DesignOfRow, PhenotypeRecords } from '@heterosis/file-formats/tables/phenotype/phenotype-records';
import type { TraitColumn } from '@heterosis/file-formats/tables/phenotype/phenotype-table';
import { csvChunks } from '@heterosis/file-formats/tables/text/csv-writer';

/** Headers that the reader knows, where the name of the role is none. */
const HEADERS: Partial<Record<keyof DesignOfRow, string>> = { replicate: 'rep', column: 'col' };

/**
 * Records as a long phenotype file: one line for each unit and trait. Of several observations of a unit the latest
 * counts, so it alone is written where not all have a time; otherwise all are.
 */
export function collectedTable(records: PhenotypeRecords): Iterable<string> {
  const roles = DESIGN_ROLES.filter((role) => records.units.some(({ design }) => design[role] !== undefined));
  const withKind = records.kinds.some((kind) => kind !== null);
  const withTime = records.time.some((time) => !Number.isNaN(time));
  const header = [
    'individual',
    ...roles.map((role) => HEADERS[role] ?? role),
    ...(withKind ? ['kind'] : []),
    'trait',
    'value',
    ...(withTime ? ['timestamp'] : []),
  ];
  return csvChunks(header, tableRows(records, { roles, withKind, withTime }));
}

function* tableRows(
  records: PhenotypeRecords,
  { roles, withKind, withTime }: { roles: readonly DesignRole[]; withKind: boolean; withTime: boolean },
): Generator<string[]> {
  const { units, kinds, unit, trait, value, time, traits } = records;
  const isSame = (a: number, b: number): boolean => unit[a] === unit[b] && trait[a] === trait[b];
  for (let first = 0; first < unit.length; ) {
    let end = first + 1;
    while (end < unit.length && isSame(first, end)) end++;
    const places = Array.from({ length: end - first }, (_, k) => first + k).filter((place) => value[place] !== '');
    const areTimed = places.every((place) => !Number.isNaN(time[place] ?? Number.NaN));
    for (const place of areTimed ? places : places.slice(-1)) {
      const { individual = '', design = {} } = units[unit[place] ?? 0] ?? {};
      const moment = time[place] ?? Number.NaN;
      const column = traits[trait[place] ?? 0];
      yield [
        individual,
        ...roles.map((role) => design[role] ?? ''),
        ...(withKind ? [kinds[unit[place] ?? 0] ?? ''] : []),
        column === undefined ? '' : traitHeader(column),
        value[place] ?? '',
        ...(withTime ? [Number.isNaN(moment) ? '' : new Date(moment).toISOString()] : []),
      ];
    }
    first = end;
  }
}

/** As the reader takes it apart: `Colour (hue)_#CAT|CO_322:1`. */
const traitHeader = ({ name, unit, ontologyId, kind }: TraitColumn): string =>
  `${name}${unit === null ? '' : ` (${unit})`}${kind === 'categorical' ? '_#CAT' : ''}${ontologyId === null ? '' : `|${ontologyId}`}`;
