import { csvRow } from '@heterosis/file-formats/tables/text/csv-writer';
import { tsvCell } from '@heterosis/file-formats/text/csv-cell';
import type { Asked, PageRequest } from './asked.ts';
import { observationunits, type UnitRow, unitSegments } from './entities/observations.ts';
import { variableOf, variablesOfStudy } from './entities/variables.ts';
import { envelope, type Json, paginationOf } from './envelope.ts';
import { slice } from './list-entity.ts';
import type { BrapiScope } from './scope.ts';

/** Columns before those of the variables. */
const HEADER = [
  'observationUnitDbId',
  'observationUnitName',
  'studyDbId',
  'studyName',
  'germplasmDbId',
  'germplasmName',
  'positionCoordinateX',
  'positionCoordinateY',
  'year',
  'plot',
  'block',
  'rep',
] as const;

interface ObservationTable {
  headerRow: string[];
  variables: { observationVariableDbId: string; observationVariableName: string }[];
  data: (string | null)[][];
  total: number;
}

/**
 * Observation units in rows, variables in columns. A table of observations has a time, which is that of the latest
 * one of the row.
 */
export async function observationTable(
  scope: BrapiScope,
  asked: Asked,
  { page, size }: PageRequest,
  withTime: boolean,
): Promise<ObservationTable> {
  const levels = asked.take('observationLevel');
  if (levels !== undefined) asked.add('observationUnitLevelName', levels);
  const segments = await unitSegments(scope, asked);
  const total = segments.reduce((sum, { count }) => sum + count, 0);
  const rows = await slice(segments, page * size, size);
  const wanted = asked.take('observationVariableDbId');
  const variables = new Map<string, string>();
  for (const { level, study, traits } of new Set(rows.map(({ of }) => of)))
    for (const { id, name } of level === 'plot'
      ? variablesOfStudy(study)
      : traits.map((trait) => variableOf(study.project, trait)))
      if (wanted === undefined || wanted.includes(id)) variables.set(id, name);
  asked.add('includeObservations', ['true']);
  const entries = await observationunits.serialize(scope, rows, asked);
  const places = new Map([...variables.keys()].map((id, place) => [id, place]));
  return {
    headerRow: [...(withTime ? ['observationTimeStamp'] : []), ...HEADER],
    variables: [...variables].map(([observationVariableDbId, observationVariableName]) => ({
      observationVariableDbId,
      observationVariableName,
    })),
    data: entries.map((entry, k) => tableRow(entry, rows[k], places, withTime)),
    total,
  };
}

function tableRow(
  entry: Json,
  row: UnitRow | undefined,
  places: ReadonlyMap<string, number>,
  withTime: boolean,
): (string | null)[] {
  const values = Array.from<string | null>({ length: places.size }).fill(null);
  let latest: string | null = null;
  for (const observation of entry['observations'] as Record<string, string | null>[]) {
    const place = places.get(observation['observationVariableDbId'] ?? '');
    if (place !== undefined) values[place] = observation['value'] ?? null;
    const time = observation['observationTimeStamp'] ?? null;
    if (time !== null && (latest === null || time > latest)) latest = time;
  }
  const { plot, block, replicate } = row?.records.units[row.place]?.design ?? {};
  const position = entry['observationUnitPosition'] as Record<string, string | null>;
  const year = row?.of.study.season?.text ?? null;
  const fields = [
    'observationUnitDbId',
    'observationUnitName',
    'studyDbId',
    'studyName',
    'germplasmDbId',
    'germplasmName',
  ];
  return [
    ...(withTime ? [latest] : []),
    ...fields.map((name) => (entry[name] as string | null) ?? null),
    position['positionCoordinateX'] ?? null,
    position['positionCoordinateY'] ?? null,
    year,
    plot ?? null,
    block ?? null,
    replicate ?? null,
    ...values,
  ];
}

/** The table as JSON, or as text in the form that the client accepts. */
export function tableAnswer(
  { headerRow, variables, data, total }: ObservationTable,
  request: PageRequest,
  warnings: readonly string[],
  accepted: string,
): { type: string; body: unknown } {
  const separator = accepted.includes('text/tsv') ? '\t' : accepted.includes('text/csv') ? ',' : null;
  if (separator === null)
    return {
      type: 'application/json; charset=utf-8',
      // The standard has text only: an empty one for what is missing.
      body: envelope(
        { headerRow, observationVariables: variables, data: data.map((row) => row.map((cell) => cell ?? '')) },
        warnings,
        paginationOf(request, total),
      ),
    };
  const rows = [[...headerRow, ...variables.map(({ observationVariableName }) => observationVariableName)], ...data];
  const text =
    separator === ','
      ? rows.map((cells) => csvRow(cells.map((cell) => cell ?? ''))).join('')
      : rows.map((cells) => `${cells.map((cell) => tsvCell(cell ?? '')).join('\t')}\n`).join('');
  return { type: separator === ',' ? 'text/csv; charset=utf-8' : 'text/tsv; charset=utf-8', body: text };
}
