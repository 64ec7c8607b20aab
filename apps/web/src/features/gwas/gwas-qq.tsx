import type { GwasDetail } from '@heterosis/contracts/gwas';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useChartColors } from '../../components/charts/chart-colors.ts';
import { Figure } from '../../components/charts/figure.tsx';
import { FigureSkeleton } from '../../components/charts/figure-skeleton.tsx';
import { qqOption } from '../../components/charts/qq.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { formatStatistic } from '../../lib/format.ts';
import { gwasQqQuery } from './gwas.api.ts';
import { pictureNoteOf } from './picture-note.ts';

/** Expected against observed p-values, with λ_GC. */
export function GwasQq(props: { projectId: string; gwas: GwasDetail; trait: string; height: number }) {
  const { projectId, gwas, trait, height } = props;
  const { t } = useTranslation();
  const colors = useChartColors();
  const { data, error, refetch } = useQuery(gwasQqQuery(projectId, gwas.id, trait));
  const option = useMemo(
    () =>
      data
        ? qqOption(
            data.points,
            data.m,
            { x: t('gwas.expected'), y: t('gwas.observed'), band: '95 %' },
            formatStatistic,
            colors,
          )
        : {},
    [data, colors, t],
  );
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!data) return <FigureSkeleton height={height} />;
  const title = t('gwas.qqTitle', { lambda: data.lambda.toFixed(3) });
  return (
    <Figure
      title={title}
      caption={t('gwas.qqCaption')}
      label={t('gwas.qqLabel', { trait, lambda: data.lambda.toFixed(3) })}
      option={option}
      height={height}
      fileName={`${gwas.name} ${trait} QQ`}
      pictureNote={pictureNoteOf(gwas, trait)}
      table={{ head: [t('gwas.expected'), t('gwas.observed')], rows: data.points, format: formatStatistic }}
    />
  );
}
