import { heatmapOption, heatmapWiderBy, square } from '@heterosis/charts/heatmap';
import type { ModelDetail } from '@heterosis/contracts/work/models';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Figure } from '../../../components/charts/figure.tsx';
import { useChartColors } from '../../../components/charts/use-chart-colors.ts';
import classes from '../../../components/page/figures.module.css';
import { type DataColumn, DataTable } from '../../../components/table/data-table.tsx';
import { formatDecimals, formatMeanSd, formatStatistic } from '../../../lib/format/format.ts';

type MultiTrait = NonNullable<ModelDetail['multi_trait']>;
type Side = 'genetic' | 'residual';

const HEIGHT = 320;
const DECIMALS = 2;
const FIGURE_PX = 170;

/** How traits that were fitted together vary together: in their genes, and in what the genes do not explain. */
export function CorrelationsTab({ model, together }: { model: ModelDetail; together: MultiTrait }) {
  const { t } = useTranslation();
  const { at_boundary, converged } = together;
  const [boundary] = at_boundary;
  return (
    <>
      <p className="hx-muted">{t('models.correlationsNote')}</p>
      {boundary !== undefined && <p className={classes.note}>{t(`models.correlationsAtBoundary.${boundary}`)}</p>}
      {!converged && <p className={classes.note}>{t('models.correlationsNotConverged')}</p>}
      <div className={classes.figures}>
        <Correlations model={model} together={together} side="genetic" />
        <Correlations model={model} together={together} side="residual" />
      </div>
      <Pairs model={model} together={together} />
      {together.factors !== undefined && <Loadings model={model} traits={together.traits} factors={together.factors} />}
    </>
  );
}

function Correlations({ model, together, side }: { model: ModelDetail; together: MultiTrait; side: Side }) {
  const { t } = useTranslation();
  const colors = useChartColors();
  const { traits } = together;
  const table = together[`${side}_correlation`];
  const option = useMemo(
    () =>
      heatmapOption(
        square(
          traits,
          table.flat().map(({ value }) => value),
        ),
        {
          ...{ min: -1, max: 1, isDiverging: true, showNames: true, showValues: true },
          format: (value) => formatDecimals(value, DECIMALS),
        },
        colors,
      ),
    [traits, table, colors],
  );
  const title = t(`models.correlationsOf.${side}`);
  return (
    <Figure
      title={title}
      caption={t(`models.correlationsCaption.${side}`)}
      meaning={t(`models.correlationsMeaning.${side}`)}
      label={title}
      option={option}
      height={HEIGHT}
      widerBy={heatmapWiderBy(true)}
      fileName={`${model.name} ${side} correlations`}
      table={{
        head: [t('word.trait'), ...traits],
        rows: traits.map((trait, s) => [trait, ...(table[s] ?? []).map(({ value }) => value)]),
        format: (value) => formatDecimals(value, DECIMALS),
      }}
    />
  );
}

interface Pair {
  first: string;
  second: string;
  s: number;
  r: number;
}

/** Each pair of traits: correlations and covariances with standard errors. */
function Pairs({ model, together }: { model: ModelDetail; together: MultiTrait }) {
  const { t } = useTranslation();
  const { traits } = together;
  const pairs = traits.flatMap((first, s) =>
    traits.slice(s + 1).map((second, k): Pair => ({ first, second, s, r: s + 1 + k })),
  );
  const figure = (id: string, header: string, of: (pair: Pair) => { value: number | null; se: number | null }) => {
    const column: DataColumn<Pair> = {
      id,
      header,
      value: (pair) => of(pair).value ?? undefined,
      cell: (pair) => formatMeanSd({ mean: of(pair).value, sd: of(pair).se }),
      numeric: true,
      width: FIGURE_PX,
    };
    const error: DataColumn<Pair> = {
      id: `${id}_se`,
      header: t('word.seOf', { what: header }),
      value: (pair) => of(pair).se ?? undefined,
      cell: (pair) => formatStatistic(of(pair).se),
      numeric: true,
      width: FIGURE_PX,
      hidden: true,
    };
    return [column, error];
  };
  const none = { value: null, se: null };
  const correlation = (side: Side) =>
    figure(
      `${side}_correlation`,
      t(`models.correlationOf.${side}`),
      ({ s, r }) => together[`${side}_correlation`][s]?.[r] ?? none,
    );
  const covariance = (side: Side) =>
    figure(`${side}_covariance`, t(`models.covarianceOf.${side}`), ({ s, r }) => ({
      value: together[`${side}_covariance`][s]?.[r] ?? null,
      se: together[`${side}_covariance_se`]?.[s]?.[r] ?? null,
    }));
  const columns: DataColumn<Pair>[] = [
    { id: 'traits', header: t('word.traits'), value: ({ first, second }) => `${first} × ${second}` },
    ...correlation('genetic').map((column, at) => (at === 0 ? { ...column, narrow: true } : column)),
    ...correlation('residual'),
    ...covariance('genetic'),
    ...covariance('residual'),
  ];
  return (
    <section>
      <DataTable
        id="model-correlations"
        label={t('models.correlations')}
        columns={columns}
        rows={pairs}
        rowId={({ first, second }) => JSON.stringify([first, second])}
        hasSearch={false}
        csvName={`${model.name} correlations`}
        maxHeight="24rem"
      />
      <p className={classes.note}>{t('models.correlationsErrors')}</p>
    </section>
  );
}

/** What each trait takes from the factors, and its variance of its own. */
function Loadings(props: { model: ModelDetail; traits: string[]; factors: NonNullable<MultiTrait['factors']> }) {
  const { model, traits, factors } = props;
  const { t } = useTranslation();
  const of = (trait: string): number => traits.indexOf(trait);
  const column = (id: string, header: string, value: (trait: string) => number | undefined): DataColumn<string> => ({
    ...{ id, header, value, numeric: true, width: FIGURE_PX },
    cell: (trait) => formatStatistic(value(trait)),
  });
  const columns: DataColumn<string>[] = [
    { id: 'trait', header: t('word.trait'), value: (trait) => trait },
    ...(factors.loadings[0] ?? []).map((_, f) => ({
      ...column(`factor_${f}`, t('models.factor', { number: f + 1 }), (trait) => factors.loadings[of(trait)]?.[f]),
      narrow: f === 0,
    })),
    column('specific', t('models.specificVariance'), (trait) => factors.specific[of(trait)]),
  ];
  return (
    <section>
      <DataTable
        id="model-loadings"
        label={t('models.loadings')}
        columns={columns}
        rows={traits}
        rowId={(trait) => trait}
        hasSearch={false}
        csvName={`${model.name} loadings`}
        maxHeight="24rem"
      />
      <p className={classes.note}>{t('models.loadingsNote')}</p>
    </section>
  );
}
