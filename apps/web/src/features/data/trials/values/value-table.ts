import type { ProjectTrait, TraitScale } from '@heterosis/contracts/people/traits';
import { misfitOf, storedValue } from '@heterosis/contracts/people/traits';
import { pastedCells, withPoint } from './pasted.ts';

/** How it is written, and shown, that nothing could be observed. */
export const NOTHING = 'NA';

/** What is stored of a trait: its name and what it takes. */
export type MeasuredTrait = Pick<ProjectTrait, 'name' | 'unit' | 'scale'>;

/** A value as it is sent: a decimal comma is a point, a category its value. */
export const asStored = (scale: TraitScale | null, text: string): string => storedValue(scale, asRead(scale, text));

const asRead = (scale: TraitScale | null, text: string): string =>
  scale === null || scale.kind === 'numeric' || scale.kind === 'integer' ? withPoint(text.trim()) : text.trim();

/** Why a trait does not take a text, as the end of a sentence; undefined where it does, and for no text. */
export function misfit(scale: TraitScale | null, text: string): string | undefined {
  // Nothing could be observed.
  return text.trim() === '' || text.trim() === NOTHING
    ? undefined
    : (misfitOf(scale, asRead(scale, text)) ?? undefined);
}

/** Cells of a pasted block that fit their traits, and those that do not; what lies beyond the grid is counted. */
export function readPasted(
  text: string,
  from: { row: number; column: number },
  grid: { plots: readonly number[]; traits: readonly MeasuredTrait[] },
) {
  const taken: { plot: number; trait: string; value: string }[] = [];
  const refused: { plot: number; trait: string; value: string; reason: string }[] = [];
  let beyond = 0;
  for (const [down, cells] of pastedCells(text).entries()) {
    for (const [across, cell] of cells.entries()) {
      const plot = grid.plots[from.row + down];
      const trait = grid.traits[from.column + across];
      if (plot === undefined || trait === undefined) {
        if (cell !== '') beyond++;
        continue;
      }
      if (cell === '') continue;
      const reason = misfit(trait.scale, cell);
      if (reason === undefined) taken.push({ plot, trait: trait.name, value: asStored(trait.scale, cell) });
      else refused.push({ plot, trait: trait.name, value: cell, reason });
    }
  }
  return { taken, refused, beyond };
}
