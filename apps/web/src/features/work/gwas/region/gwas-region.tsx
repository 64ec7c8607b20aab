import type { PlotPlace } from '@heterosis/charts/plot-place';
import { MOST_FINE_MAPPED } from '@heterosis/contracts/work/fine-maps';
import type { GwasDetail } from '@heterosis/contracts/work/gwas';
import { Button } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Figure } from '../../../../components/charts/figure.tsx';
import { FigureSkeleton } from '../../../../components/charts/figure-skeleton.tsx';
import { useChartColors } from '../../../../components/charts/use-chart-colors.ts';
import { ErrorNotice } from '../../../../components/page/error-notice.tsx';
import { formatCount } from '../../../../lib/format/format.ts';
import { gwasRegionQuery } from '../gwas.api.ts';
import { pictureNoteOf } from '../picture-note.ts';
import { useTestGiven } from '../use-test-given.ts';
import type { Region } from '../view-in-address.ts';
import { FineMapSection } from './fine-map-section.tsx';
import { useFineMapping } from './fine-maps.api.ts';
import { laneOfGenes, REGION_PLOT_PX, regionHeight, regionOption } from './region-option.ts';

/** Until the figure has its width, and beside its plot. */
const USUAL_WIDTH_PX = 900;
const BESIDE_PLOT_PX = 116;
const NARROWEST_PX = 150;

/** A part of one chromosome: markers by r² with the lead, recombination rate, and the genes below. */
export function GwasRegionFigure(props: {
  projectId: string;
  gwas: GwasDetail;
  trait: string;
  region: Region;
  markerId: string | undefined;
  onMarker: (id: string) => void;
  selected: ReadonlySet<string>;
  onSelect: (ids: readonly string[]) => void;
}) {
  const { projectId, gwas, trait, region, markerId, onMarker, selected, onSelect } = props;
  const { t } = useTranslation();
  const colors = useChartColors();
  const query = useQuery({
    ...gwasRegionQuery(projectId, gwas.id, trait, region, markerId),
    placeholderData: keepPreviousData,
  });
  const { data } = query;
  const { ref: frame, width } = useElementSize<HTMLDivElement>();
  const plotPx = Math.max(NARROWEST_PX, (width || USUAL_WIDTH_PX) - BESIDE_PLOT_PX);
  const lanes = useMemo(
    () => laneOfGenes(data?.genes?.data ?? [], region, (region.end - region.start) / plotPx),
    [data, region.start, region.end, plotPx],
  );
  const threshold = gwas.summary[trait]?.bonferroni ?? 1;
  const option = useMemo(
    () =>
      data &&
      regionOption(
        {
          region: data,
          start: region.start,
          end: region.end,
          threshold,
          lanes,
          selected,
          texts: {
            x: t('gwas.positionMb', { chr: region.chr }),
            rate: t('gwas.regionView.rateAxis'),
            lead: t('gwas.regionView.lead'),
            noR2: t('gwas.regionView.noR2'),
            effect: t('gwas.effect'),
            genes: t('word.genes'),
          },
        },
        colors,
      ),
    [data, region.chr, region.start, region.end, threshold, lanes, selected, colors, t],
  );
  const testGiven = useTestGiven(projectId, gwas);
  const fineMapping = useFineMapping(projectId, gwas.id, trait);
  if (query.error) return <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />;
  if (!data || !option) return <FigureSkeleton height={REGION_PLOT_PX} />;

  const pick = ({ x, y, xPerPixel, yPerPixel, reachPx }: PlotPlace): void => {
    const far = (one: (typeof data.markers)[number]) =>
      Math.hypot((one.pos - x) / xPerPixel, (one.neg_log10_p - y) / yPerPixel);
    const nearest = data.markers.toSorted((a, b) => far(a) - far(b))[0];
    if (nearest && far(nearest) <= reachPx) onMarker(nearest.id);
  };
  return (
    <div ref={frame}>
      <Figure
        title={t('gwas.regionView.title', { chr: region.chr })}
        caption={<RegionCaption data={data} drawn={lanes.filter((lane) => lane !== undefined).length} />}
        label={t('gwas.regionView.label', { count: data.total, lead: data.lead ?? '–' })}
        option={option}
        tools={
          testGiven &&
          data.lead !== null && (
            <>
              {gwas.traits.includes(trait) && (
                <Button
                  size="compact-xs"
                  variant="default"
                  loading={fineMapping.isPending}
                  disabled={data.total < 2 || data.total > MOST_FINE_MAPPED}
                  onClick={() => fineMapping.mutate(region)}
                >
                  {data.total > MOST_FINE_MAPPED
                    ? t('gwas.fineMap.tooMany', { most: formatCount(MOST_FINE_MAPPED) })
                    : t('gwas.fineMap.start')}
                </Button>
              )}
              <Button size="compact-xs" variant="default" onClick={() => testGiven([data.lead ?? ''])}>
                {t('gwas.testGivenLead', { marker: data.lead })}
              </Button>
            </>
          )
        }
        height={regionHeight(lanes)}
        fileName={`${gwas.name} ${trait} ${region.chr} ${region.start}-${region.end}`}
        pictureNote={pictureNoteOf(gwas, trait)}
        onPick={pick}
        onBrush={(from, to) => onSelect(data.markers.filter(({ pos }) => pos >= from && pos <= to).map(({ id }) => id))}
        table={{
          head: ['kind', 'id', 'name', 'start', 'end', 'neg_log10_p', 'effect', 'effect_se', 'r2', 'description'],
          rows: [
            ...data.markers.map((one) => [
              ...['marker', one.id, one.id, one.pos, one.pos],
              ...[one.neg_log10_p, one.beta, one.sd, one.r2, ''],
            ]),
            ...(data.genes?.data ?? []).map((one) => [
              ...['gene', one.id, one.name, one.start, one.end, null, null, null, null, one.description],
            ]),
          ],
        }}
      />
      {fineMapping.error && <ErrorNotice error={fineMapping.error} />}
      <FineMapSection {...{ projectId, gwas, trait, region, onMarker }} />
    </div>
  );
}

type Loaded = NonNullable<Awaited<ReturnType<NonNullable<ReturnType<typeof gwasRegionQuery>['queryFn']>>>>;

/** What is drawn, and from which files. */
function RegionCaption({ data, drawn }: { data: Loaded; drawn: number }) {
  const { t } = useTranslation();
  const { lead, total, markers, genes, recombination } = data;
  const sentences = [
    lead === null ? t('gwas.regionView.captionNone') : t('gwas.regionView.caption', { lead }),
    markers.length < total &&
      t('gwas.regionView.fewerMarkers', { shown: formatCount(markers.length), total: formatCount(total) }),
    genes === null ? t('gwas.regionView.noGenes') : t('gwas.regionView.genes', { file: genes.file.name }),
    genes !== null &&
      drawn < genes.total &&
      t('gwas.regionView.manyGenes', { shown: formatCount(drawn), total: formatCount(genes.total) }),
    recombination !== null &&
      t(recombination.data.length > 0 ? 'gwas.regionView.rate' : 'gwas.regionView.noRate', {
        file: recombination.file.name,
      }),
  ];
  return sentences.filter(Boolean).join(' ');
}
