import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useCallback, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type EntryProps, fieldOf } from './entry-props.ts';
import { ValueInput } from './value-input.tsx';
import classes from './values.module.css';

const ROW_PX = 34;
/** Rows drawn beyond those in view. */
const BEYOND = 12;

/** Values in a grid: a row a plot, a column a trait. Enter and arrows go down and up, Tab to the right. */
export function ValueGrid(props: EntryProps) {
  const { plots, grown, traits, besides } = props;
  const { t } = useTranslation();
  const [plotAt, setPlotAt] = useState<number>();
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: grown.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_PX,
    overscan: BEYOND,
  });
  const moveTo = (row: number, column: number): void => {
    if (row < 0 || row >= grown.length) return;
    rows.scrollToIndex(row, { align: 'auto' });
    // The row is drawn with the next frame where it was out of view.
    const focus = (tries: number): void => {
      const input = document.getElementById(cellId(id, row, column));
      if (input) input.focus();
      else if (tries > 0) requestAnimationFrame(() => focus(tries - 1));
    };
    focus(5);
  };
  const latest = useRef(moveTo);
  latest.current = moveTo;
  const onMove = useCallback((row: number, column: number) => latest.current(row, column), []);
  const template = `4.5rem minmax(8rem, 14rem) 5.5rem repeat(${traits.length}, minmax(6.5rem, 9rem))`;
  return (
    <>
      <div
        ref={frame}
        className={classes.grid}
        onFocus={({ target }) => {
          const row = target.closest<HTMLElement>('[data-plot]');
          if (row) setPlotAt(Number(row.dataset['plot']));
        }}
        role="grid"
        aria-rowcount={grown.length + 1}
        aria-label={t('trials.values')}
      >
        <div className={classes.head} role="row" style={{ gridTemplateColumns: template }}>
          <span role="columnheader">{t('trials.plot')}</span>
          <span role="columnheader">{t('trials.entry')}</span>
          <span role="columnheader">{t('trials.rowColumn')}</span>
          {traits.map(({ name, unit }) => (
            <span key={name} role="columnheader" title={name}>
              {unit === null ? name : `${name} (${unit})`}
            </span>
          ))}
        </div>
        <div className={classes.body} style={{ height: rows.getTotalSize() }} role="rowgroup">
          {rows.getVirtualItems().map(({ index, start }) => (
            <GridRow key={plots.number[grown[index] ?? 0]} entry={props} {...{ id, index, start, template, onMove }} />
          ))}
        </div>
      </div>
      {plotAt !== undefined && (
        <div className={classes.besides}>
          <strong>{t('trials.plotNumber', { number: plotAt })}</strong>
          {besides(plotAt)}
        </div>
      )}
    </>
  );
}

const cellId = (id: string, row: number, column: number): string => `${id}-${row}-${column}`;

/** A plot with its values. While the grid is scrolled only rows that come into view are rendered. */
const GridRow = memo(function GridRow(props: {
  /** What the grid is given: the same object while it is scrolled. */
  entry: EntryProps;
  id: string;
  index: number;
  /** In pixels from the first row. */
  start: number;
  template: string;
  onMove: (row: number, column: number) => void;
}) {
  const { entry, id, index, start, template, onMove } = props;
  const { plots, grown, traits, onPaste } = entry;
  const { t } = useTranslation();
  const plot = grown[index] ?? 0;
  const number = plots.number[plot] ?? 0;
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      data-plot={number}
      className={classes.row}
      style={{ gridTemplateColumns: template, transform: `translateY(${start}px)`, height: ROW_PX }}
    >
      <span role="rowheader">{number}</span>
      <span role="gridcell" className={classes.name} title={plots.entry[plot] ?? ''}>
        {plots.entry[plot]}
      </span>
      <span role="gridcell" className="hx-muted">
        {plots.row[plot] ?? '–'} · {plots.column[plot] ?? '–'}
      </span>
      {traits.map((trait, column) => (
        <span key={trait.name} role="gridcell">
          <ValueInput
            {...fieldOf(entry, number, trait)}
            id={cellId(id, index, column)}
            label={t('trials.valueOf', { trait: trait.name, plot: number })}
            onMove={(down) => onMove(index + down, column)}
            onPasteTable={(text) => onPaste(text, { row: index, column })}
          />
        </span>
      ))}
    </div>
  );
});
