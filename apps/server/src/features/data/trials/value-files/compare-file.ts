import type { ValueFileChoices } from '@heterosis/contracts/data/value-files';
import type { CurrentObservation } from '../observations.queries.ts';
import type { FileValue } from './settle-file.ts';

/** A plot and trait on which file and trial differ. */
export interface Difference {
  /** The value of the file that counts. */
  last: FileValue;
  present: CurrentObservation[];
  /** By the choices: whether the file's is stored. */
  isTaken: boolean;
}

/** What of a file is to be stored in one trial. */
export interface ComparedTrial {
  added: number;
  unchanged: number;
  differences: Difference[];
  /** In their order, each with what it corrects. */
  stored: (FileValue & { corrects: string[] })[];
}

/** What the trial has of the plots and traits of a file. */
export interface Present {
  current: readonly CurrentObservation[];
  /** Ids of the file's values that are stored already, corrected ones among them. */
  stored: ReadonlySet<string>;
}

const keyOf = (plot: number, trait: string): string => `${plot} ${trait}`;

/**
 * Compares the values of a file with those of a trial. What the trial has, or had until somebody corrected it, is
 * unchanged; a note that nothing could be observed says nothing against a value.
 *
 * @param cells by plot and trait, of this trial
 */
export function compareFile(
  cells: readonly FileValue[][],
  { current, stored }: Present,
  { differences: rule, except }: ValueFileChoices,
): ComparedTrial {
  const byCell = Map.groupBy(current, ({ plot, trait }) => keyOf(plot, trait));
  const compared: ComparedTrial = { added: 0, unchanged: 0, differences: [], stored: [] };
  const exceptions = new Set(except.map(({ trial_id, plot, trait }) => `${trial_id} ${keyOf(plot, trait)}`));
  for (const values of cells) {
    const last = values.at(-1);
    if (last === undefined) continue;
    const present = byCell.get(keyOf(last.plot.number, last.trait)) ?? [];
    const counting = present.filter(({ state }) => state === 'KEPT');
    const isThere =
      stored.has(last.id) ||
      (counting.length < 2 && present.some(({ value }) => value === last.value)) ||
      (last.value === null && counting.some(({ value }) => value !== null));
    if (isThere) {
      compared.unchanged++;
      continue;
    }
    if (present.length > 0) {
      const isException = exceptions.has(`${last.trial.id} ${keyOf(last.plot.number, last.trait)}`);
      const isTaken = (rule === 'file') !== isException;
      compared.differences.push({ last, present, isTaken });
      if (!isTaken) continue;
    } else compared.added++;
    const fresh = values.filter(({ id }) => !stored.has(id));
    for (const [k, value] of fresh.entries()) {
      const before = fresh[k - 1];
      const replaced = k === fresh.length - 1 ? present.map(({ id }) => id) : [];
      compared.stored.push({ ...value, corrects: [...(before === undefined ? [] : [before.id]), ...replaced] });
    }
  }
  return compared;
}
