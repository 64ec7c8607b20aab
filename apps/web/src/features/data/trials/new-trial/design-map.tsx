import type { Design, DesignEntry } from '@heterosis/statgen/designs/design-types';
import { Button, NativeSelect, Progress } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LayoutMap } from '../layout-map.tsx';
import { rowsOfDesign } from '../plot-rows.ts';
import { DesignFigures } from './design-figures.tsx';
import classes from './new-trial.module.css';
import type { DesignState } from './use-design.ts';

const NEW_MAP_ID = 'new-trial-map';
const NONE: ReadonlySet<number> = new Set();

/** The map of each place while it is made, with its figures; plots change places once the search has ended. */
export function DesignMap(props: {
  design: Design;
  state: Pick<DesignState, 'isWhole' | 'share' | 'changed'>;
  entries: readonly DesignEntry[];
  places: readonly string[];
  template: string;
  firstPlot: number;
  plotShape: number | undefined;
  /** How many swaps a place has. */
  swaps: number;
  place: number;
  onPlace: (place: number) => void;
  onSwap: (one: number, other: number) => void;
  onUndo: () => void;
  /** Cells that are to have no plot. */
  onHoles: (cells: { row: number; column: number }[]) => void;
  /** Cells that all checks are to stand in; absent without checks. */
  onCheckPlots: ((cells: { row: number; column: number }[]) => void) | undefined;
  children?: ReactNode;
}) {
  const { design, state, entries, places, template, firstPlot, place, swaps } = props;
  const { t } = useTranslation();
  const [selected, setSelected] = useState(NONE);
  const changed = state.changed[place];
  const plots = useMemo(
    () => changed?.plots ?? design.plots.filter((plot) => plot.place === place),
    [changed, design, place],
  );
  const name = places[place] ?? '';
  const rows = useMemo(
    () => rowsOfDesign(plots, entries, { place: name || String(place + 1), template, firstPlot }),
    [plots, entries, name, place, template, firstPlot],
  );
  const figures = changed?.figures ?? design.places[place];
  const chosen = [...selected].flatMap((plot) => plots[plot] ?? []);
  return (
    <>
      <div className={classes.map} data-stale={!state.isWhole || undefined} id={NEW_MAP_ID}>
        <LayoutMap
          title={name === '' ? t('trials.map') : t('trials.mapOf', { name })}
          plots={rows}
          plotShape={props.plotShape}
          selected={selected}
          onSelect={setSelected}
          isForSwaps
          onSwap={
            state.isWhole
              ? (one, other) => {
                  const [a, b] = [plots[one], plots[other]];
                  if (a && b && a.kind !== 'border' && b.kind !== 'border') props.onSwap(a.number, b.number);
                }
              : undefined
          }
          tools={
            <>
              {places.length > 1 && (
                <NativeSelect
                  size="xs"
                  aria-label={t('trials.place')}
                  value={String(place)}
                  onChange={(event) => {
                    setSelected(NONE);
                    props.onPlace(Number(event.currentTarget.value));
                  }}
                  data={places.map((label, at) => ({ value: String(at), label }))}
                />
              )}
              {swaps > 0 && (
                <Button size="xs" variant="default" onClick={props.onUndo}>
                  {t('trials.undoSwap', { count: swaps })}
                </Button>
              )}
              {chosen.length > 0 && (
                <Button
                  size="xs"
                  variant="default"
                  onClick={() => {
                    setSelected(NONE);
                    props.onHoles(chosen.map(({ row, column }) => ({ row, column })));
                  }}
                >
                  {t('trials.makeHoles', { count: chosen.length })}
                </Button>
              )}
              {chosen.length > 0 && props.onCheckPlots && (
                <Button
                  size="xs"
                  variant="default"
                  onClick={() => {
                    setSelected(NONE);
                    props.onCheckPlots?.(chosen.map(({ row, column }) => ({ row, column })));
                  }}
                >
                  {t('trials.makeCheckPlots', { count: chosen.length })}
                </Button>
              )}
            </>
          }
          fileName={`${name || t('trials.map')}`}
          tableId={NEW_MAP_ID}
        />
      </div>
      <p className={classes.note} role="status" data-design-state={state.isWhole ? 'whole' : 'short'}>
        {t(state.isWhole ? 'trials.searchedWhole' : 'trials.searching')}
      </p>
      <Progress
        className={classes.searched ?? ''}
        size={3}
        value={100 * state.share}
        aria-label={t('trials.searching')}
        data-hidden={state.isWhole || undefined}
      />
      {figures && <DesignFigures figures={figures} allocation={design.allocation} />}
    </>
  );
}
