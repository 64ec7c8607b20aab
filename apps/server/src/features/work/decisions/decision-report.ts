import { formatStatistic } from '@heterosis/charts/format';
import type { ReportQuery } from '@heterosis/contracts/work/runs';
import type { Services } from '../../../platform/http/app.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { type Audience, type Report, type ReportPart, readReportPlace } from '../runs/report/index.ts';
import { requireMinutes } from './closing.service.ts';
import { requireDecision } from './decisions.service.ts';
import { inOrder, type Minutes, type MinutesLine } from './minutes.ts';
import { factsOf, percent } from './minutes-words.ts';

/** Columns of values that are seen side by side. */
const MOST_VALUES = 6;

interface DecisionReading {
  projectId: string;
  id: string;
  page: ReportQuery['page'];
  audience: Audience;
  /** Absent: the last one that was closed. */
  version?: number | undefined;
}

/**
 * The minutes of a closed decision: what was on the table, what was decided of each line, and for members who marked it
 * how and why. Whoever holds a link reads neither names nor what people said, and nothing once it is open again.
 *
 * @throws Problem `decisions/no-minutes` of a decision that was never closed
 */
export async function reportOfDecision(
  { db, config }: Pick<Services, 'db' | 'config'>,
  { projectId, id, page, audience, version }: DecisionReading,
): Promise<Report> {
  const row = await requireDecision(db, projectId, id);
  const isInside = audience === 'members';
  if (!isInside && row.state !== 'CLOSED')
    throw new Problem('decisions/no-minutes', `"${row.name}" is open. Close it first: what is shared is its result.`);
  const { created_at: _, ...place } = await readReportPlace({ db }, projectId, audience);
  const { minutes } = await requireMinutes(db, row, version);
  return {
    ...{ ...place, page, kind: 'Decision', methods: '' },
    link: isInside ? `${config.publicUrl}/projects/${projectId}/decisions/${id}` : null,
    ...{ name: row.name, description: minutes.description, date: minutes.closed_at },
    sentences: factsOf(minutes),
    inputs: isInside ? whoMet(minutes) : [],
    parts: [onTheTable(minutes), decided(minutes), ...(isInside ? saidAbout(minutes) : [])],
    provenance: [
      ['Closed', `${minutes.closed_at.slice(0, 16).replace('T', ' ')} UTC`],
      ['Version', String(minutes.version)],
      ['SHA-256 of the lines', minutes.sha256],
    ],
  };
}

const whoMet = ({ closed_by: closedBy, chair, people }: Minutes): Report['inputs'] => [
  ['Chair', chair ?? '–'],
  ['Closed by', closedBy],
  ['Marked by', people.join(', ') || 'nobody'],
];

const right = 'right' as const;

const onTheTable = ({ columns }: Minutes): ReportPart => ({
  what: 'table',
  title: 'What was on the table',
  columns: [
    ...[{ title: 'Value' }, { title: 'What' }, { title: 'Run', stretches: true }, { title: 'Of' }],
    ...[{ title: 'Weight', align: right }, { title: 'SHA-256' }],
  ],
  rows: columns.map((column) => [
    column.unit === null ? column.trait : `${column.trait} (${column.unit})`,
    ...[
      column.what,
      column.run_name,
      column.run_at.slice(0, 10),
      formatStatistic(column.weight),
      column.sha256.slice(0, 16),
    ],
  ]),
});

function decided({ columns, lines }: Minutes): ReportPart {
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
      ...[line.is_check ? `${line.name} (check)` : line.name, line.mark.toLowerCase(), line.index],
      ...[percent(line.beats_check), percent(line.among_best)],
      ...inIndex.map(({ c }) => line.values[c]),
    ]),
    shaded: ordered.flatMap(({ mark }, at) => (mark === 'ADVANCE' ? [at] : [])),
  };
}

/** Marks and reasons, of the lines that have any: a reason may be longer than a cell of a table. */
function saidAbout({ lines }: Minutes): ReportPart[] {
  const said = inOrder(lines).flatMap((line): [string, string][] => {
    const words = wordsAbout(line);
    return words === '' ? [] : [[line.name, words]];
  });
  return said.length === 0 ? [] : [{ what: 'facts', title: 'Marks and reasons', facts: said }];
}

function wordsAbout({ marks, settled_by: by, settled_reason: reason }: MinutesLine): string {
  const said = marks.map((one) => `${one.person}: ${one.mark.toLowerCase()}${one.reason && ` (${one.reason})`}`);
  const settled = by === null ? [] : [`settled by ${by}${reason ? ` (${reason})` : ''}`];
  return [...settled, ...said].join('; ');
}
