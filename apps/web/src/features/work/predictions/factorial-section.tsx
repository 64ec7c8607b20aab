import { factorialGrid, type HybridValue } from '@heterosis/charts/crosses/factorial-grid';
import { describeCell, heatmapOption } from '@heterosis/charts/heatmap';
import type { Factorial, PredictionDetail } from '@heterosis/contracts/work/predictions';
import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Figure } from '../../../components/charts/figure.tsx';
import { useChartColors } from '../../../components/charts/use-chart-colors.ts';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { Section } from '../../../components/page/section.tsx';
import { type DataColumn, DataTable } from '../../../components/table/data-table.tsx';
import { formatStatistic } from '../../../lib/format/format.ts';
import { useTraitSettings } from '../../people/projects/index.ts';
import classes from './factorial-section.module.css';
import { factorialQuery } from './predictions.api.ts';

/** Names on the sides beyond which they would overlap. */
const NAMES_UP_TO = 40;
/** And values in the cells. */
const VALUES_UP_TO = 8;
const HEIGHT_PX = 520;
/** Beside the heat map, both parents and the value are seen at once. */
const PARENT_PX = 110;

/** The hybrids among the predicted individuals: females against males, the best of each first. */
export function FactorialSection({ projectId, prediction }: { projectId: string; prediction: PredictionDetail }) {
  const { t } = useTranslation();
  const [trait, setTrait] = useState(prediction.traits[0] ?? '');
  const { data, error, refetch } = useQuery(factorialQuery(projectId, prediction.id, trait));
  const settings = useTraitSettings(projectId);
  if (error)
    return (
      <Section title={t('predictions.factorial.title')}>
        <ErrorNotice error={error} onRetry={() => void refetch()} />
      </Section>
    );
  if (data === undefined || settings === undefined || data.hybrids.length === 0) return null;
  return (
    <Section title={t('predictions.factorial.title')} note={t('predictions.factorial.note')}>
      <FactorialView
        name={prediction.name}
        factorial={data}
        traits={prediction.traits}
        trait={trait}
        onTrait={setTrait}
        isLow={settings(data.trait).direction === 'lower'}
      />
    </Section>
  );
}

interface ViewProps {
  name: string;
  factorial: Factorial;
  traits: readonly string[];
  trait: string;
  onTrait: (trait: string) => void;
  /** Low values of the trait are wanted. */
  isLow: boolean;
}

function FactorialView({ name, factorial, traits, trait, onTrait, isLow }: ViewProps) {
  const { t } = useTranslation();
  const colors = useChartColors();
  const hasGenotypic = factorial.hybrids.some(({ genotypic }) => genotypic !== null);
  const [chosen, setChosen] = useState<HybridValue>('genotypic');
  const value = hasGenotypic ? chosen : 'gebv';
  const grid = useMemo(() => factorialGrid(factorial, { which: value, isLow }), [factorial, value, isLow]);
  const option = useMemo(
    () =>
      heatmapOption(
        grid,
        {
          min: grid.min,
          max: grid.max,
          format: formatStatistic,
          showNames: Math.max(grid.rows.length, grid.columns.length) <= NAMES_UP_TO,
          showValues: Math.max(grid.rows.length, grid.columns.length) <= VALUES_UP_TO,
        },
        colors,
      ),
    [grid, colors],
  );
  const valueLabel = t(`predictions.factorial.${value}`);
  const describe = useCallback(
    (column: number, row: number) => describeCell(grid, column, row, formatStatistic),
    [grid],
  );
  const columns = useColumns(valueLabel);
  const head = [t('predictions.factorial.female'), t('predictions.factorial.male'), valueLabel];
  const title = t('predictions.factorial.of', { value: valueLabel, trait });
  return (
    <>
      <div className={classes.choices}>
        {traits.length > 1 && (
          <NativeSelect
            label={t('predictions.factorial.trait')}
            data={[...traits]}
            value={trait}
            onChange={({ currentTarget }) => onTrait(currentTarget.value)}
          />
        )}
        {hasGenotypic && (
          <NativeSelect
            label={t('predictions.factorial.value')}
            data={(['genotypic', 'gebv'] as const).map((one) => ({
              value: one,
              label: t(`predictions.factorial.${one}`),
            }))}
            value={value}
            onChange={({ currentTarget }) => setChosen(currentTarget.value as HybridValue)}
          />
        )}
      </div>
      <div className={classes.sides}>
        <Figure
          title={title}
          caption={t('predictions.factorial.caption')}
          label={title}
          height={HEIGHT_PX}
          option={option}
          describeAt={describe}
          fileName={`${name} ${trait} ${value}`}
          table={() => ({
            head,
            rows: grid.hybrids.map(({ female, male, value: figure }) => [female, male, figure]),
            format: formatStatistic,
          })}
        />
        <DataTable
          id="factorial"
          label={t('predictions.factorial.title')}
          columns={columns}
          rows={grid.hybrids}
          rowId={({ name: hybrid }) => hybrid}
          key={String(isLow)}
          defaultSort={{ column: 'value', descending: !isLow }}
          csvName={`${name} ${trait} hybrids`}
          maxHeight="34rem"
        />
      </div>
    </>
  );
}

type Row = ReturnType<typeof factorialGrid>['hybrids'][number];

function useColumns(valueLabel: string): DataColumn<Row>[] {
  const { t } = useTranslation();
  return useMemo(
    () => [
      { id: 'female', header: t('predictions.factorial.female'), value: ({ female }) => female, width: PARENT_PX },
      { id: 'male', header: t('predictions.factorial.male'), value: ({ male }) => male, width: PARENT_PX },
      {
        id: 'value',
        header: valueLabel,
        value: ({ value }) => value,
        cell: ({ value }) => formatStatistic(value),
        numeric: true,
        narrow: true,
        width: 150,
      },
    ],
    [t, valueLabel],
  );
}
