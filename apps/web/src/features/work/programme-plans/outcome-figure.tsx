import type { ChartColors } from '@heterosis/charts/chart-colors';
import { type ChartOption, escapeHtml } from '@heterosis/charts/chart-option';
import type { PlanOutcome } from '@heterosis/contracts/work/programmes/programme-plans';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Figure } from '../../../components/charts/figure.tsx';
import { useChartColors } from '../../../components/charts/use-chart-colors.ts';
import { formatStatistic } from '../../../lib/format/format.ts';
import { courseOption } from '../programmes/index.ts';

const HEIGHT = 320;

type Step = PlanOutcome['steps'][number];
type Gain = { name: string; year: number; value: number };

/** Gains over the founders that trials have shown, beside those that the simulation expects of these years. */
export function OutcomeFigure({ name, outcome }: { name: string; outcome: PlanOutcome }) {
  const { t } = useTranslation();
  const colors = useChartColors();
  const expected = useMemo(() => outcome.steps.filter((step) => step.expected?.what === 'SINCE_FOUNDERS'), [outcome]);
  const realised = useMemo(() => outcome.steps.flatMap(realisedOf), [outcome]);
  const value = outcome.unit === null ? t('programmePlans.gain') : `${t('programmePlans.gain')}, ${outcome.unit}`;
  const option = useMemo(
    () =>
      outcomeOption(
        expected,
        realised,
        { year: t('programmes.yearAxis'), value, expected: t('programmePlans.expectation') },
        colors,
      ),
    [expected, realised, value, colors, t],
  );
  if (realised.length === 0) return null;
  return (
    <Figure
      title={t('programmePlans.figure')}
      caption={t('programmePlans.figureCaption')}
      label={t('programmePlans.figureLabel', { trait: outcome.trait })}
      option={option}
      height={HEIGHT}
      fileName={`${name} expected and realised`}
      table={{
        head: [
          t('programmes.yearAxis'),
          t('programmePlans.of'),
          t('programmePlans.gain'),
          t('programmes.low'),
          t('programmes.high'),
        ],
        rows: [
          ...expected.map(({ year, expected: gain }): (string | number | null)[] => [
            ...[year, t('programmePlans.expectation'), gain?.mean ?? null, gain?.low ?? null, gain?.high ?? null],
          ]),
          ...realised.map((one): (string | number | null)[] => [one.year, one.name, one.value, null, null]),
        ],
        format: formatStatistic,
      }}
    />
  );
}

const realisedOf = ({ year, realised }: Step): Gain[] =>
  realised.flatMap(({ what, name, value }) =>
    what === 'SINCE_FOUNDERS' && value !== null ? [{ name, year, value }] : [],
  );

function outcomeOption(
  expected: readonly Step[],
  realised: readonly Gain[],
  words: { year: string; value: string; expected: string },
  colors: ChartColors,
): ChartOption {
  const none = { quantity: 'gain1', sd: null, se: null, difference: null };
  const points = expected.flatMap(({ cycle, year, expected: gain }) =>
    gain === null ? [] : [{ ...none, cycle, year, ...gain }],
  );
  // The founders themselves.
  points.unshift({ ...none, cycle: 0, year: 0, what: 'SINCE_FOUNDERS', mean: 0, low: 0, high: 0, replicates: 0 });
  const course = courseOption(
    [{ name: words.expected, points }],
    'replicates',
    { year: words.year, value: words.value, replicates: () => '' },
    colors,
  );
  return {
    ...course,
    series: [
      ...(course['series'] as object[]),
      {
        type: 'scatter',
        symbol: 'diamond',
        symbolSize: 13,
        itemStyle: { color: colors.series[1] ?? colors.mark },
        data: realised.map((one) => ({ name: one.name, value: [one.year, one.value] })),
        tooltip: {
          formatter: ({ data }: { data: { name: string; value: [number, number] } }) =>
            `${escapeHtml(data.name)}<br>${escapeHtml(words.year)} ${formatStatistic(data.value[0])}: ${formatStatistic(data.value[1])}`,
        },
        z: 3,
      },
    ],
  };
}
