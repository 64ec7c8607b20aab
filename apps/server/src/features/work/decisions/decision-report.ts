import type { ReportQuery } from '@heterosis/contracts/work/runs';
import type { Services } from '../../../platform/http/app.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { findPlaceNames } from '../runs/kind/index.ts';
import type { Report } from '../runs/report/index.ts';
import { findMinutes } from './decisions.queries.ts';
import { requireDecision } from './decisions.service.ts';
import { inOrder, type Minutes } from './minutes.ts';
import { factsOf, percent, plain } from './minutes-words.ts';

/** Columns of values that are seen side by side. */
const MOST_VALUES = 6;

/**
 * What whoever holds a share link reads of a closed decision: what was on the table and what was decided of each line.
 * Not by whom, nor what people said: that is in the minutes, for members.
 */
export async function reportOfDecision(
  { db }: Pick<Services, 'db'>,
  { projectId, id, page }: { projectId: string; id: string; page: ReportQuery['page'] },
): Promise<Report> {
  const row = await requireDecision(db, projectId, id);
  const found = row.state === 'CLOSED' ? await findMinutes(db, id, row.version) : undefined;
  if (found === undefined)
    throw new Problem('decisions/no-minutes', `"${row.name}" is open. Close it first: what is shared is its result.`);
  const { organization } = await findPlaceNames(db, projectId);
  const { minutes } = found;
  return {
    ...{ page, organization, logo: null, project: null, link: null, kind: 'Decision', methods: '' },
    ...{ name: row.name, description: minutes.description, date: minutes.closed_at },
    sentences: factsOf(minutes),
    inputs: [],
    parts: [onTheTable(minutes), decided(minutes)],
    provenance: [
      ['Closed', `${minutes.closed_at.slice(0, 16).replace('T', ' ')} UTC`],
      ['Version', String(minutes.version)],
      ['SHA-256 of the lines', minutes.sha256],
    ],
  };
}

const right = 'right' as const;

const onTheTable = ({ columns }: Minutes): Report['parts'][number] => ({
  what: 'table',
  title: 'What was on the table',
  columns: [
    ...[{ title: 'Value' }, { title: 'What' }, { title: 'Run', stretches: true }, { title: 'Of' }],
    ...[{ title: 'Weight', align: right }, { title: 'SHA-256' }],
  ],
  rows: columns.map((column) => [
    column.unit === null ? column.trait : `${column.trait} (${column.unit})`,
    ...[column.what, column.run_name, column.run_at.slice(0, 10), plain(column.weight), column.sha256.slice(0, 16)],
  ]),
});

function decided({ columns, lines }: Minutes): Report['parts'][number] {
  const inIndex = columns.flatMap((column, c) => (column.in_index ? [{ ...column, c }] : [])).slice(0, MOST_VALUES);
  const ordered = inOrder(lines);
  return {
    what: 'table',
    title: 'What was decided',
    columns: [
      ...[{ title: 'Line', stretches: true }, { title: 'Decided' }, { title: 'Index', align: right }],
      ...[
        { title: 'Beats check', align: right },
        { title: 'In best', align: right },
      ],
      ...inIndex.map(({ trait, unit }) => ({ title: unit === null ? trait : `${trait} (${unit})`, align: right })),
    ],
    rows: ordered.map((line) => [
      ...[line.is_check ? `${line.name} (check)` : line.name, line.mark.toLowerCase(), plain(line.index)],
      ...[percent(line.beats_check), percent(line.among_best)],
      ...inIndex.map(({ c }) => plain(line.values[c] ?? null)),
    ]),
    shaded: ordered.flatMap(({ mark }, at) => (mark === 'ADVANCE' ? [at] : [])),
  };
}
