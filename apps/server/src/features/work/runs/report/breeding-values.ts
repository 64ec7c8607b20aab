import type { ReportPart } from './report.ts';
import type { ReportTraits } from './report-traits.ts';

/** Individuals in the table of a trait. */
const SHOWN = 15;

interface BreedingValueRow {
  individual: string;
  gebv: number;
}

interface BreedingValueColumn<Row> {
  title: string;
  value: (row: Row) => number | null;
}

/** The distribution of the breeding values of a trait beside a table of the best; `rows` from high to low. */
export function breedingValueParts<Row extends BreedingValueRow>(
  { withUnit, isLow }: ReportTraits,
  trait: string,
  given: { rows: readonly Row[]; title: string; caption: string; columns: readonly BreedingValueColumn<Row>[] },
): ReportPart[] {
  const { rows, title, caption, columns } = given;
  const best = isLow(trait) ? rows.toReversed() : rows;
  const gebv = withUnit('GEBV', trait);
  return [
    {
      ...{ what: 'figure', width: 'half', title: `${trait}: ${title}`, caption },
      figure: {
        chart: 'distribution',
        given: { values: rows.map((row) => row.gebv), x: gebv, y: 'Individuals' },
      },
    },
    {
      ...{ what: 'table', width: 'half' },
      title: `${trait}: the best ${Math.min(SHOWN, best.length)} of ${best.length} individuals`,
      columns: [
        { title: 'Individual', stretches: true },
        ...[gebv, ...columns.map((column) => column.title)].map((name) => ({ title: name, align: 'right' as const })),
      ],
      rows: best.slice(0, SHOWN).map((row) => [row.individual, row.gebv, ...columns.map(({ value }) => value(row))]),
    },
  ];
}
