import { costCurveOption } from '@heterosis/charts/cost-curve';
import { type TrialSize, type TrialVariances, trialSizes } from '@heterosis/statgen/designs/trial-sizes';
import { Button, NativeSelect } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Figure } from '../../../../components/charts/figure.tsx';
import { useChartColors } from '../../../../components/charts/use-chart-colors.ts';
import { ModalFrame } from '../../../../components/dialog/modal-frame.tsx';
import { NumberField } from '../../../../components/form/number-field.tsx';
import { EmptyState } from '../../../../components/page/empty-state.tsx';
import { ErrorNotice } from '../../../../components/page/error-notice.tsx';
import { type DataColumn, DataTable } from '../../../../components/table/data-table.tsx';
import { type FieldNumber, numberOf } from '../../../../lib/form/field-number.ts';
import { numberError } from '../../../../lib/form/form.ts';
import { formatCount, formatStatistic } from '../../../../lib/format/format.ts';
import classes from './sizes.module.css';
import { type AnalysedTrait, analysedTraitsQuery, variancesQuery } from './variances.api.ts';

const VARIANCE = { min: 0, max: 1e12 };
const COST = { min: 0, max: 1e9 };
const LIMITS = {
  lines: VARIANCE,
  interaction: VARIANCE,
  residual: VARIANCE,
  entries: { min: 1, max: 20_000, isWhole: true },
  cost_plot: COST,
  cost_place: COST,
  places: { min: 1, max: 100, isWhole: true },
  replicates: { min: 1, max: 20, isWhole: true },
};
type Name = keyof typeof LIMITS;
const NAMES = Object.keys(LIMITS) as Name[];
const COMPONENTS = ['lines', 'interaction', 'residual'] as const;

const HEIGHT = 320;

/** Expected accuracy against cost for every number of places and replicates, from variances of an analysis or typed. */
export function SizesDialog(props: {
  projectId: string;
  /** Of the trial that is being laid out; 0: none yet. */
  entries: number;
  onUse: (size: TrialSize) => void;
  onClose: () => void;
}) {
  const { projectId, entries, onUse, onClose } = props;
  const { t } = useTranslation();
  const form = useForm<Record<Name, FieldNumber>>({
    initialValues: {
      ...{ lines: '', interaction: 0, residual: '', entries: entries || 100 },
      ...{ cost_plot: 1, cost_place: 0, places: 10, replicates: 4 },
    },
    validateInputOnChange: true,
    validate: Object.fromEntries(
      NAMES.map((name) => [
        name,
        (value: FieldNumber) => (value === '' ? null : (numberError(t, value, LIMITS[name]) ?? null)),
      ]),
    ),
  });
  const { values } = form;
  const sizes = useMemo(() => sizesOf(values), [values]);
  const field = (name: Name, unit?: string) => (
    <NumberField
      label={t(`trials.sizes.${name}`)}
      limits={LIMITS[name]}
      startValue={1}
      {...(unit === undefined ? {} : { unit })}
      {...form.getInputProps(name)}
    />
  );
  return (
    <ModalFrame
      title={t('trials.sizes.title')}
      help="methods#designs-of-trials"
      onClose={onClose}
      size="xl"
      unsaved={{ isDirty: false }}
    >
      <div className={classes.fields}>
        <VarianceSource projectId={projectId} onVariances={(found) => form.setValues(asFields(found))} />
        {COMPONENTS.map((name) => (
          <div key={name}>{field(name)}</div>
        ))}
        {field('entries')}
        {field('cost_plot')}
        {field('cost_place')}
        {field('places')}
        {field('replicates')}
      </div>
      {sizes.length === 0 ? (
        <EmptyState title={t('trials.sizes.waits')}>{t('trials.sizes.waitsText')}</EmptyState>
      ) : (
        <SizesFigure sizes={sizes} onUse={onUse} />
      )}
    </ModalFrame>
  );
}

/** None until all numbers are there and make sense. */
function sizesOf(values: Record<Name, FieldNumber>): TrialSize[] {
  const number = (name: Name): number => numberOf(values[name]);
  const isSound = (name: Name): boolean => {
    const { min, max } = LIMITS[name];
    return (
      number(name) >= min && number(name) <= max && (!('isWhole' in LIMITS[name]) || Number.isInteger(number(name)))
    );
  };
  if (!NAMES.every(isSound) || number('lines') <= 0) return [];
  return trialSizes(
    { lines: number('lines'), interaction: number('interaction'), residual: number('residual') },
    { entries: number('entries'), places: number('places'), replicates: number('replicates') },
    { plot: number('cost_plot'), place: number('cost_place') },
  );
}

const rounded = (value: number): number => Number(value.toPrecision(4));

const asFields = ({ lines, interaction, residual }: Partial<TrialVariances>): Partial<Record<Name, FieldNumber>> => ({
  lines: lines === undefined ? '' : rounded(lines),
  interaction: interaction === undefined ? 0 : rounded(interaction),
  residual: residual === undefined ? '' : rounded(residual),
});

/** The analysis of trials whose variances are taken; without one they are typed. */
function VarianceSource(props: { projectId: string; onVariances: (found: Partial<TrialVariances>) => void }) {
  const { projectId, onVariances } = props;
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<AnalysedTrait>();
  const client = useQueryClient();
  const list = useQuery(analysedTraitsQuery(projectId));
  const take = useMutation({
    mutationFn: (one: AnalysedTrait) => client.fetchQuery(variancesQuery(projectId, one)),
    onSuccess: onVariances,
  });
  const keyOf = ({ analysisId, trait }: AnalysedTrait): string => `${analysisId} ${trait}`;
  const error = list.error ?? take.error;
  return (
    <div className={classes.wide}>
      <NativeSelect
        label={t('trials.sizes.source')}
        description={chosen && !chosen.hasSeries ? t('trials.sizes.noSeries') : t('trials.sizes.sourceHint')}
        value={chosen === undefined ? '' : keyOf(chosen)}
        onChange={(event) => {
          const { value } = event.currentTarget;
          const one = list.data?.find((known) => keyOf(known) === value);
          setChosen(one);
          if (one) take.mutate(one);
        }}
        data={[
          { value: '', label: t('trials.sizes.typed') },
          ...(list.data ?? []).map((one) => ({ value: keyOf(one), label: `${one.name}: ${one.trait}` })),
        ]}
      />
      {error && <ErrorNotice error={error} />}
    </div>
  );
}

function SizesFigure({ sizes, onUse }: { sizes: readonly TrialSize[]; onUse: (size: TrialSize) => void }) {
  const { t } = useTranslation();
  const colors = useChartColors();
  const option = useMemo(
    () =>
      costCurveOption(
        sizes.map(({ places, replicates, plots, cost, accuracy, isBest }) => ({
          ...{ cost, value: accuracy, isBest },
          group: t('trials.sizes.group', { count: replicates }),
          text: t('trials.sizes.point', {
            ...{ places, replicates, plots: formatCount(plots), cost: formatStatistic(cost) },
            accuracy: accuracy.toFixed(3),
          }),
        })),
        { x: t('trials.sizes.cost'), y: t('trials.sizes.accuracy') },
        colors,
      ),
    [sizes, colors, t],
  );
  const best = sizes.filter(({ isBest }) => isBest);
  const number = (id: 'places' | 'replicates' | 'plots' | 'cost', header: string): DataColumn<TrialSize> => ({
    ...{ id, header, numeric: true, width: 100 },
    value: (row) => row[id],
    cell: (row) => (id === 'cost' ? formatStatistic(row.cost) : formatCount(row[id])),
  });
  const columns: DataColumn<TrialSize>[] = [
    number('places', t('trials.places')),
    number('replicates', t('trials.sizes.replicatesColumn')),
    number('plots', t('trials.sizes.plots')),
    number('cost', t('trials.sizes.cost')),
    {
      ...{ id: 'accuracy', header: t('trials.sizes.accuracyColumn'), numeric: true, width: 130, narrow: true },
      value: (row) => row.accuracy,
      cell: (row) => row.accuracy.toFixed(3),
    },
    {
      ...{ id: 'use', header: t('trials.sizes.use'), exported: [], sortable: false, width: 90 },
      value: () => null,
      cell: (row) => (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={t('trials.sizes.useOf', { places: row.places, replicates: row.replicates })}
          onClick={() => onUse(row)}
        >
          {t('trials.sizes.use')}
        </Button>
      ),
    },
  ];
  return (
    <>
      <Figure
        title={t('trials.sizes.figure')}
        caption={t('trials.sizes.caption')}
        label={t('trials.sizes.figure')}
        option={option}
        height={HEIGHT}
        fileName={t('trials.sizes.title')}
        table={{
          head: ['places', 'replicates', 'plots', 'cost', 'heritability', 'accuracy', 'best'],
          rows: sizes.map(({ places, replicates, plots, cost, heritability, accuracy, isBest }) => [
            ...[places, replicates, plots, cost, heritability, accuracy],
            Number(isBest),
          ]),
          format: formatStatistic,
        }}
      />
      <DataTable
        id="trial-sizes"
        label={t('trials.sizes.best')}
        columns={columns}
        rows={best}
        rowId={({ places, replicates }) => `${places} ${replicates}`}
        hasTools={false}
        maxHeight="18rem"
      />
    </>
  );
}
