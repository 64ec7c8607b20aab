import { alongQq, qqOption } from '@heterosis/charts/genome/qq';
import { ringsOf } from '@heterosis/charts/rings';
import type { GwasDetail, GwasRow } from '@heterosis/contracts/work/gwas';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Figure } from '../../../components/charts/figure.tsx';
import { FigureSkeleton } from '../../../components/charts/figure-skeleton.tsx';
import { useChartColors } from '../../../components/charts/use-chart-colors.ts';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { formatStatistic } from '../../../lib/format/format.ts';
import { gwasQqQuery, markersToSelect } from './gwas.api.ts';
import { pictureNoteOf } from './picture-note.ts';

/** Expected against observed p-values, with λ_GC. */
export function GwasQq(props: {
  projectId: string;
  gwas: GwasDetail;
  trait: string;
  height: number;
  /** Markers that are selected on the page. */
  selected: readonly GwasRow[];
  onSelect: (ids: readonly string[]) => void;
}) {
  const { projectId, gwas, trait, height, selected, onSelect } = props;
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
  const [failure, setFailure] = useState<unknown>();
  const rings = useMemo(
    () =>
      data ? ringsOf(selected, ({ id, neg_log10_p: y }) => ({ x: alongQq(data.points, 1, 0, y), y, name: id })) : [],
    [data, selected],
  );
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!data) return <FigureSkeleton height={height} />;
  // A range of the expected values is one of the p-values, from large to small; at its ends there are no bounds.
  const select = async (from: number, to: number): Promise<void> => {
    const pAt = (expected: number): number => Math.min(1, 10 ** -alongQq(data.points, 0, 1, expected));
    const largest = Math.max(...data.points.map(([expected]) => expected));
    try {
      onSelect(
        await markersToSelect(projectId, gwas.id, {
          trait,
          max_p: pAt(from),
          ...(to >= largest ? {} : { min_p: pAt(to) }),
        }),
      );
      setFailure(undefined);
    } catch (reason) {
      setFailure(reason);
    }
  };
  const title = t('gwas.qqTitle', { lambda: data.lambda.toFixed(3) });
  return (
    <div>
      <Figure
        title={title}
        caption={t('gwas.qqCaption')}
        meaning={t('gwas.lambdaHint')}
        label={t('gwas.qqLabel', { trait, lambda: data.lambda.toFixed(3) })}
        option={option}
        rings={rings}
        onBrush={(from, to) => void select(from, to)}
        height={height}
        fileName={`${gwas.name} ${trait} QQ`}
        pictureNote={pictureNoteOf(gwas, trait)}
        table={{ head: [t('gwas.expected'), t('gwas.observed')], rows: data.points, format: formatStatistic }}
      />
      {failure !== undefined && <ErrorNotice error={failure} />}
    </div>
  );
}
