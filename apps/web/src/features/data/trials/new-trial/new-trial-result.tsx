import type { DesignEntry } from '@heterosis/statgen/designs/design-types';
import { Button } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../../components/page/empty-state.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import { numberOf } from '../../../../lib/form/field-number.ts';
import { DesignMap } from './design-map.tsx';
import type { NewTrialValues } from './new-trial-values.ts';
import type { useDesign } from './use-design.ts';

/** What the form gives so far: the map of a place, or why there is none. */
export function NewTrialResult(props: {
  form: UseFormReturnType<NewTrialValues>;
  entries: readonly DesignEntry[];
  state: ReturnType<typeof useDesign>;
  inWords: (text: string) => string;
}) {
  const { form, entries, state, inWords } = props;
  const { t } = useTranslation();
  const [wantedPlace, setPlace] = useState(0);
  const { values } = form;
  const place = Math.min(wantedPlace, Math.max(0, values.locations.length - 1));
  const swaps = state.swaps[place] ?? [];
  const shape = numberOf(values.plot_length) / numberOf(values.plot_width);
  /** The field stays as large as it is, and has no plots in these cells. */
  const leaveOut = (cells: readonly { row: number; column: number }[]): void => {
    const size = state.design?.places[place];
    if (size === undefined) return;
    const holes = [...values.holes, ...cells.map(({ row, column }) => `${row}:${column}`)];
    form.setValues({ rows: size.rows, columns: size.columns, holes: [...new Set(holes)] });
  };
  /** The field stays as large as it is, and checks stand in these cells. */
  const nameCheckPlots = (cells: readonly { row: number; column: number }[]): void => {
    const size = state.design?.places[place];
    if (size === undefined) return;
    const named = cells.map(({ row, column }) => `${row}:${column}`);
    form.setValues({ rows: size.rows, columns: size.columns, check_plots: named });
  };
  if (state.failure !== undefined)
    return <Notice kind="warning">{t('trials.failed', { reason: state.failure })}</Notice>;
  if (state.obstacle) {
    return (
      <div role="alert">
        <Notice kind="warning">
          <strong>{inWords(state.obstacle.message)}</strong> {inWords(state.obstacle.action)}
          {values.check_plots.length > 0 && (
            // The map on which they were named is gone.
            <Button size="xs" variant="default" onClick={() => form.setFieldValue('check_plots', [])}>
              {t('trials.forgetCheckPlots', { count: values.check_plots.length })}
            </Button>
          )}
        </Notice>
      </div>
    );
  }
  if (!state.design)
    return (
      <EmptyState title={t('trials.mapWaits')}>
        {t(state.isDrawing ? 'trials.searching' : 'trials.mapWaitsText')}
      </EmptyState>
    );
  return (
    <DesignMap
      key={`${values.design} ${place}`}
      design={state.design}
      state={state}
      entries={entries}
      places={values.locations}
      template={values.plot_name}
      firstPlot={numberOf(values.first_plot) || 1}
      plotShape={shape > 0 && Number.isFinite(shape) ? shape : undefined}
      swaps={swaps.length}
      place={place}
      onPlace={setPlace}
      onSwap={(one, other) => state.setSwaps(place, [...swaps, [one, other]])}
      onUndo={() => state.setSwaps(place, swaps.slice(0, -1))}
      onHoles={leaveOut}
      onCheckPlots={values.checks.length > 0 ? nameCheckPlots : undefined}
    />
  );
}
