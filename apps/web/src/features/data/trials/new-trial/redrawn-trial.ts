import type { Trial, TrialPlots } from '@heterosis/contracts/data/trials';
import { DESIGN_NAMES, type DesignEntry } from '@heterosis/statgen/designs/design-types';
import type { FieldNumber } from '../../../../lib/form/field-number.ts';
import { textOfEntries } from './entries.ts';
import { type NewTrialValues, newTrialValues } from './new-trial-values.ts';

/** A draft whose layout is made anew. */
export interface RedrawnTrial {
  trial: Trial;
  plots: TrialPlots;
}

/** The fields as they were when the trial was laid out; what its request does not say is what a new trial has. */
export function valuesOfTrial({ trial, plots }: RedrawnTrial): NewTrialValues {
  const asked = trial.design?.request ?? {};
  const fresh = newTrialValues(trial.season);
  const design = DESIGN_NAMES.find((name) => name === asked['design']) ?? fresh.design;
  // Its lines are a part of all: at this place they stand as the list says.
  const isSparse = design === 'sparse';
  const field = recordIn(asked['field']);
  const entries = isSparse ? entriesOfPlots(plots) : (entriesIn(asked['entries']) ?? entriesOfPlots(plots));
  return {
    ...fresh,
    ...{ name: trial.name, season: trial.season, locations: [trial.location_name], plot_name: trial.plot_name },
    traits: trial.traits,
    plot_length: trial.plot_length_m ?? '',
    plot_width: trial.plot_width_m ?? '',
    entryText: textOfEntries(
      entries.map(({ name, replicates = null, family = null }) => ({ name, replicates, family })),
    ),
    design: isSparse ? 'crd' : design,
    replicates: isSparse ? 1 : numberIn(asked['replicates']),
    block_size: numberIn(asked['blockSize']),
    resolvable: textIn(asked['resolvable'], fresh.resolvable),
    main_plots: textsIn(asked['mainPlots']),
    checks: textsIn(asked['checks']),
    check_placing: textIn(asked['checkPlaces'], fresh.check_placing),
    check_plots: cellsIn(asked['checkPlaces']),
    rows: numberIn(field['rows']),
    columns: numberIn(field['columns']),
    holes: cellsIn(field['holes']),
    borders: textIn(field['borders'], fresh.borders),
    start: textIn(field['start'], fresh.start),
    along: textIn(field['along'], fresh.along),
    numbering: textIn(field['numbering'], fresh.numbering),
    first_plot: plots.number.reduce((least, number) => Math.min(least, number), plots.number[0] ?? 1),
    seed: trial.design?.seed ?? fresh.seed,
  };
}

/** The lines as they stand: a number of plots each, where that differs. */
function entriesOfPlots({ entries, entry }: TrialPlots): DesignEntry[] {
  const counts = entries.map((_, place) => entry.filter((one) => one === place).length);
  const differ = counts.some((count) => count !== counts[0]);
  return entries.map(({ name }, place) => ({ name, ...(differ ? { replicates: counts[place] ?? 1 } : {}) }));
}

function entriesIn(value: unknown): DesignEntry[] | undefined {
  const found = listIn(value).flatMap((one): DesignEntry[] => {
    const { name, replicates, family } = recordIn(one);
    if (typeof name !== 'string') return [];
    return [
      {
        name,
        ...(typeof replicates === 'number' ? { replicates } : {}),
        ...(typeof family === 'string' ? { family } : {}),
      },
    ];
  });
  return found.length === 0 ? undefined : found;
}

const recordIn = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const cellsIn = (value: unknown): string[] =>
  listIn(value).map((cell) => `${recordIn(cell)['row']}:${recordIn(cell)['column']}`);
const textsIn = (value: unknown): string[] => listIn(value).filter((one) => typeof one === 'string');
const numberIn = (value: unknown): FieldNumber => (typeof value === 'number' ? value : '');
const textIn = <Text extends string>(value: unknown, other: Text): Text =>
  typeof value === 'string' ? (value as Text) : other;
