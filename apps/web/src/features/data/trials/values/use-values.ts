import type { Trial } from '@heterosis/contracts/data/trials';
import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTraitSettings } from '../../../people/projects/index.ts';
import { cellOf, type TypedValue } from './outbox.ts';
import type { CellState } from './value-input.tsx';
import { type MeasuredTrait, NOTHING } from './value-table.ts';
import { observationsQuery } from './values.api.ts';

/** What a cell shows, and which stored values a new one replaces. */
export interface Cell {
  text: string;
  state: CellState;
  ids: readonly string[];
  /** Why the server did not take what is shown. */
  refused?: string | undefined;
}

const EMPTY: Cell = { text: '', state: 'empty', ids: [] };

/** The values of a trial by plot and trait: what is stored, and over it what is on its way. */
export function useValues(projectId: string, trial: Trial, waiting: readonly TypedValue[]) {
  const settings = useTraitSettings(projectId);
  const queries = useQueries({
    queries: trial.traits.map((trait) => observationsQuery(projectId, trial.id, trait)),
  });
  const answers = queries.map(({ data }) => data);
  const traits = useMemo(
    (): MeasuredTrait[] => trial.traits.map((name) => settings?.(name) ?? { name, unit: null, scale: null }),
    [trial.traits, settings],
  );
  const cells = useMemo(() => {
    const byCell = new Map<string, Cell>();
    for (const answer of answers) {
      if (answer === undefined) continue;
      for (const [k, plot] of answer.plot.entries()) {
        const key = cellOf({ plot, trait: answer.trait });
        const before = byCell.get(key);
        const isAside = answer.state[k] === 'SET_ASIDE';
        const ids = [...(before?.ids ?? []), answer.id[k] ?? ''];
        // A value that counts is shown before one that is set aside.
        if (before && (isAside || before.state === 'stored')) byCell.set(key, { ...before, ids });
        else byCell.set(key, { text: answer.value[k] ?? NOTHING, state: isAside ? 'aside' : 'stored', ids });
      }
    }
    for (const { plot, trait, value, refused } of waiting) {
      const key = cellOf({ plot, trait });
      const state = refused === undefined ? 'waiting' : 'refused';
      byCell.set(key, { text: value, state, ids: byCell.get(key)?.ids ?? [], refused });
    }
    return byCell;
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the answers, not the array of each render
  }, [...answers, waiting, answers.length]);
  return {
    traits,
    error: queries.find(({ error }) => error)?.error ?? undefined,
    /** Nothing is known yet. */
    isLoading: queries.length > 0 && queries.every(({ isPending }) => isPending),
    /** Its values are being read: whoever types does not see yet what is replaced. */
    isPending: (trait: string): boolean => queries[trial.traits.indexOf(trait)]?.isPending ?? true,
    cellAt: (plot: number, trait: string): Cell => cells.get(cellOf({ plot, trait })) ?? EMPTY,
  };
}
