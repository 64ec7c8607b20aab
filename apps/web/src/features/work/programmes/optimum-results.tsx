import type { ProgrammeOptimum, ProgrammeSearch } from '@heterosis/contracts/work/programmes/programme-optimum';
import { NativeSelect } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Figure } from '../../../components/charts/figure.tsx';
import { useChartColors } from '../../../components/charts/use-chart-colors.ts';
import { FactsStrip } from '../../../components/page/facts-strip.tsx';
import { Section } from '../../../components/page/section.tsx';
import { formatCount, formatStatistic, formatTick } from '../../../lib/format/format.ts';
import { allocationsOption, stepsOption } from './optimum-charts.ts';
import classes from './programme-results.module.css';
import { useQuantityName } from './use-quantity-name.ts';

const HEIGHT = 380;
const ROW_PX = 44;

/** What a search of numbers has found. */
export function OptimumResults(props: { name: string; search: ProgrammeSearch; optimum: ProgrammeOptimum }) {
  const { search, optimum } = props;
  const { t } = useTranslation();
  const nameOf = useQuantityName();
  const [best] = optimum.allocations;
  return (
    <>
      <Section title={t('programmes.optimum')} note={t('programmes.optimumNote')}>
        <FactsStrip
          facts={[
            {
              label: t(search.budget_of === 'cycle' ? 'programmes.budget' : 'programmes.budgetOfAll'),
              value: formatCount(search.budget),
            },
            { label: t('programmes.costOfBest'), value: best === undefined ? '–' : formatCount(Math.round(best.cost)) },
            {
              label: nameOf(search.gain.quantity),
              value: best === undefined ? '–' : `${formatStatistic(best.gain.mean)} ± ${formatStatistic(best.gain.se)}`,
            },
            { label: t('programmes.evaluations'), value: formatCount(optimum.evaluations) },
          ]}
        />
        <FactsStrip
          facts={optimum.numbers.map(({ name, own, best: value, low, high }) => ({
            label: name,
            value: t('programmes.bestNumber', {
              value: formatTick(value),
              low: formatTick(low),
              high: formatTick(high),
              own: formatTick(own),
            }),
          }))}
        />
        <NumberFigure {...props} />
      </Section>
      {search.diversity !== undefined && (
        <Section title={t('programmes.front')} note={t('programmes.frontNote')}>
          <FrontFigure {...props} />
        </Section>
      )}
      <Section
        title={t('programmes.more', { step: formatCount(search.step) })}
        note={t('programmes.moreNote', { step: formatCount(search.step) })}
      >
        <StepsFigure {...props} />
      </Section>
    </>
  );
}

type Shown = Parameters<typeof OptimumResults>[0];

/** Rows of all allocations, as the file has them. */
function useAllocationTable({ search, optimum }: Shown) {
  const { t } = useTranslation();
  const nameOf = useQuantityName();
  return {
    head: [
      ...optimum.numbers.map(({ name }) => name),
      ...[t('programmes.cost'), t('programmes.replicates'), nameOf(search.gain.quantity), t('programmes.se')],
      ...[search.diversity ? nameOf(search.diversity.quantity) : t('programmes.diversity'), t('programmes.se')],
      ...[t('programmes.lessThanBest'), t('programmes.se')],
    ],
    rows: optimum.allocations.map((one): (string | number | null)[] => [
      ...one.numbers,
      ...[one.cost, one.replicates, one.gain.mean, one.gain.se],
      ...[one.diversity?.mean ?? null, one.diversity?.se ?? null, one.difference.mean, one.difference.se],
    ]),
    format: formatStatistic,
  };
}

function NumberFigure(props: Shown) {
  const { name, search, optimum } = props;
  const { t } = useTranslation();
  const colors = useChartColors();
  const [place, setPlace] = useState(0);
  const table = useAllocationTable(props);
  const number = optimum.numbers[place]?.name ?? '';
  const gain = useQuantityName()(search.gain.quantity);
  const option = useMemo(
    () =>
      allocationsOption(
        { ...optimum, allocations: optimum.allocations.filter(({ affordable }) => affordable) },
        { x: ({ numbers }) => numbers[place] ?? Number.NaN, y: ({ gain }) => gain },
        { x: number, y: gain, maybe: t('programmes.maybeBest'), others: t('programmes.notBest') },
        colors,
      ),
    [optimum, place, number, gain, colors, t],
  );
  return (
    <Figure
      title={t('programmes.byNumber')}
      caption={t('programmes.byNumberCaption')}
      label={t('programmes.byNumberLabel', { number })}
      option={option}
      height={HEIGHT}
      fileName={`${name} ${number}`}
      tools={
        <div className={classes.tools}>
          <NativeSelect
            label={t('programmes.movingNumber')}
            data={optimum.numbers.map((one, value) => ({ value: String(value), label: one.name }))}
            value={String(place)}
            onChange={({ currentTarget }) => setPlace(Number(currentTarget.value))}
          />
        </div>
      }
      table={table}
    />
  );
}

function FrontFigure(props: Shown) {
  const { name, search, optimum } = props;
  const { t } = useTranslation();
  const colors = useChartColors();
  const nameOf = useQuantityName();
  const gain = nameOf(search.gain.quantity);
  const diversity = nameOf(search.diversity?.quantity ?? '');
  const table = useAllocationTable(props);
  const option = useMemo(
    () =>
      allocationsOption(
        { ...optimum, allocations: optimum.allocations.filter(({ affordable }) => affordable) },
        { x: ({ diversity }) => diversity?.mean ?? Number.NaN, y: ({ gain }) => gain },
        {
          x: diversity,
          y: gain,
          maybe: t('programmes.maybeBest'),
          others: t('programmes.notBest'),
          front: t('programmes.front'),
        },
        colors,
      ),
    [optimum, gain, diversity, colors, t],
  );
  return (
    <Figure
      title={t('programmes.front')}
      caption={t('programmes.byNumberCaption')}
      label={t('programmes.frontLabel')}
      option={option}
      height={HEIGHT}
      fileName={`${name} front`}
      table={table}
    />
  );
}

function StepsFigure({ name, search, optimum }: Shown) {
  const { t } = useTranslation();
  const colors = useChartColors();
  const step = formatCount(search.step);
  const quantity = useQuantityName()(search.gain.quantity);
  const gain = t('programmes.gainEach', { quantity, step });
  const option = useMemo(() => stepsOption(optimum.steps, { gain }, colors), [optimum, gain, colors]);
  return (
    <Figure
      title={t('programmes.more', { step })}
      caption={t('programmes.moreCaption')}
      label={t('programmes.moreLabel', { step })}
      option={option}
      height={Math.max(2, optimum.steps.length) * ROW_PX + 80}
      fileName={`${name} next ${search.step}`}
      table={{
        head: [
          t('programmes.movingNumber'),
          t('programmes.best'),
          t('programmes.afterStep'),
          t('programmes.cost'),
          ...[quantity, t('programmes.se'), gain, t('programmes.se')],
        ],
        rows: optimum.steps.map((one): (string | number)[] => [
          ...[one.name, one.from, one.to, one.cost, one.gain.mean, one.gain.se, one.each.mean, one.each.se],
        ]),
        format: formatStatistic,
      }}
    />
  );
}
