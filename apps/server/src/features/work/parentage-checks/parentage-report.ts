import { formatShare, formatStatistic } from '@heterosis/charts/format';
import type { Services } from '../../../platform/http/app.ts';
import type { ReportPart } from '../runs/report/index.ts';
import type { ParentageCheckRow } from './parentage-checks.queries.ts';

const right = 'right' as const;
/** Children in conflict in the table, and findings of a kind. */
const SHOWN = 60;
type Row = Record<
  'individual' | 'female' | 'male' | 'markers' | 'conflicts' | 'likely_first' | 'likely_second',
  string | number | null
>;

/** The verdicts, how the children lie, those in conflict, and what conflicts point to. */
export async function parentageReport(
  { tables }: Services,
  { report, result_keys: { table: key } }: ParentageCheckRow,
): Promise<ReportPart[]> {
  if (report === null) return [];
  const parts: ReportPart[] = [
    {
      what: 'table',
      title: 'Children by verdict',
      width: 'half',
      columns: [
        { title: 'Verdict', stretches: true },
        { title: 'Children', align: right },
      ],
      rows: Object.entries(report.verdicts).map(([verdict, count]) => [inWords(verdict), String(count)]),
    },
  ];
  if (key !== undefined) {
    const shares = await tables.query<{ share: number }>(
      key,
      (table) => `select conflicts / markers as share from ${table} where markers > 0`,
    );
    if (shares.length > 0)
      parts.unshift({
        what: 'figure',
        title: 'Markers in conflict',
        caption:
          'Share of the compared markers that a child cannot have from its parents. Two humps: some pedigrees are wrong.',
        width: 'half',
        figure: {
          chart: 'distribution',
          given: { values: shares.map(({ share }) => 100 * share), x: 'Markers in conflict (%)', y: 'Children' },
        },
      });
    const rows = await tables.query<Row>(
      key,
      (table) =>
        `select individual, female, male, markers, conflicts, likely_first, likely_second from ${table}
         where verdict = 'CONFLICT' order by conflicts / greatest(1, markers) desc, individual limit ${SHOWN}`,
    );
    if (rows.length > 0)
      parts.push({
        what: 'table',
        title: `Children in conflict${rows.length === SHOWN ? `, the first ${SHOWN}` : ''}`,
        columns: [
          ...[{ title: 'Child', stretches: true }, { title: 'Female' }, { title: 'Male' }],
          ...[
            { title: 'Conflicts', align: right },
            { title: 'Markers', align: right },
            { title: 'Share', align: right },
          ],
          { title: 'Likely parents' },
        ],
        rows: rows.map((row) => [
          ...[text(row.individual), text(row.female), text(row.male), text(row.conflicts), text(row.markers)],
          formatShare(Number(row.conflicts) / Math.max(1, Number(row.markers))),
          [row.likely_first, row.likely_second].filter((one) => one !== null).join(' × '),
        ]),
      });
  }
  const finding = (title: string, columns: readonly string[], rows: readonly (readonly string[])[]): ReportPart[] =>
    rows.length === 0
      ? []
      : [{ what: 'table', title, columns: columns.map((one) => ({ title: one })), rows: rows.slice(0, SHOWN) }];
  return [
    ...parts,
    ...finding(
      'Samples that were likely exchanged',
      ['First', 'Second', 'Families without conflict then'],
      report.swaps.map(({ first, second, families }) => [first, second, String(families)]),
    ),
    ...finding(
      'Samples that conflicts point to',
      ['Sample', 'Families in conflict', 'Of', 'Fits in the place of'],
      report.suspects.map(({ individual, conflicts, tested, fits }) => [
        ...[individual, String(conflicts), String(tested), fits.join(', ')],
      ]),
    ),
    ...finding(
      'Copies',
      ['First', 'Second', 'Equal calls', 'Markers'],
      report.copies.map(({ first, second, identity, markers }) => [
        ...[first, second, formatStatistic(identity), String(markers)],
      ]),
    ),
  ];
}

const text = (value: string | number | null): string => (value === null ? '–' : String(value));
const inWords = (verdict: string): string => verdict.charAt(0) + verdict.slice(1).toLowerCase().replaceAll('_', ' ');
