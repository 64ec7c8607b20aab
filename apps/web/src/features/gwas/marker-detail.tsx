import type { GwasDetail, GwasRow } from '@heterosis/contracts/gwas';
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useChartColors } from '../../components/charts/chart-colors.ts';
import { axis, escapeHtml, frame } from '../../components/charts/chart-option.ts';
import { Figure } from '../../components/charts/figure.tsx';
import { stripOption } from '../../components/charts/strip.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { SkeletonLines } from '../../components/loading.tsx';
import { formatMb, formatPValue, formatStatistic, formatTick } from '../../lib/format.ts';
import runClasses from '../runs/run-parts.module.css';
import { gwasMarkerQuery } from './gwas.api.ts';
import classes from './gwas-trait-result.module.css';

const HEIGHT = 280;

/** The marker that was clicked: phenotypes by genotype, and its neighbours coloured by LD. */
export function MarkerDetail(props: {
  projectId: string;
  gwas: GwasDetail;
  trait: string;
  marker: GwasRow;
  onClose: () => void;
}) {
  const { projectId, gwas, trait, marker, onClose } = props;
  const { t } = useTranslation();
  const colors = useChartColors();
  const { data, error, refetch } = useQuery(gwasMarkerQuery(projectId, gwas.id, trait, marker.id));
  const effect = useMemo(
    () =>
      data &&
      stripOption(
        data.classes.map((one) => ({ name: `${one.genotype} (n ${one.values.length})`, values: one.values })),
        { x: t('gwas.genotypeOf', { marker: marker.id }), y: trait, format: formatStatistic },
        colors,
      ),
    [data, colors, marker.id, trait, t],
  );
  const neighbours = useMemo(
    () =>
      data && {
        ...frame(colors, { right: 64 }),
        tooltip: {
          ...frame(colors).tooltip,
          formatter: ({ name, value }: { name: string; value: number[] }) =>
            `${escapeHtml(name)}<br>${formatMb(value[0])} Mb<br>p ${formatPValue(10 ** -(value[1] ?? 0))}<br>r² ${formatStatistic(value[2])}`,
        },
        xAxis: axis(colors, 'x', {
          name: t('gwas.positionMb', { chr: marker.chr }),
          tick: (positionBp) => formatTick(positionBp / 1e6),
        }),
        yAxis: axis(colors, 'y', { name: '−log₁₀ p', min: 0 }),
        visualMap: {
          dimension: 2,
          min: 0,
          max: 1,
          right: 0,
          top: 'middle',
          itemHeight: 100,
          itemWidth: 12,
          precision: 1,
          text: ['r²', ''],
          textStyle: { color: colors.muted, fontSize: 11 },
          inRange: { color: ['#3b528b', '#21918c', '#5ec962', '#E69F00', '#D55E00'], symbolSize: [5, 11] },
        },
        series: [
          {
            type: 'scatter',
            data: data.neighbours.map((one) => ({ name: one.id, value: [one.pos, one.neg_log10_p, one.r2] })),
          },
        ],
      },
    [data, colors, marker.chr, t],
  );
  return (
    <section className={classes.detail} aria-label={t('gwas.markerTitle', { marker: marker.id })}>
      <div className={classes.detailHead}>
        <h2>{t('gwas.markerTitle', { marker: marker.id })}</h2>
        <IconButton label={t('action.close')} onClick={onClose}>
          <IconX size={18} />
        </IconButton>
      </div>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonLines lines={5} />}
      {data && effect && neighbours && (
        <div className={runClasses.figures}>
          <Figure
            title={t('gwas.effectTitle', { trait })}
            label={t('gwas.effectTitle', { trait })}
            option={effect}
            height={HEIGHT}
            fileName={`${gwas.name} ${trait} ${marker.id} effect`}
            table={{
              head: [t('gwas.genotype'), trait],
              rows: data.classes.flatMap((one) => one.values.map((value): [string, number] => [one.genotype, value])),
              format: formatStatistic,
            }}
          />
          <Figure
            title={t('gwas.ldTitle')}
            caption={t('gwas.ldCaption')}
            label={t('gwas.ldTitle')}
            option={neighbours}
            height={HEIGHT}
            fileName={`${gwas.name} ${trait} ${marker.id} LD`}
            table={{
              head: [t('marker.id'), t('marker.pos'), 'p', 'r²'],
              rows: data.neighbours.map((one) => [one.id, one.pos, one.p, one.r2]),
              format: formatStatistic,
            }}
          />
        </div>
      )}
    </section>
  );
}
