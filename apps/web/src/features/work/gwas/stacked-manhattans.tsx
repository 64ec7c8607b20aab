import { OVERLAY_HEIGHT, overlaidManhattanOption } from '@heterosis/charts/genome/overlaid-manhattan';
import { stackedManhattanOption, stackHeight } from '@heterosis/charts/genome/stacked-manhattan';
import type { GwasDetail } from '@heterosis/contracts/work/gwas';
import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Figure } from '../../../components/charts/figure.tsx';
import { FigureSkeleton } from '../../../components/charts/figure-skeleton.tsx';
import { useChartColors } from '../../../components/charts/use-chart-colors.ts';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { formatPValue, formatStatistic } from '../../../lib/format/format.ts';
import { gwasPlotQuery } from './gwas.api.ts';

/** More would not fit a screen, nor the memory of a phone. */
const SHOWN = 8;

/**
 * Manhattan plots over one genome, to see which peaks they share: traits of a run or runs under each other, or two runs
 * on the same axes.
 */
export function StackedManhattans(props: {
  projectId: string;
  title: string;
  fileName: string;
  plots: readonly { gwas: GwasDetail; trait: string; name: string }[];
  isOverlaid?: boolean;
}) {
  const { projectId, title, fileName, isOverlaid = false } = props;
  const { t } = useTranslation();
  const colors = useChartColors();
  const plots = props.plots.slice(0, SHOWN);
  const queries = useQueries({
    queries: plots.map(({ gwas, trait }) => gwasPlotQuery(projectId, gwas.id, trait)),
  });
  const loaded = queries.map(({ data }) => data);
  const option = useMemo(() => {
    if (loaded.some((data) => data === undefined)) return undefined;
    return (isOverlaid ? overlaidManhattanOption : stackedManhattanOption)(
      plots.map(({ gwas, trait, name }, row) => {
        const summary = gwas.summary[trait];
        return {
          name,
          points: loaded[row] ?? new Float32Array(),
          chromosomes: gwas.chromosomes[trait] ?? [],
          threshold: summary ? -Math.log10(summary.bonferroni) : undefined,
        };
      }),
      colors,
    );
    // One dependency per plot; their number does not change while they are shown.
  }, [colors, isOverlaid, ...loaded]);
  const failed = queries.find(({ error }) => error !== null);
  if (failed) return <ErrorNotice error={failed.error} onRetry={() => void failed.refetch()} />;
  const height = isOverlaid ? OVERLAY_HEIGHT : stackHeight(plots.length);
  if (!option) return <FigureSkeleton height={height} />;
  const caption = isOverlaid
    ? t('gwas.overlaidCaption')
    : t(props.plots.length > SHOWN ? 'gwas.stackedFirst' : 'gwas.stackedCaption', { count: SHOWN });
  return (
    <Figure
      title={title}
      caption={caption}
      label={title}
      option={option}
      height={height}
      renderer="canvas"
      fileName={fileName}
      pictureNote={`${fileName} · ${caption}`}
      table={{
        head: [t('gwas.plot'), 'n', t('gwas.markersTested'), 'λ', t('gwas.hits'), t('gwas.topMarker'), 'p'],
        rows: plots.map(({ gwas, trait, name }) => {
          const { n, m, lambda, hits, top } = gwas.summary[trait] ?? {};
          return [name, n ?? null, m ?? null, lambda ?? null, hits ?? null, top?.id ?? '–', formatPValue(top?.p)];
        }),
        format: formatStatistic,
      }}
    />
  );
}
