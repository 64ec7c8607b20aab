import { useVirtualizer } from '@tanstack/react-virtual';
import { useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { PlotRows } from '../plot-rows.ts';
import type { Cell } from './use-values.ts';
import { ValueInput } from './value-input.tsx';
import { asStored, type MeasuredTrait, misfit } from './value-table.ts';
import classes from './values.module.css';

const ROW_PX = 34;
/** Rows drawn beyond those in view. */
const BEYOND = 12;

export interface EntryProps {
  plots: PlotRows;
  /** Places of the plots that are measured, in the order of walking. */
  grown: readonly number[];
  traits: readonly MeasuredTrait[];
  cellAt: (plot: number, trait: string) => Cell;
  isReadOnly: (trait: string) => boolean;
  onType: (plot: number, trait: string, value: string) => void;
  onPaste: (text: string, from: { row: number; column: number }) => void;
  onComplaint: (complaint: { plot: number; trait: string; sentence: string } | undefined) => void;
}

/** Values in a grid: a row a plot, a column a trait. Enter and arrows go down and up, Tab to the right. */
export function ValueGrid(props: EntryProps) {
  const { plots, grown, traits, cellAt, isReadOnly, onType, onPaste, onComplaint } = props;
  const { t } = useTranslation();
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: grown.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_PX,
    overscan: BEYOND,
  });
  const cellId = (row: number, column: number): string => `${id}-${row}-${column}`;
  const moveTo = (row: number, column: number): void => {
    if (row < 0 || row >= grown.length) return;
    rows.scrollToIndex(row, { align: 'auto' });
    // The row is drawn with the next frame where it was out of view.
    const focus = (tries: number): void => {
      const input = document.getElementById(cellId(row, column));
      if (input) input.focus();
      else if (tries > 0) requestAnimationFrame(() => focus(tries - 1));
    };
    focus(5);
  };
  const template = `4.5rem minmax(8rem, 14rem) 5.5rem repeat(${traits.length}, minmax(6.5rem, 9rem))`;
  return (
    <div
      ref={frame}
      className={classes.grid}
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
        {rows.getVirtualItems().map(({ index, start }) => {
          const plot = grown[index] ?? 0;
          const number = plots.number[plot] ?? 0;
          return (
            <div
              key={number}
              role="row"
              aria-rowindex={index + 2}
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
              {traits.map(({ name, scale }, column) => {
                const cell = cellAt(number, name);
                return (
                  <span key={name} role="gridcell">
                    <ValueInput
                      id={cellId(index, column)}
                      label={t('trials.valueOf', { trait: name, plot: number })}
                      text={cell.text}
                      state={cell.state}
                      scale={scale}
                      isReadOnly={isReadOnly(name)}
                      misfit={(text) => misfit(scale, text)}
                      onCommit={(text) => onType(number, name, asStored(scale, text))}
                      onComplaint={(sentence) =>
                        onComplaint(sentence === undefined ? undefined : { plot: number, trait: name, sentence })
                      }
                      onMove={(down) => moveTo(index + down, column)}
                      onPasteTable={(text) => onPaste(text, { row: index, column })}
                    />
                  </span>
                );
              })}
            </div>
          );
        })}
      </div>
    </div>
  );
}
