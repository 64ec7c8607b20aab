import { intervalsOption } from '@heterosis/charts/intervals';
import type { ModelDetail } from '@heterosis/contracts/work/models';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Figure } from '../../../components/charts/figure.tsx';
import { useChartColors } from '../../../components/charts/use-chart-colors.ts';
import classes from '../../../components/page/figures.module.css';
import { type DataColumn, DataTable } from '../../../components/table/data-table.tsx';
import { formatDecimals, formatDuration, formatMeanSd, formatPValue } from '../../../lib/format/format.ts';
import { TraitSelect, useTraitInAddress } from '../runs/index.ts';

type Compared = NonNullable<NonNullable<ModelDetail['evaluation'][string]>['compared']>;
type OnFolds = Compared['models'][number];
/** The difference from the first model, which is GBLUP of the trait alone. */
interface Row extends OnFolds {
  place: number;
  from: { difference: number; se: number; p: number } | undefined;
}

const ROW_PX = 44;
const AROUND_PX = 64;
const DECIMALS = 3;
const FIGURE_PX = 150;

export const isCompared = (model: ModelDetail, trait: string): boolean =>
  model.evaluation[trait]?.compared !== undefined;

const nameOf = ({ model, scheme }: OnFolds, t: TFunction): string =>
  scheme === 'cv2'
    ? t('models.modelAndScheme.cv2', { model: t(`models.modelName.${model}`) })
    : t(`models.modelName.${model}`);

const rowsOf = ({ models, differences }: Compared): Row[] =>
  models.map((one, place) => ({
    ...one,
    place,
    from: differences.find(({ first, second }) => first === place && second === 0),
  }));

/** Models of a trait on the same folds: how well each predicts, whether differences are more than chance, and cost. */
export function ComparedTab({ model, traits }: { model: ModelDetail; traits: string[] }) {
  const { t } = useTranslation();
  const { trait, choose } = useTraitInAddress(traits);
  const compared = model.evaluation[trait]?.compared;
  return (
    <>
      <TraitSelect traits={traits} value={trait} onChange={choose} />
      {compared === undefined ? (
        <p className="hx-muted">{t('models.notEvaluated')}</p>
      ) : (
        <>
          <Recommendation compared={compared} trait={trait} />
          <OnSameFolds model={model} trait={trait} compared={compared} />
          <ModelTable model={model} trait={trait} compared={compared} />
        </>
      )}
    </>
  );
}

function Recommendation({ compared, trait }: { compared: Compared; trait: string }) {
  const { t } = useTranslation();
  const { models, recommended } = compared;
  const one = recommended === null ? undefined : models[recommended];
  if (one === undefined) return null;
  return <p>{t('models.recommended', { trait, model: nameOf(one, t) })}</p>;
}

function OnSameFolds({ model, trait, compared }: { model: ModelDetail; trait: string; compared: Compared }) {
  const { t } = useTranslation();
  const colors = useChartColors();
  const rows = useMemo(() => rowsOf(compared), [compared]);
  const shown = useMemo(() => rows.filter(({ fold_r: r }) => r.mean !== null), [rows]);
  const option = useMemo(
    () =>
      intervalsOption(
        shown.map((row) => ({
          name: nameOf(row, t),
          value: row.fold_r.mean ?? Number.NaN,
          error: row.from?.se ?? null,
          isMarked: row.place === compared.recommended,
        })),
        {
          x: t('models.rWithinFolds'),
          from: rows[0]?.fold_r.mean ?? undefined,
          format: (value) => formatDecimals(value, DECIMALS),
        },
        colors,
      ),
    [rows, shown, compared.recommended, colors, t],
  );
  const title = t('models.comparedTitle', { trait });
  return (
    <Figure
      title={title}
      caption={t('models.comparedCaption')}
      meaning={t('models.comparedMeaning')}
      label={title}
      option={option}
      height={AROUND_PX + ROW_PX * Math.max(2, shown.length)}
      fileName={`${model.name} ${trait} models`}
      table={{
        head: [
          t('models.firstModel'),
          t('models.secondModel'),
          t('models.differenceOfR'),
          t('models.standardError'),
          'p',
        ],
        rows: compared.differences.map(({ first, second, difference, se, p }) => {
          const [one, other] = [compared.models[first], compared.models[second]];
          return [one ? nameOf(one, t) : '', other ? nameOf(other, t) : '', difference, se, p];
        }),
        format: (value) => formatDecimals(value, DECIMALS),
      }}
    />
  );
}

function ModelTable({ model, trait, compared }: { model: ModelDetail; trait: string; compared: Compared }) {
  const { t } = useTranslation();
  const columns: DataColumn<Row>[] = [
    {
      id: 'model',
      header: t('models.firstModel'),
      value: (row) => nameOf(row, t),
    },
    {
      id: 'r',
      header: t('models.rWithinFolds'),
      hint: t('models.rWithinFoldsHint'),
      value: ({ fold_r: r }) => r.mean ?? undefined,
      cell: ({ fold_r: r }) => formatMeanSd(r),
      numeric: true,
      width: FIGURE_PX,
      narrow: true,
    },
    {
      id: 'difference',
      header: t('models.differenceFromFirst'),
      hint: t('models.differenceHint'),
      value: ({ from }) => from?.difference,
      cell: ({ from }) => formatMeanSd(from && { mean: from.difference, sd: from.se }),
      numeric: true,
      width: FIGURE_PX,
    },
    {
      id: 'p',
      header: 'p',
      hint: t('models.pHint'),
      value: ({ from }) => from?.p,
      cell: ({ from }) => formatPValue(from?.p),
      numeric: true,
      width: 90,
    },
    {
      id: 'seconds',
      header: t('models.cost'),
      hint: t('models.costHint'),
      value: ({ seconds }) => seconds,
      cell: ({ seconds }) => formatDuration(seconds),
      numeric: true,
      width: 110,
    },
  ];
  return (
    <section>
      <DataTable
        id="models-compared"
        label={t('models.compared')}
        columns={columns}
        rows={rowsOf(compared)}
        rowId={({ place }) => String(place)}
        hasSearch={false}
        csvName={`${model.name} ${trait} models`}
        maxHeight="24rem"
      />
      <p className={classes.note}>{t('models.comparedNote')}</p>
    </section>
  );
}
