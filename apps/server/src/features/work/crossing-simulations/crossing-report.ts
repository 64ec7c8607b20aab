import { pedigreeOf } from '@heterosis/charts/crosses/cross-parents';
import { formatShare } from '@heterosis/charts/format';
import type { CrossRow } from '@heterosis/contracts/work/crossing-simulations';
import { selectionIntensity } from '@heterosis/statgen/crossing/cross-criteria';
import type { Services } from '../../../platform/http/app.ts';
import { hasColumn, readTablePage } from '../../../platform/result-tables/read-table-page.ts';
import type { ReportPart, ReportTraits } from '../runs/report/index.ts';
import { correlationColumn } from './cross-result-columns.ts';
import type { CrossingSimulationRow } from './crossing-simulations.queries.ts';
import { type CrossTableRow, crossColumns, readProgenyHistogram, toCross } from './read-crosses.ts';

const right = 'right' as const;
const TRAITS = 6;
/** Crosses in the plot of mean and spread, in the table, and as ellipses. */
const [PLOTTED, LISTED, ELLIPSES] = [1000, 15, 12];

/** Of each trait the crosses by mean and spread, the progeny of the best, and the best; two traits together. */
export async function crossingReport(
  services: Services,
  row: CrossingSimulationRow,
  names: ReportTraits,
): Promise<ReportPart[]> {
  const { traits, parameters } = row;
  const parts: ReportPart[] = [];
  if (row.result_keys.table === undefined) return parts;
  for (const [t, trait] of traits.slice(0, TRAITS).entries()) {
    const isLow = parameters.low_traits.includes(trait);
    const crosses = await readCrosses(services, row, { t, isLow, with: t === 0 && traits.length > 1 ? 1 : undefined });
    const selection = {
      ...{ intensity: selectionIntensity(parameters.selected_fraction), accuracy: parameters.accuracy, isLow },
    };
    parts.push({
      what: 'figure',
      title: `${trait}: mean and spread of the crosses`,
      caption: 'Crosses on one dashed line are equally useful; the best lie on the outermost.',
      width: 'half',
      figure: {
        chart: 'spread',
        given: { crosses, selection, mean: names.withUnit('Mean', trait), sd: names.withUnit('SD', trait) },
      },
    });
    const hasEllipses = t === 0 && traits.length > 1;
    // So that figures stand in pairs.
    const shown = crosses.slice(0, hasEllipses ? 2 : 1);
    parts.push(...(await progenyOf(services, row, { t, trait, isLow, crosses: shown, names })));
    if (hasEllipses)
      parts.push(...(await ellipsesOf(services, row, { crosses, names, axes: [trait, traits[1] ?? ''] })));
    parts.push(tableOf(trait, crosses, names));
  }
  return parts;
}

async function readCrosses(
  { tables }: Services,
  { result_keys: { table: key = '' } }: CrossingSimulationRow,
  { t, isLow, with: other }: { t: number; isLow: boolean; with?: number | undefined },
): Promise<CrossRow[]> {
  const isOfThisVersion = await hasColumn(tables, key, 'segregating_markers');
  const correlation = other === undefined ? undefined : correlationColumn(t, other);
  const { data } = await readTablePage<CrossTableRow>(tables, key, {
    columns: crossColumns(t, { isOfThisVersion, correlation }),
    ...{ order: `rank_usefulness_${t}`, isDescending: !isLow, limit: PLOTTED, cursor: undefined },
  });
  return data.map((one) => toCross(one, t, correlation));
}

interface OfTrait {
  t: number;
  trait: string;
  isLow: boolean;
  crosses: readonly CrossRow[];
  names: ReportTraits;
}

/** The progeny of the most useful crosses: simulated, or as they are expected. */
async function progenyOf(
  { tables }: Services,
  { result_keys: { progeny_table: key } }: CrossingSimulationRow,
  { t, trait, isLow, crosses, names }: OfTrait,
): Promise<ReportPart[]> {
  return await Promise.all(
    crosses.map(async (cross): Promise<ReportPart> => {
      const histogram = key === undefined ? null : ((await readProgenyHistogram(tables, key, t, cross.place)) ?? null);
      return {
        what: 'figure',
        title: `${trait}: progeny of ${cross.cross}`,
        caption: `${pedigreeOf(cross)}. ${formatShare(cross.p_transgress)} are expected to be better than the best parent.`,
        width: 'half',
        figure: {
          chart: 'progeny',
          given: {
            detail: { place: cross.place, trait, histogram },
            cross,
            isLow,
            value: names.withUnit(trait, trait),
          },
        },
      };
    }),
  );
}

async function ellipsesOf(
  services: Services,
  row: CrossingSimulationRow,
  { crosses, names, axes: [x, y] }: { crosses: readonly CrossRow[]; names: ReportTraits; axes: [string, string] },
): Promise<ReportPart[]> {
  const others = await readCrosses(services, row, { t: 1, isLow: row.parameters.low_traits.includes(y) });
  const second = new Map(others.map((one) => [one.place, one]));
  const ellipses = crosses.slice(0, ELLIPSES).flatMap((one) => {
    const other = second.get(one.place);
    if (other === undefined) return [];
    const [mean, sd] = [[one.mean, other.mean] as const, [one.sd, other.sd] as const];
    return [{ name: one.cross, mean, sd, correlation: one.correlation ?? 0 }];
  });
  if (ellipses.length === 0) return [];
  return [
    {
      what: 'figure',
      title: `${x} against ${y}`,
      caption: `An ellipse holds 95 % of the progeny of a cross; the ${ellipses.length} most useful for ${x}, the best in orange.`,
      width: 'half',
      figure: { chart: 'ellipses', given: { ellipses, x: names.withUnit(x, x), y: names.withUnit(y, y) } },
    },
  ];
}

function tableOf(trait: string, crosses: readonly CrossRow[], { withUnit }: ReportTraits): ReportPart {
  return {
    what: 'table',
    title: `${trait}: the ${Math.min(LISTED, crosses.length)} most useful crosses`,
    columns: [
      { title: 'Cross', stretches: true },
      ...[withUnit('Mean', trait), 'SD', 'Usefulness', 'Better than the best parent', 'Expected best', 'Kinship'].map(
        (title) => ({ title, align: right }),
      ),
    ],
    rows: crosses
      .slice(0, LISTED)
      .map((one) => [
        ...[one.cross, one.mean, one.sd, one.usefulness],
        ...[formatShare(one.p_transgress), one.expected_best, one.kinship],
      ]),
  };
}
