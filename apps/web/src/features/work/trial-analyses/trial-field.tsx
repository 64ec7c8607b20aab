import {
  type FirstLayer,
  firstLayer,
  firstLayers,
  fittedLayers,
  type LayerName,
  placedPlots,
} from '@heterosis/charts/field/trial-layers';
import type { TrialPlots } from '@heterosis/contracts/work/trial-analyses';
import { NativeSelect } from '@mantine/core';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FieldMaps } from '../../../components/charts/field/field-maps.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { formatCount, formatStatistic } from '../../../lib/format/format.ts';
import { withUnit } from '../../data/files/index.ts';
import { PLOT_TABLE_ID, TrialPlotTable } from './trial-plot-table.tsx';
import type { TrialChanges } from './use-trial-changes.ts';

const NONE: ReadonlySet<number> = new Set();

/** The maps of a field, and the table of its plots below: what is selected in one is selected in the other. */
export function TrialField(props: {
  trial: TrialPlots;
  name: string;
  csvUrl: string | undefined;
  /** Absent for those who may only read. */
  changes: TrialChanges | undefined;
}) {
  const { trial, name, changes } = props;
  const { t } = useTranslation();
  const [selected, setSelected] = useState(NONE);
  return (
    <>
      {trial.total > trial.line.length && (
        <Notice kind="warning">
          {t('trial_analyses.firstPlots', { shown: formatCount(trial.line.length), total: formatCount(trial.total) })}
        </Notice>
      )}
      <TrialMaps trial={trial} name={name} csvUrl={props.csvUrl} selected={selected} onSelect={setSelected} />
      <TrialPlotTable trial={trial} name={name} selected={selected} onSelect={setSelected} changes={changes} />
    </>
  );
}

/** The maps with the choice of the first one, beside which the table of ten thousand plots need not be drawn again. */
function TrialMaps(props: {
  trial: TrialPlots;
  name: string;
  csvUrl: string | undefined;
  selected: ReadonlySet<number>;
  onSelect: (plots: ReadonlySet<number>) => void;
}) {
  const { trial, selected, onSelect } = props;
  const { t } = useTranslation();
  const [first, setFirst] = useState<FirstLayer>('value');
  const placed = useMemo(() => placedPlots(trial), [trial]);
  const titleOf = useCallback(
    (layer: LayerName): string =>
      layer === 'value' ? withUnit(trial.trait, trial.unit) : t(`trial_analyses.layer.${layer}`),
    [trial, t],
  );
  // The other maps stay as they are drawn.
  const others = useMemo(() => fittedLayers(trial, placed, titleOf), [trial, placed, titleOf]);
  const layers = useMemo(
    () => [firstLayer(trial, placed, first, titleOf), ...others],
    [trial, placed, first, titleOf, others],
  );
  const marks = useMemo(() => marksOf(trial, placed.plots), [trial, placed]);
  const groupOf = useCallback((plot: number) => trial.replicate[placed.plots[plot] ?? -1], [trial, placed]);
  // The maps number the plots that have a place, the table all of them.
  const onMaps = useMemo(
    () => new Set(placed.plots.flatMap((plot, place) => (selected.has(plot) ? [place] : []))),
    [placed, selected],
  );
  const choices = useMemo(() => firstLayers(trial), [trial]);
  const describe = (place: number) => {
    const plot = placed.plots[place] ?? -1;
    const rows: [string, string][] = [
      [t('trial_analyses.row'), String(trial.row[plot] ?? '–')],
      [t('trial_analyses.column'), String(trial.column[plot] ?? '–')],
      [withUnit(trial.trait, trial.unit), formatStatistic(trial.value[plot])],
      [t('trial_analyses.layer.fitted'), formatStatistic(trial.fitted[plot])],
      [t('trial_analyses.layer.residual'), formatStatistic(trial.residual[plot])],
    ];
    const aside = trial.set_aside[plot];
    if (aside) rows.push([t('trial_analyses.setAside'), aside]);
    return { title: trial.line[plot] ?? '', rows };
  };
  if (placed.plots.length === 0) return <p className="hx-muted">{t('trial_analyses.noMap')}</p>;
  return (
    <FieldMaps
      title={t('trial_analyses.maps')}
      caption={t('trial_analyses.mapsCaption')}
      places={placed.places}
      layers={layers}
      groupOf={groupOf}
      marked={marks.outliers}
      crossed={marks.aside}
      selected={onMaps}
      onSelect={(places) => onSelect(new Set([...places].map((place) => placed.plots[place] ?? -1)))}
      describe={describe}
      tools={
        choices.length > 1 && (
          <NativeSelect
            size="xs"
            aria-label={t('trial_analyses.firstMap')}
            value={first}
            onChange={(event) => setFirst(event.currentTarget.value as FirstLayer)}
            data={choices.map((value) => ({
              value,
              label: value === 'value' ? trial.trait : t(`trial_analyses.layer.${value}`),
            }))}
          />
        )
      }
      fileName={`${props.name} field`}
      csvUrl={props.csvUrl}
      tableId={PLOT_TABLE_ID}
    />
  );
}

function marksOf(trial: TrialPlots, plots: readonly number[]) {
  const where = (holds: (plot: number) => boolean): number[] =>
    plots.flatMap((plot, place) => (holds(plot) ? [place] : []));
  return {
    outliers: where((plot) => trial.outlier[plot] === true),
    aside: where((plot) => trial.set_aside[plot] != null),
  };
}
