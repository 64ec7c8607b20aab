import type { ReactNode } from 'react';
import type { PlotRows } from '../plot-rows.ts';
import type { Cell } from './use-values.ts';
import { asStored, type MeasuredTrait, misfit } from './value-table.ts';

/** What the grid and the cards of a trial's values show and tell. */
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
  /** What belongs to a plot besides its values. */
  besides: (plot: number) => ReactNode;
}

/** The field of a trait on a plot, wherever it stands. */
export const fieldOf = (
  { cellAt, isReadOnly, onType, onComplaint }: EntryProps,
  plot: number,
  { name, scale }: MeasuredTrait,
) => {
  const { text, state } = cellAt(plot, name);
  return {
    text,
    state,
    scale,
    isReadOnly: isReadOnly(name),
    misfit: (typed: string) => misfit(scale, typed),
    onCommit: (typed: string) => onType(plot, name, asStored(scale, typed)),
    onComplaint: (sentence: string | undefined) =>
      onComplaint(sentence === undefined ? undefined : { plot, trait: name, sentence }),
  };
};
