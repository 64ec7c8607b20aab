import type { Trial, TrialPlots } from '@heterosis/contracts/data/trials';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { SkeletonLines } from '../../../components/page/loading.tsx';
import { Section } from '../../../components/page/section.tsx';
import { type DataColumn, DataTable } from '../../../components/table/data-table.tsx';
import { showUndoToast } from '../../../lib/browser/undo-toast.ts';
import { CommentThread } from '../../people/comments/index.ts';
import { useProjectRights } from '../../people/projects/index.ts';
import { LayoutMap, type TraitLayer } from './layout-map.tsx';
import { PlotPhotos } from './photos/plot-photos.tsx';
import { type PlotRows, rowsOfTrial } from './plot-rows.ts';
import { SuspectList } from './suspects/suspect-list.tsx';
import { marksOf, type Suspect } from './suspects/suspects.ts';
import { useSuspects } from './suspects/use-suspects.ts';
import { useTrialMutations } from './trials.api.ts';
import { PlotHistory } from './values/plot-history.tsx';
import { useTraitLayers } from './values/use-trait-layers.ts';

const TABLE_ID = 'trial-plot-table';
const NONE: ReadonlySet<number> = new Set();

/** The map of a trial and the table of its plots: what is selected in one is selected in the other. */
export function TrialField(props: { projectId: string; trial: Trial; plots: TrialPlots; mayChange: boolean }) {
  const { projectId, trial, plots, mayChange } = props;
  const traits = useTraitLayers(projectId, trial, plots);
  const { t } = useTranslation();
  const { swap } = useTrialMutations(projectId);
  const { may } = useProjectRights(projectId);
  const [selected, setSelected] = useState(NONE);
  const rows = useMemo(() => rowsOfTrial(plots), [plots]);
  const shape = (trial.plot_length_m ?? Number.NaN) / (trial.plot_width_m ?? Number.NaN);
  const swapPlots = (one: number, other: number): void => {
    const numbers: [number, number] = [rows.number[one] ?? 0, rows.number[other] ?? 0];
    swap.mutate(
      { id: trial.id, plots: numbers },
      {
        onSuccess: (event) =>
          showUndoToast(t, {
            text: t('trials.swapped', { one: numbers[0], other: numbers[1] }),
            undone: t('trials.swapUndone'),
            undo: () => swap.mutateAsync({ id: trial.id, undoes: event.id }),
          }),
      },
    );
  };
  const shown = useMemo(
    () => rows.number.flatMap((_, plot) => (selected.size === 0 || selected.has(plot) ? [plot] : [])),
    [rows, selected],
  );
  const suspects = useSuspects(projectId, trial.id);
  const { byPlot, inWords } = suspects;
  const marks = useCallback((trait: string | undefined) => marksOf(byPlot, rows.number, trait), [byPlot, rows]);
  const suspectsOf = (plot: number): readonly Suspect[] => byPlot.get(rows.number[plot] ?? -1) ?? [];
  const show = (numbers: readonly number[]): void => {
    const wanted = new Set(numbers);
    setSelected(new Set(rows.number.flatMap((number, plot) => (wanted.has(number) ? [plot] : []))));
  };
  const single = selected.size === 1 ? rows.number[[...selected][0] ?? -1] : undefined;
  const columns = usePlotColumns(rows, traits);
  const suspectColumn = (): DataColumn<number>[] =>
    byPlot.size === 0
      ? []
      : [
          {
            ...{ id: 'suspects', header: t('trials.suspects.label'), wrap: true, width: 260 },
            value: (plot) =>
              suspectsOf(plot)
                .map((one) => `${one.trait}: ${inWords(one)}`)
                .join(' ') || null,
          },
        ];
  // What is wrong stands above the map, which must not move when it comes.
  if (suspects.isPending) return <SkeletonLines lines={8} />;
  return (
    <>
      {swap.error && <ErrorNotice error={swap.error} />}
      {suspects.error && <ErrorNotice error={suspects.error} />}
      <SuspectList projectId={projectId} analysed={suspects.analysed} onShow={show} />
      <LayoutMap
        title={t('trials.map')}
        plots={rows}
        traits={traits}
        plotShape={Number.isFinite(shape) ? shape : undefined}
        marksOf={marks}
        notesOf={(plot) => suspectsOf(plot).map((one) => [one.trait, inWords(one)] as const)}
        selected={selected}
        onSelect={setSelected}
        onSwap={mayChange && trial.state !== 'CLOSED' ? swapPlots : undefined}
        fileName={trial.name}
        tableId={TABLE_ID}
      />
      <Section title={selected.size === 0 ? t('trials.plots') : t('trials.selectedPlots', { count: selected.size })}>
        <div id={TABLE_ID}>
          <DataTable
            id="trial-layout"
            label={t('trials.plots')}
            columns={[...columns, ...suspectColumn()]}
            rows={shown}
            rowId={String}
            isMarked={(plot) => suspectsOf(plot).length > 0}
            csvName={`${trial.name} plots`}
            maxHeight="24rem"
          />
        </div>
      </Section>
      {single !== undefined && (
        <>
          <PlotHistory projectId={projectId} trialId={trial.id} plot={single} />
          <PlotPhotos
            key={single}
            projectId={projectId}
            trialId={trial.id}
            plot={single}
            mayAdd={may('write') && trial.state !== 'CLOSED'}
          />
        </>
      )}
      {single !== undefined && (
        <Section title={t('comments.ofPlot', { plot: single })}>
          <CommentThread
            key={single}
            projectId={projectId}
            entityKind="trial"
            entityId={trial.id}
            part={String(single)}
          />
        </Section>
      )}
    </>
  );
}

function usePlotColumns(rows: PlotRows, traits: readonly TraitLayer[]): DataColumn<number>[] {
  const { t } = useTranslation();
  return useMemo(() => {
    const number = (id: 'row' | 'column' | 'replicate' | 'block', header: string): DataColumn<number>[] =>
      rows[id].some((value) => value !== null)
        ? [{ id, header, value: (plot) => rows[id][plot] ?? null, numeric: true, width: 100 }]
        : [];
    const isNamed = rows.name.some((name, plot) => name !== String(rows.number[plot]));
    return [
      { id: 'plot', header: t('trials.plot'), value: (plot) => rows.number[plot] ?? 0, numeric: true, width: 90 },
      ...(isNamed
        ? [{ id: 'name', header: t('trials.plotName'), value: (plot: number) => rows.name[plot] ?? '' }]
        : []),
      { id: 'entry', header: t('trials.entry'), value: (plot) => rows.entry[plot] ?? null, narrow: true },
      {
        id: 'kind',
        header: t('trials.layer.kind'),
        value: (plot) => t(`trials.kind.${rows.kind[plot] ?? 'ENTRY'}`),
        width: 100,
      },
      ...number('row', t('trials.row')),
      ...number('column', t('trials.column')),
      ...number('replicate', t('trials.layer.replicate')),
      ...number('block', t('trials.layer.block')),
      ...(rows.treatment.some((one) => one !== null)
        ? [
            {
              id: 'treatment',
              header: t('trials.layer.treatment'),
              value: (plot: number) => rows.treatment[plot] ?? null,
            },
          ]
        : []),
      ...traits.map(
        ({ trait, title, values }): DataColumn<number> => ({
          ...{ id: `trait ${trait}`, header: title, width: 130 },
          value: (plot) => values[plot] ?? null,
          numeric: values.some((value) => typeof value === 'number'),
        }),
      ),
    ];
  }, [rows, traits, t]);
}
