import { heatmapOption, heatmapWiderBy, square } from '@heterosis/charts/heatmap';
import type { TrialSeries } from '@heterosis/contracts/work/trial-analyses';
import { useMediaQuery } from '@mantine/hooks';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Figure } from '../../../../components/charts/figure.tsx';
import { useChartColors } from '../../../../components/charts/use-chart-colors.ts';
import { formatDecimals } from '../../../../lib/format/format.ts';

const HEIGHT = 400;
const DECIMALS = 2;
/** So many environments have their numbers written into the cells, and their names beside them. */
const [WRITTEN, NAMED] = [12, 40];

/** Genetic correlations of environments, alike ones beside each other: the server orders them by clustering. */
export function SeriesCorrelations({ series, name }: { series: TrialSeries; name: string }) {
  const { t } = useTranslation();
  const colors = useChartColors();
  const { environments, genetic_correlation: correlation, tree } = series;
  const showNames = environments.length <= NAMED;
  // On a phone the tree would leave no room for the cells.
  const hasTree = useMediaQuery('(min-width: 48em)', true, { getInitialValueInEffect: false });
  const option = useMemo(
    () =>
      heatmapOption(
        square(environments, correlation.flat()),
        {
          ...{ min: -1, max: 1, isDiverging: true, showNames },
          showValues: environments.length <= WRITTEN,
          valuePx: hasTree ? 12 : 9,
          format: (value) => formatDecimals(value, DECIMALS),
          ...(hasTree ? { tree: { joinings: tree, name: t('trial_analyses.treeHeight') } } : {}),
        },
        colors,
      ),
    [environments, correlation, tree, hasTree, showNames, colors, t],
  );
  const title = t('trial_analyses.correlations');
  return (
    <Figure
      title={title}
      caption={t(hasTree ? 'trial_analyses.correlationsWithTree' : 'trial_analyses.correlationsCaption')}
      meaning={t('trial_analyses.correlationsMeaning')}
      label={title}
      option={option}
      height={HEIGHT}
      widerBy={heatmapWiderBy(showNames, hasTree)}
      renderer="canvas"
      fileName={`${name} genetic correlations`}
      table={{
        head: [t('trial_analyses.trial'), ...environments],
        rows: environments.map((environment, place) => [environment, ...(correlation[place] ?? [])]),
        format: (value) => formatDecimals(value, DECIMALS),
      }}
    />
  );
}
