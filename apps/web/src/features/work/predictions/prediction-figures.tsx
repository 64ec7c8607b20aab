import type { PredictionDetail } from '@heterosis/contracts/work/predictions';
import { NativeSelect } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useChartColors } from '../../../components/charts/chart-colors.ts';
import { Figure } from '../../../components/charts/figure.tsx';
import { FigureSkeleton } from '../../../components/charts/figure-skeleton.tsx';
import { countsIn, histogramOption, histogramRows } from '../../../components/charts/histogram.ts';
import { LinkedScatter, namesBetween } from '../../../components/charts/linked-scatter.tsx';
import classes from '../../../components/page/figures.module.css';
import { Headline } from '../../../components/page/headline.tsx';
import type { PageSelection } from '../../../components/table/use-selection.ts';
import { formatCount, formatDecimals, formatStatistic } from '../../../lib/format/format.ts';
import { meanAndSd } from '../../../lib/format/mean-and-sd.ts';
import { withUnit } from '../../data/files/index.ts';
import { TraitSelect, useTraitInAddress } from '../runs/index.ts';
import { correlation, histogramOf } from './prediction-distribution.ts';
import { allPredictionResultsQuery } from './predictions.api.ts';

const HEIGHT = 300;
/** With more individuals the table alone is shown: a browser would read megabytes for two figures. */
const SHOWN_UP_TO = 20_000;
const NAMED = 3;
const R_DECIMALS = 2;

/** What the prediction says in a sentence, how the values of a trait are distributed, and two traits together. */
export function PredictionFigures(props: {
  projectId: string;
  prediction: PredictionDetail;
  total: number | undefined;
  unitOf: (trait: string) => string | undefined;
  /** What the best are named by: a trait, or the index. */
  ranking: string;
  isLow: boolean;
  selection: PageSelection;
}) {
  const { projectId, prediction, total, unitOf, ranking, isLow, selection } = props;
  const { t } = useTranslation();
  const client = useQueryClient();
  const { trait, choose } = useTraitInAddress(prediction.traits);
  const [other, setOther] = useState<string>();
  const isShown = total !== undefined && total <= SHOWN_UP_TO && total > 0;
  const { data: rows } = useQuery({ ...allPredictionResultsQuery(client, projectId, prediction.id), enabled: isShown });
  const best = useMemo(() => {
    const place = prediction.traits.indexOf(ranking);
    const valueOf = (row: NonNullable<typeof rows>[number]) => (place < 0 ? row.index : row.gebv[place]) ?? 0;
    const sign = isLow ? -1 : 1;
    return rows?.toSorted((a, b) => sign * (valueOf(b) - valueOf(a))).slice(0, NAMED);
  }, [rows, prediction.traits, ranking, isLow]);
  if (total !== undefined && !isShown) return null;
  if (!rows || !best)
    return (
      <>
        <Headline>&nbsp;</Headline>
        <TraitSelect traits={prediction.traits} value={trait} onChange={choose} />
        <div className={classes.figures}>
          <FigureSkeleton height={HEIGHT} hasTools />
          <FigureSkeleton height={HEIGHT} hasTools />
        </div>
      </>
    );
  const second = other ?? prediction.traits.find((one) => one !== trait);
  const values = (name: string): number[] => {
    const place = prediction.traits.indexOf(name);
    return rows.map((row) => row.gebv[place] ?? Number.NaN);
  };
  const shared = { prediction, unitOf, names: rows.map((row) => row.individual), selection };
  return (
    <>
      <Headline>
        {t('predictions.headline', {
          count: rows.length,
          formatted: formatCount(rows.length),
          by: prediction.traits.includes(ranking) ? ranking : t('predictions.byIndex'),
          best: best.map((row) => row.individual).join(', '),
        })}
      </Headline>
      <TraitSelect traits={prediction.traits} value={trait} onChange={choose} />
      <div className={classes.figures}>
        <Distribution {...shared} trait={trait} values={values(trait)} />
        {second !== undefined && second !== trait && (
          <Together
            {...shared}
            x={{ trait, values: values(trait) }}
            y={{ trait: second, values: values(second) }}
            onOther={setOther}
          />
        )}
      </div>
    </>
  );
}

interface Shared {
  prediction: PredictionDetail;
  unitOf: (trait: string) => string | undefined;
  names: readonly string[];
  selection: PageSelection;
}

function Distribution({
  prediction,
  unitOf,
  names,
  selection,
  trait,
  values,
}: Shared & { trait: string; values: number[] }) {
  const { t } = useTranslation();
  const colors = useChartColors();
  const histogram = useMemo(() => histogramOf(values), [values]);
  const name = withUnit(t('predictions.gebvOf', { trait }), unitOf(trait));
  const option = useMemo(
    () =>
      histogramOption(
        histogram,
        { x: name, y: t('word.individuals'), format: formatStatistic },
        colors,
        countsIn(
          histogram,
          histogram.counts.length,
          values.filter((_, i) => selection.ids.has(names[i] ?? '')),
        ),
      ),
    [histogram, name, colors, t, values, names, selection.ids],
  );
  const { mean, sd } = meanAndSd(values);
  return (
    <Figure
      title={t('predictions.distribution', { trait })}
      caption={t('predictions.distributionCaption', {
        n: formatCount(values.length),
        mean: formatStatistic(mean),
        sd: formatStatistic(sd),
      })}
      label={t('predictions.distribution', { trait })}
      option={option}
      height={HEIGHT}
      onBrush={(from, to) => selection.select(namesBetween(names, values, from, to))}
      fileName={`${prediction.name} ${trait} distribution`}
      pictureNote={`${prediction.name} · n = ${formatCount(values.length)} · ${formatStatistic(mean)} ± ${formatStatistic(sd)}`}
      table={{
        head: [t('word.from'), t('word.to'), t('word.individuals')],
        rows: histogramRows(histogram),
        format: formatStatistic,
      }}
    />
  );
}

interface Axis {
  trait: string;
  values: number[];
}

/** Two traits of the same individuals; the second one is chosen above the plot. */
function Together(props: Shared & { x: Axis; y: Axis; onOther: (trait: string) => void }) {
  const { prediction, unitOf, names, selection, x, y, onOther } = props;
  const { t } = useTranslation();
  const side = ({ trait, values }: Axis) => ({
    label: withUnit(t('predictions.gebvOf', { trait }), unitOf(trait)),
    values,
  });
  const r = formatDecimals(correlation(x.values, y.values), R_DECIMALS);
  const others = prediction.traits.filter((one) => one !== x.trait);
  return (
    <LinkedScatter
      title={t('word.against', { x: x.trait, y: y.trait })}
      caption={t('predictions.againstCaption', { r })}
      names={names}
      x={side(x)}
      y={side(y)}
      height={HEIGHT}
      selection={selection}
      fileName={`${prediction.name} ${x.trait} ${y.trait}`}
      pictureNote={`${prediction.name} · n = ${formatCount(names.length)} · r = ${r}`}
      tools={
        others.length > 1 && (
          <NativeSelect
            size="xs"
            aria-label={t('predictions.vertical')}
            value={y.trait}
            onChange={(event) => onOther(event.currentTarget.value)}
            data={others}
          />
        )
      }
    />
  );
}
