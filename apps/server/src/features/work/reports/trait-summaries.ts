import { formatCount, formatShare, formatStatistic } from '@heterosis/charts/format';
import type { ProjectTrait } from '@heterosis/contracts/people/traits';
import type { CountedValue } from '../../data/trials/index.ts';
import type { ReportPart } from '../runs/report/index.ts';

const right = 'right' as const;
/** Traits with a figure; the table has all. */
const FIGURES = 8;
/** Values named of traits that are no numbers. */
const NAMED = 5;

/** What counts of a trait in a trial. */
export interface ReportedTrait {
  name: string;
  /** `Yield (t/ha)`. */
  title: string;
  values: readonly string[];
  /** By the number of the plot; empty for what is no number. A plot with several different values has none. */
  numbers: ReadonlyMap<number, number>;
}

export function reportedTraits(settings: readonly ProjectTrait[], values: readonly CountedValue[]): ReportedTrait[] {
  const byTrait = Map.groupBy(values, ({ trait }) => trait);
  return settings.map(({ name, unit, scale }) => {
    const own = byTrait.get(name) ?? [];
    const isNumeric =
      scale === null
        ? own.every(({ value }) => value.trim() !== '' && Number.isFinite(Number(value)))
        : scale.kind === 'numeric' || scale.kind === 'integer';
    const settled = [...Map.groupBy(own, ({ plot }) => plot)].flatMap(([plot, [first, second]]) =>
      first === undefined || second !== undefined ? [] : [[plot, Number(first.value)] as const],
    );
    return {
      ...{ name, title: unit === null ? name : `${name} (${unit})`, values: own.map(({ value }) => value) },
      numbers: new Map(isNumeric ? settled.filter(([, value]) => Number.isFinite(value)) : []),
    };
  });
}

/** Numbers by trait with their maps and distributions, and how often each value of the others was seen. */
export function summaryParts(
  traits: readonly ReportedTrait[],
  /** Of the field, where it is known. */
  mapOf: (trait: ReportedTrait) => ReportPart | undefined,
): ReportPart[] {
  const numeric = traits.filter(({ numbers }) => numbers.size > 0);
  const others = traits.filter(({ numbers, values }) => numbers.size === 0 && values.length > 0);
  return [
    ...(numeric.length === 0 ? [] : [numbersOf(numeric)]),
    ...numeric
      .slice(0, FIGURES)
      .flatMap((trait) => [mapOf(trait), distributionOf(trait)].filter((one) => one !== undefined)),
    ...(others.length === 0
      ? []
      : [
          {
            what: 'facts' as const,
            title: 'Other traits',
            facts: others.map(({ title, values }) => [title, seen(values)] as const),
          },
        ]),
  ];
}

function numbersOf(traits: readonly ReportedTrait[]): ReportPart {
  return {
    ...{ what: 'table', title: 'Traits over all plots' },
    columns: [
      { title: 'Trait', stretches: true },
      ...['Plots', 'Mean', 'SD', 'CV', 'Minimum', 'Median', 'Maximum'].map((title) => ({ title, align: right })),
    ],
    rows: traits.map(({ title, numbers }) => {
      const { n, mean, sd, minimum, median, maximum } = summaryOf([...numbers.values()]);
      return [
        ...[title, formatCount(n), formatStatistic(mean), formatStatistic(sd)],
        formatShare(sd === null || mean <= 0 ? null : sd / mean),
        ...[minimum, median, maximum].map(formatStatistic),
      ];
    }),
    note: 'SD: standard deviation between plots, lines and field together. CV: SD over mean.',
  };
}

const distributionOf = ({ title, numbers }: ReportedTrait): ReportPart => ({
  ...{ what: 'figure', title: `${title}: distribution`, width: 'half', height: 150 },
  figure: { chart: 'distribution', given: { values: [...numbers.values()], x: title, y: 'Plots' } },
});

/** Of at least one number; the standard deviation of a sample (n − 1), null of a single one. */
export function summaryOf(values: readonly number[]): {
  n: number;
  mean: number;
  sd: number | null;
  minimum: number;
  median: number;
  maximum: number;
} {
  const n = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const ordered = [...values].sort((a, b) => a - b);
  const at = (place: number): number => ordered[place] ?? Number.NaN;
  return {
    ...{ n, mean, sd: n < 2 ? null : Math.sqrt(squares / (n - 1)) },
    ...{ minimum: at(0), median: (at((n - 1) >> 1) + at(n >> 1)) / 2, maximum: at(n - 1) },
  };
}

/** `resistant (12), susceptible (3)`: the most frequent first. */
function seen(values: readonly string[]): string {
  const counts = [...Map.groupBy(values, (value) => value)]
    .map(([value, all]) => [value, all.length] as const)
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const named = counts.slice(0, NAMED).map(([value, count]) => `${value} (${formatCount(count)})`);
  return counts.length > NAMED
    ? `${named.join(', ')} and ${formatCount(counts.length - NAMED)} others`
    : named.join(', ');
}
