import type { GenomeView } from '@heterosis/charts/genome/genome-axis';
import { thresholdsOf } from '@heterosis/charts/genome/gwas-thresholds';
import { manhattanGenome } from '@heterosis/charts/genome/manhattan';
import type { GwasDetail } from '@heterosis/contracts/work/gwas';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { FigureSkeleton } from '../../../components/charts/figure-skeleton.tsx';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { SkeletonLines } from '../../../components/page/loading.tsx';
import { SelectionBar } from '../../../components/table/selection-bar.tsx';
import { useSelection } from '../../../components/table/use-selection.ts';
import { KeepAsList } from '../../data/lists/index.ts';
import { gwasMarkerQuery, gwasPlotQuery, namedMarkersQuery } from './gwas.api.ts';
import { GwasClumps } from './gwas-clumps.tsx';
import { GwasFacts, GwasHeadline } from './gwas-findings.tsx';
import { GwasManhattan } from './gwas-manhattan.tsx';
import { GwasQq } from './gwas-qq.tsx';
import { GwasResultTable, RESULT_TABLE_ID } from './gwas-result-table.tsx';
import { GwasStepwise } from './gwas-stepwise.tsx';
import classes from './gwas-trait-result.module.css';
import { GwasRegionFigure } from './region/gwas-region.tsx';
import { MarkerDetail } from './region/marker-detail.tsx';
import { useGwasPlace } from './use-gwas-place.ts';

const FIGURES_HEIGHT = 360;

/**
 * Result of one trait: Manhattan and QQ plot, the chosen marker, and the table. Plot and table show the same part of
 * the genome; that part and the chosen marker are in the address, so that they can be sent to somebody.
 */
export function GwasTraitResult({ projectId, gwas, trait }: { projectId: string; gwas: GwasDetail; trait: string }) {
  const selection = useSelection();
  const [clump, setClump] = useState<string>();
  const { data: chosen = [] } = useQuery(namedMarkersQuery(projectId, gwas.id, trait, selection.ids));
  const selected = useMemo(() => chosen.filter(({ id }) => selection.ids.has(id)), [chosen, selection.ids]);
  const overview = useQuery(gwasPlotQuery(projectId, gwas.id, trait));
  const chromosomes = gwas.chromosomes[trait] ?? [];
  const points = overview.data;
  const genome = useMemo(() => points && manhattanGenome(points, chromosomes), [points, chromosomes]);
  const { markerId, chooseMarker, view, part, setView } = useGwasPlace(trait, genome);
  const marker = useQuery({
    ...gwasMarkerQuery(projectId, gwas.id, trait, markerId ?? ''),
    enabled: markerId !== undefined,
  });
  const summary = gwas.summary[trait];

  const showClump = (id: string): void => {
    setClump(id);
    document.getElementById(RESULT_TABLE_ID)?.scrollIntoView({ block: 'start' });
  };
  if (!summary) return <SkeletonLines lines={14} />;

  const thresholds = thresholdsOf(summary);
  const shared = { projectId, gwas, trait, height: FIGURES_HEIGHT };
  return (
    <>
      <GwasHeadline trait={trait} summary={summary} />
      <GwasFacts projectId={projectId} gwas={gwas} summary={summary} />
      <div className={classes.figures}>
        {overview.error ? (
          <ErrorNotice error={overview.error} onRetry={() => void overview.refetch()} />
        ) : points && genome ? (
          <GwasManhattan
            {...shared}
            overview={points}
            genome={genome}
            view={view}
            part={part}
            onView={setView}
            marker={markerId === undefined ? undefined : marker.data?.row}
            onMarker={chooseMarker}
            selected={selected}
            onSelect={selection.select}
          />
        ) : (
          <FigureSkeleton height={FIGURES_HEIGHT} hasTools />
        )}
        <GwasQq {...shared} selected={selected} onSelect={selection.select} />
      </div>
      {part && !('to_chr' in part) && (
        <GwasRegionFigure
          {...shared}
          region={part}
          markerId={markerId}
          onMarker={chooseMarker}
          selected={selection.ids}
          onSelect={selection.select}
        />
      )}
      {summary.stepwise && <GwasStepwise trait={trait} search={summary.stepwise} onMarker={chooseMarker} />}
      {summary.clumps !== undefined && <GwasClumps {...shared} onMarker={chooseMarker} onClump={showClump} />}
      <SelectionBar selection={selection} noun="marker" fileName={`${gwas.name} ${trait}`}>
        <KeepAsList projectId={projectId} kind="markers" names={selection.ids} />
      </SelectionBar>
      {markerId !== undefined && (
        <MarkerDetail
          key={markerId}
          {...shared}
          markerId={markerId}
          onMarker={chooseMarker}
          onZoom={(row) => genome && setView(neighbourhoodOf(row, genome, chromosomes))}
        />
      )}
      <GwasResultTable
        {...shared}
        genome={genome}
        part={part}
        thresholds={thresholds}
        onView={setView}
        markerId={markerId}
        onMarker={chooseMarker}
        selection={selection}
        clump={clump}
        onClump={setClump}
      />
    </>
  );
}

const NEIGHBOURHOOD_BP = 2_000_000;

function neighbourhoodOf(
  row: { chr: string; pos: number },
  genome: NonNullable<ReturnType<typeof manhattanGenome>>,
  chromosomes: readonly string[],
): GenomeView | undefined {
  const chromosome = chromosomes.indexOf(row.chr);
  if (chromosome < 0) return undefined;
  const x = (genome.offsets[chromosome] ?? 0) + row.pos;
  const start = Math.max(genome.offsets[chromosome] ?? 0, x - NEIGHBOURHOOD_BP);
  return { start, end: x + NEIGHBOURHOOD_BP, chromosome };
}
