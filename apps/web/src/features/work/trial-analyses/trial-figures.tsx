import { heatmapOption } from '@heterosis/charts/heatmap';
import { scatterOption } from '@heterosis/charts/scatter';
import type { TrialPlots } from '@heterosis/contracts/work/trial-analyses';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Figure } from '../../../components/charts/figure.tsx';
import { FigureSkeleton } from '../../../components/charts/figure-skeleton.tsx';
import { useChartColors } from '../../../components/charts/use-chart-colors.ts';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import classes from '../../../components/page/figures.module.css';
import { formatStatistic } from '../../../lib/format/format.ts';
import { withUnit } from '../../data/files/index.ts';
import { type TrialPlace, trialVariogramQuery } from './trial-analyses.api.ts';

const HEIGHT = 300;

/** Whether the model fits: residuals by distance, and against fitted values. */
export function TrialFigures({ place, trial, name }: { place: TrialPlace; trial: TrialPlots; name: string }) {
  return (
    <div className={classes.figures}>
      <Variogram place={place} name={name} />
      <Residuals trial={trial} name={name} />
    </div>
  );
}

function Variogram({ place, name }: { place: TrialPlace; name: string }) {
  const { t } = useTranslation();
  const colors = useChartColors();
  const { data, error, refetch } = useQuery(trialVariogramQuery(place));
  const option = useMemo(() => {
    if (!data || data.reason !== null) return undefined;
    const { rows, columns, semivariance } = data;
    const known = semivariance.filter((value) => value !== null);
    const distances = (count: number): string[] => Array.from({ length: count }, (_, at) => String(at));
    return heatmapOption(
      { rows: distances(rows), columns: distances(columns), values: semivariance },
      {
        ...{ min: 0, max: Math.max(...known), format: formatStatistic },
        showNames: Math.max(rows, columns) <= LABELLED,
        titles: { across: t('trial_analyses.columnDistance'), down: t('trial_analyses.rowDistance') },
      },
      colors,
    );
  }, [data, colors, t]);
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (data?.reason != null) return <p className="hx-muted">{t('trial_analyses.noVariogram', data)}</p>;
  if (!data || !option) return <FigureSkeleton height={HEIGHT} />;
  const title = t('trial_analyses.variogram');
  return (
    <Figure
      title={title}
      caption={t('trial_analyses.variogramCaption')}
      meaning={t('trial_analyses.variogramMeaning')}
      label={title}
      option={option}
      height={HEIGHT}
      renderer="canvas"
      fileName={`${name} variogram`}
      table={{
        head: [
          t('trial_analyses.rowDistance'),
          t('trial_analyses.columnDistance'),
          t('trial_analyses.semivariance'),
          t('trial_analyses.pairs'),
        ],
        rows: data.semivariance.map((value, at) => [
          Math.floor(at / data.columns),
          at % data.columns,
          value,
          data.pairs[at] ?? null,
        ]),
        format: formatStatistic,
      }}
    />
  );
}

/** More distances are named by the tooltip only. */
const LABELLED = 24;

function Residuals({ trial, name }: { trial: TrialPlots; name: string }) {
  const { t } = useTranslation();
  const colors = useChartColors();
  const title = t('trial_analyses.residuals');
  const labels = {
    x: withUnit(t('trial_analyses.layer.fitted'), trial.unit),
    y: withUnit(t('trial_analyses.layer.residual'), trial.unit),
  };
  const hasOutliers = trial.outlier.includes(true);
  const option = useMemo(
    () =>
      scatterOption(
        trial.line.flatMap((line, plot) => {
          const [x, y] = [trial.fitted[plot] ?? null, trial.residual[plot] ?? null];
          return x === null || y === null ? [] : [{ name: line, x, y, group: trial.outlier[plot] ? 1 : 0 }];
        }),
        {
          ...labels,
          format: formatStatistic,
          ...(hasOutliers ? { groups: [t('trial_analyses.plots'), t('trial_analyses.looksWrong')] } : {}),
        },
        colors,
      ),
    [trial, colors, labels.x, labels.y],
  );
  return (
    <Figure
      title={title}
      caption={t('trial_analyses.residualsCaption')}
      label={title}
      option={option}
      height={HEIGHT}
      renderer="canvas"
      fileName={`${name} residuals`}
      table={() => ({
        head: [t('trial_analyses.line'), labels.x, labels.y],
        rows: trial.line.map((line, plot) => [line, trial.fitted[plot] ?? null, trial.residual[plot] ?? null]),
        format: formatStatistic,
      })}
    />
  );
}
