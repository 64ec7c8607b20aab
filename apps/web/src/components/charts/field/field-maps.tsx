import { veilOver } from '@heterosis/charts/field/draw-field';
import { type FieldPlaces, fieldGrid, groupEdges } from '@heterosis/charts/field/field-grid';
import type { FieldLayer } from '@heterosis/charts/field/field-layers';
import type { MapSize } from '@heterosis/charts/field/field-view';
import { Menu, SegmentedControl } from '@mantine/core';
import { type ReactNode, useId, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { downloadBlob } from '../../../lib/browser/download.ts';
import { IconButton } from '../../form/icon-button.tsx';
import { IconDownload, IconMaximize, IconZoomIn, IconZoomOut } from '../../icons.tsx';
import figure from '../figure.module.css';
import { useChartColors } from '../use-chart-colors.ts';
import { FieldCanvas } from './field-canvas.tsx';
import { FieldLegend } from './field-legend.tsx';
import classes from './field-map.module.css';
import { mapsPicture } from './field-picture.ts';
import { createFieldStore, type FieldStore } from './field-store.ts';
import { type FieldTool, useFieldPointer } from './use-field-pointer.ts';

/** What is said of a plot: who it is, and what was measured. */
export interface PlotNote {
  title: string;
  rows: readonly (readonly [label: string, value: string])[];
}

/**
 * Maps of one field beside each other that show the same part and the same selection. A table of the plots belongs
 * beside them: it says the same to those who do not see them.
 */
export function FieldMaps(props: {
  title: string;
  caption?: ReactNode;
  places: FieldPlaces;
  layers: readonly FieldLayer[];
  /** Lines are drawn between neighbours of different groups. */
  groupOf?: ((plot: number) => unknown) | undefined;
  /** Plots with a ring, and with a cross. */
  marked: readonly number[];
  crossed: readonly number[];
  selected: ReadonlySet<number>;
  onSelect: (plots: Iterable<number>) => void;
  /** Two plots change places; absent where they may not. */
  onSwap?: ((one: number, other: number) => void) | undefined;
  /** Swapping is what the maps are for, and begins without being chosen. */
  isForSwaps?: boolean;
  /** Written on plots that have room for it. */
  labelOf?: ((plot: number) => string) | undefined;
  describe: (plot: number) => PlotNote;
  tools?: ReactNode;
  /** Without ending. */
  fileName: string;
  csvUrl?: string | undefined;
  /** The id of the table with the same plots. */
  tableId: string;
}) {
  const { title, places, layers, marked, crossed, selected, groupOf, onSwap, labelOf } = props;
  const { t } = useTranslation();
  const colors = useChartColors();
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState<MapSize>({ width: 320, height: 240 });
  const [chosen, setTool] = useState<FieldTool>();
  const wanted = chosen ?? (props.isForSwaps ? 'swap' : 'select');
  const tool = wanted === 'swap' && !onSwap ? 'select' : wanted;
  const grid = useMemo(() => fieldGrid(places), [places]);
  // Another field begins with a view of its own.
  const store = useMemo(createFieldStore, [grid]);
  const edges = useMemo(() => (groupOf ? groupEdges(grid, groupOf) : []), [grid, groupOf]);
  const shared = useMemo(
    () => ({
      ...{ edges, marked, crossed, labelOf },
      veil: selected.size === 0 ? undefined : veilOver(grid, (plot) => selected.has(plot), colors),
    }),
    [edges, marked, crossed, labelOf, selected, grid, colors],
  );
  const pointer = useFieldPointer({
    ...{ frame, grid, store, size, tool, selected, onSwap },
    onSelect: props.onSelect,
  });
  const savePicture = async (): Promise<void> => {
    const blob = await mapsPicture(frame.current, { title, layers, colors });
    if (blob) downloadBlob(`${props.fileName}.png`, blob);
  };
  return (
    <figure className={figure.figure} aria-labelledby={id}>
      <div className={figure.head}>
        <h2 id={id} className={figure.title}>
          {title}
        </h2>
        <div className={figure.actions}>
          <IconButton label={t('fieldMap.zoomIn')} onClick={pointer.zoomIn}>
            <IconZoomIn size={16} />
          </IconButton>
          <IconButton label={t('fieldMap.zoomOut')} onClick={pointer.zoomOut}>
            <IconZoomOut size={16} />
          </IconButton>
          <IconButton label={t('fieldMap.whole')} onClick={pointer.reset}>
            <IconMaximize size={16} />
          </IconButton>
          <Menu>
            <Menu.Target>
              <IconButton label={t('figure.download')}>
                <IconDownload size={16} />
              </IconButton>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => void savePicture()}>PNG</Menu.Item>
              {props.csvUrl && (
                <Menu.Item component="a" href={props.csvUrl} download>
                  CSV
                </Menu.Item>
              )}
            </Menu.Dropdown>
          </Menu>
        </div>
      </div>
      {props.caption && <p className={figure.caption}>{props.caption}</p>}
      <div className={figure.tools}>
        <SegmentedControl
          aria-label={t('fieldMap.dragging')}
          size="xs"
          data={[
            ...(onSwap ? [{ value: 'swap', label: t('fieldMap.swap') }] : []),
            { value: 'select', label: t('fieldMap.select') },
            { value: 'move', label: t('fieldMap.move') },
          ]}
          value={tool}
          onChange={(value) => setTool(value as FieldTool)}
        />
        {props.tools}
      </div>
      <div
        ref={frame}
        className={classes.maps}
        role="application"
        aria-label={title}
        aria-describedby={`${id}-keys`}
        aria-details={props.tableId}
        // Arrow keys go from plot to plot.
        tabIndex={0}
        data-tool={tool}
        data-single={layers.length === 1 || undefined}
        {...pointer.events}
      >
        {layers.map((layer, place) => (
          // By its place: a canvas that shows something else is not made, and measured, anew.
          <div key={place} className={classes.map}>
            <h3 className={classes.name}>{layer.title}</h3>
            <FieldCanvas
              layer={layer}
              grid={grid}
              colors={colors}
              store={store}
              shared={shared}
              onSize={place === 0 ? setSize : undefined}
            />
            <FieldLegend layer={layer} colors={colors} />
          </div>
        ))}
      </div>
      <p id={`${id}-keys`} className="hx-visually-hidden">
        {t(tool === 'swap' ? 'fieldMap.swapKeys' : 'fieldMap.keys')}
      </p>
      <PlotLine
        store={store}
        describe={props.describe}
        hint={t(tool === 'swap' ? 'fieldMap.swapHint' : 'fieldMap.hint')}
      />
    </figure>
  );
}

/** What is known of the plot below the pointer: a line of its own, so that nothing covers its neighbours. */
function PlotLine({
  store,
  describe,
  hint,
}: {
  store: FieldStore;
  describe: (plot: number) => PlotNote;
  hint: string;
}) {
  const plot = useSyncExternalStore(store.subscribe, () => store.get().plot);
  const note = plot === undefined ? undefined : describe(plot);
  return (
    <p className={classes.plot} aria-live="polite" data-plot-note>
      {note ? (
        <>
          <strong>{note.title}</strong>
          {note.rows.map(([label, value]) => (
            <span key={label}>
              <span className="hx-muted">{label}</span> {value}
            </span>
          ))}
        </>
      ) : (
        <span className="hx-muted">{hint}</span>
      )}
    </p>
  );
}
