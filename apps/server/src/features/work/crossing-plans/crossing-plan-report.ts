import { formatStatistic } from '@heterosis/charts/format';
import { splitLine } from '@heterosis/file-formats/tables/text/delimited-text';
import type { Services } from '../../../platform/http/app.ts';
import { readObject } from '../../../platform/object-storage/stored-panel.ts';
import type { ReportPart, ReportTraits } from '../runs/report/index.ts';
import type { CrossingPlanRow } from './crossing-plans.queries.ts';

const right = 'right' as const;
/** Crosses in the table. */
const SHOWN = 200;
/** Of the bars of the parents. */
const PARENTS = 40;

/** The trade-off, what it brings for each trait, and the crosses. */
export async function crossingPlanReport(
  services: Services,
  { traits, report, result_keys: keys }: CrossingPlanRow,
  { withUnit }: ReportTraits,
): Promise<ReportPart[]> {
  if (report === null || keys.crosses === undefined) return [];
  const crosses = await readCsv(services, keys.crosses);
  const curve = keys.curve === undefined ? [] : await readCsv(services, keys.curve);
  const numberIn = (row: Record<string, string>, column: string): number => Number(row[column] ?? Number.NaN);
  const points = curve.flatMap((row) => {
    const [coancestry, value] = [numberIn(row, 'coancestry'), numberIn(row, 'index')];
    return Number.isFinite(coancestry) && Number.isFinite(value) ? [{ coancestry, value }] : [];
  });
  const uses = new Map<string, number>();
  for (const { parent1 = '', parent2 = '' } of crosses)
    for (const name of [parent1, parent2]) uses.set(name, (uses.get(name) ?? 0) + 1);
  const parents = [...uses].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  const hasSpread = crosses.some(({ sd = '' }) => sd !== '');
  return [
    {
      what: 'figure',
      title: 'Value against diversity',
      caption: 'The curve is the best that any contributions of the candidates reach; the diamond is this plan.',
      width: 'half',
      figure: {
        chart: 'tradeOff',
        given: {
          ...{ curve: points, value: 'Mean index of the parents' },
          plan: { coancestry: report.coancestry, value: report.value },
        },
      },
    },
    {
      what: 'table',
      title: 'What the plan brings',
      width: 'half',
      columns: [
        { title: 'Trait', stretches: true },
        { title: 'Weight', align: right },
        { title: 'Parents − candidates', align: right },
      ],
      rows: traits.map((trait) => [
        ...[withUnit(trait, trait), formatStatistic(report.weights[trait]), formatStatistic(report.changes[trait])],
      ]),
      note: `${report.crosses} crosses of ${report.parents} of ${report.candidates} candidates. Group coancestry ${formatStatistic(report.coancestry)}, cap ${formatStatistic(report.cap)}. Mean index ${formatStatistic(report.value)} of at most ${formatStatistic(report.value_bound)} under the cap.`,
    },
    {
      what: 'table',
      title: 'Planned crosses',
      columns: [
        { title: 'Parent 1', stretches: true },
        { title: 'Parent 2' },
        { title: 'Index', align: right },
        ...(hasSpread
          ? [
              { title: 'SD of the progeny', align: right },
              { title: 'Usefulness', align: right },
            ]
          : []),
        { title: 'Inbreeding', align: right },
        ...traits.map((trait) => ({ title: withUnit(trait, trait), align: right })),
      ],
      rows: crosses.slice(0, SHOWN).map((row) => {
        const figure = (column: string): number | null => {
          const value = row[column];
          return value === undefined || value === '' ? null : Number(value);
        };
        return [
          ...[row['parent1'] ?? '', row['parent2'] ?? '', figure('index')],
          ...(hasSpread ? [figure('sd'), figure('usefulness')] : []),
          figure('inbreeding'),
          ...traits.map((trait) => figure(`mean_${trait}`)),
        ];
      }),
      ...(crosses.length > SHOWN ? { note: `The first ${SHOWN} of ${crosses.length} crosses.` } : {}),
    },
    {
      what: 'table',
      title: 'Parents by number of crosses',
      width: 'half',
      columns: [
        { title: 'Parent', stretches: true },
        { title: 'Crosses', align: right },
      ],
      rows: parents.slice(0, PARENTS).map(([name, count]) => [name, String(count)]),
    },
  ];
}

/** The rows of a file that we wrote, by its heads. */
async function readCsv({ storage }: Services, key: string): Promise<Record<string, string>[]> {
  const [head = '', ...lines] = new TextDecoder().decode(await readObject(storage, key)).split(/\r?\n/);
  const names = splitLine(head, ',');
  return lines
    .filter((line) => line !== '')
    .map((line) => {
      const cells = splitLine(line, ',');
      return Object.fromEntries(names.map((name, place) => [name, cells[place] ?? '']));
    });
}
