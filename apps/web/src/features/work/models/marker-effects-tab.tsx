import { escapeHtml } from '@heterosis/charts/chart-option';
import { manhattanGenome, manhattanOption } from '@heterosis/charts/genome/manhattan';
import { ringsOf } from '@heterosis/charts/rings';
import type { MarkerEffect, ModelDetail } from '@heterosis/contracts/work/models';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Figure } from '../../../components/charts/figure.tsx';
import { useChartColors } from '../../../components/charts/use-chart-colors.ts';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { type DataColumn, DataTable } from '../../../components/table/data-table.tsx';
import { NumberCell } from '../../../components/table/number-cell.tsx';
import { SelectionBar } from '../../../components/table/selection-bar.tsx';
import { useEndlessTable } from '../../../components/table/use-endless-table.ts';
import { type PageSelection, useSelection } from '../../../components/table/use-selection.ts';
import { formatStatistic } from '../../../lib/format/format.ts';
import { useUnitOf, withUnit } from '../../data/files/index.ts';
import { KeepAsList } from '../../data/lists/index.ts';
import { TraitSelect, useTraitInAddress } from '../runs/index.ts';
import { allMarkerEffectsQuery, markerEffectsQuery } from './models.api.ts';

/** Beyond this many markers the plot would have to be thinned; the table and the CSV have them all. */
const PLOT_UP_TO = 60_000;
const FREQUENCY_DECIMALS = 3;
const PLOT_PX = 240;
/** Title and caption above it. */
const FIGURE_HEAD_PX = 48;

export function MarkerEffectsTab({
  projectId,
  model,
  traits,
}: {
  projectId: string;
  model: ModelDetail;
  traits: string[];
}) {
  const { t } = useTranslation();
  const { trait, choose } = useTraitInAddress(traits);
  const selection = useSelection('selected_markers');
  const { table, search } = useEndlessTable({
    defaultSort: { column: 'additive', descending: true },
    query: ({ search: text, sort }) =>
      markerEffectsQuery(projectId, model.id, {
        trait,
        search: text,
        sort: sort?.column === 'additive' ? '-abs_effect' : 'position',
      }),
  });
  const unit = useUnitOf(projectId, model.phenotype)(trait);
  const hasDominance = model.include_dominance_effects === true;
  const columns: DataColumn<MarkerEffect>[] = [
    { id: 'id', header: t('word.marker'), value: (row) => row.id, sortable: false },
    { id: 'chr', header: t('marker.chr'), value: (row) => row.chr, width: 80, sortable: false },
    {
      id: 'pos',
      header: t('marker.pos'),
      unit: 'Mb',
      value: (row) => row.pos,
      exported: [{ header: t('marker.pos'), unit: 'bp', value: (row) => row.pos }],
      cell: (row) => <NumberCell value={row.pos} kind="position" />,
      numeric: true,
      width: 130,
    },
    { id: 'A1', header: t('marker.A1'), value: (row) => row.A1, width: 90, sortable: false },
    { id: 'A2', header: t('word.a2Effect'), value: (row) => row.A2, width: 100, sortable: false },
    {
      id: 'freqA2',
      header: t('word.freqA2'),
      hint: t('marker.freqA2Hint'),
      value: (row) => row.freqA2,
      cell: (row) => <NumberCell value={row.freqA2} decimals={FREQUENCY_DECIMALS} />,
      numeric: true,
      width: 90,
      sortable: false,
    },
    {
      id: 'additive',
      header: t('models.additiveEffect'),
      unit,
      value: (row) => row.additive,
      cell: (row) => <NumberCell value={row.additive} />,
      numeric: true,
      width: 140,
      narrow: true,
    },
    ...(hasDominance
      ? [
          {
            id: 'dominance',
            header: t('models.dominanceEffect'),
            unit,
            value: (row: MarkerEffect) => row.dominance,
            cell: (row: MarkerEffect) => <NumberCell value={row.dominance} />,
            numeric: true,
            width: 160,
            sortable: false,
          },
        ]
      : []),
    ...(model.fit[trait]?.sampling === undefined
      ? []
      : [
          {
            id: 'pip',
            header: 'PIP',
            hint: t('models.pipHint'),
            value: (row: MarkerEffect) => row.pip,
            cell: (row: MarkerEffect) => <NumberCell value={row.pip} decimals={FREQUENCY_DECIMALS} />,
            numeric: true,
            width: 90,
            sortable: false,
          },
        ]),
  ];
  const isSampled = model.fit[trait]?.sampling !== undefined;
  const markers = model.fit[trait]?.m ?? 0;
  return (
    <>
      <TraitSelect traits={traits} value={trait} onChange={choose} />
      {markers <= PLOT_UP_TO &&
        (isSampled ? (['pip', 'effect'] as const) : (['effect'] as const)).map((what) => (
          <EffectsAlongGenome key={what} {...{ projectId, model, trait, unit, selection, what }} />
        ))}
      <SelectionBar selection={selection} noun="marker" fileName={`${model.name} ${trait}`}>
        <KeepAsList projectId={projectId} kind="markers" names={selection.ids} />
      </SelectionBar>
      <p className="hx-muted">{t('models.effectsNote')}</p>
      <DataTable
        id="marker-effects"
        searchLabel={t('word.searchMarkers')}
        label={t('models.markerEffects')}
        columns={columns}
        {...table}
        rowId={(row) => row.id}
        selection={selection}
        total={search ? undefined : markers}
        csvName={`${model.name} ${trait} effects`}
        csvUrl={search ? undefined : (model.marker_effects_csv_urls[trait] ?? undefined)}
        maxHeight="28rem"
      />
    </>
  );
}

function EffectsAlongGenome(props: {
  projectId: string;
  model: ModelDetail;
  trait: string;
  unit: string | undefined;
  selection: PageSelection;
  /** The size of the effect, or the posterior probability that there is one. */
  what: 'effect' | 'pip';
}) {
  const { projectId, model, trait, unit, selection, what } = props;
  const { t } = useTranslation();
  const colors = useChartColors();
  const { data, error, refetch } = useQuery(allMarkerEffectsQuery(projectId, model.id, trait));
  const heightOf = useMemo(
    () => (row: MarkerEffect) => (what === 'pip' ? (row.pip ?? Number.NaN) : Math.abs(row.additive)),
    [what],
  );
  const { points, genome } = useMemo(() => {
    const rows = data ?? [];
    const chromosomes = [...new Set(rows.map((row) => row.chr))];
    const fields = Float32Array.from(rows.flatMap((row) => [chromosomes.indexOf(row.chr), row.pos, heightOf(row)]));
    return { points: fields, genome: manhattanGenome(fields, chromosomes) };
  }, [data, heightOf]);
  const placeOf = ({ chr, pos }: MarkerEffect): number => (genome.offsets[genome.names.indexOf(chr)] ?? 0) + pos;
  const height = what === 'pip' ? t('models.pip') : withUnit(t('models.absoluteEffect'), unit);
  const option = useMemo(() => {
    return manhattanOption(
      points,
      genome,
      {
        thresholds: [],
        labels: { x: t('word.chromosome'), y: height },
        describe: (_, value) => escapeHtml(`${height}: ${formatStatistic(value)}`),
      },
      colors,
    );
  }, [points, genome, height, colors, t]);
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={PLOT_PX + FIGURE_HEAD_PX} />;
  const title = t(what === 'pip' ? 'models.pipAlongGenome' : 'models.effectsAlongGenome', { trait });
  return (
    <Figure
      title={title}
      caption={t(what === 'pip' ? 'models.pipCaption' : 'models.effectsCaption')}
      label={title}
      option={option}
      rings={ringsOf(
        data.filter((row) => selection.ids.has(row.id)),
        (row) => ({ x: placeOf(row), y: heightOf(row), name: row.id }),
      )}
      onBrush={(from, to) =>
        selection.select(data.filter((row) => placeOf(row) >= from && placeOf(row) <= to).map((row) => row.id))
      }
      height={PLOT_PX}
      renderer="canvas"
      fileName={`${model.name} ${trait} ${what === 'pip' ? 'PIP' : 'effects'}`}
      table={{
        head: [
          t('word.marker'),
          t('marker.chr'),
          t('marker.pos'),
          'A1',
          'A2',
          'freqA2',
          what === 'pip' ? 'PIP' : withUnit(t('models.additiveEffect'), unit),
        ],
        rows: data.map((row) => [
          ...[row.id, row.chr, row.pos, row.A1, row.A2, row.freqA2],
          what === 'pip' ? row.pip : row.additive,
        ]),
        format: formatStatistic,
      }}
    />
  );
}
