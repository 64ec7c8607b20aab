import { MAX_PLOTS } from '@heterosis/contracts/data/trials';
import { DESIGN_OPTIONS } from '@heterosis/contracts/options/design';
import type { DesignEntry, DesignName, DesignRequest, GridPlace } from '@heterosis/statgen/designs/design-types';
import { placesOfSeries, type SeriesEstimates } from '@heterosis/statgen/designs/place-model';
import { type FieldNumber, numberOf } from '../../../../lib/form/field-number.ts';
import { type OptionValues, optionValues } from '../../../work/run-dialog/index.ts';
import { readEntries } from './entries.ts';

/** Limits of the sides of a plot. */
export const METRES = { min: 0.01, max: 10_000 };

/** What the page of a new trial holds: the options of a design, and what the trial is called. */
export type NewTrialValues = OptionValues<typeof DESIGN_OPTIONS> & {
  name: string;
  season: string;
  /** Names of the places, one trial each. */
  locations: string[];
  /** As it was pasted, see `readEntries`. */
  entryText: string;
  /** What is measured. */
  traits: string[];
  plot_length: FieldNumber;
  plot_width: FieldNumber;
  /** By whose factors lines are allocated to places; null: places are alike. */
  series: { key: string; label: string; estimates: SeriesEstimates } | null;
};

/** Values of a page that has just been opened, with a seed that no other trial has. */
export function newTrialValues(season: string): NewTrialValues {
  const [seed = 1] = crypto.getRandomValues(new Uint32Array(1));
  return {
    ...optionValues(DESIGN_OPTIONS),
    ...{ design: 'alpha', replicates: 2, seed: seed % 1_000_000, plot_name: '{plot}' },
    ...{ name: '', season, locations: [], entryText: '', traits: [], plot_length: '', plot_width: '' },
    series: null,
  };
}

/** The entries, and behind them the checks that are not among them. */
export function entriesOf(values: Pick<NewTrialValues, 'entryText' | 'checks'>): DesignEntry[] {
  const { entries } = readEntries(values.entryText);
  const known = new Set(entries.map(({ name }) => name));
  return [...entries, ...values.checks.filter((name) => !known.has(name)).map((name) => ({ name }))];
}

const CELL = /^(\d{1,5})\s*[:,x×]\s*(\d{1,5})$/;

/** Row and column of a cell that is written 3:4; undefined for anything else. */
export function cellIn(text: string): GridPlace | undefined {
  const [, row, column] = CELL.exec(text.trim()) ?? [];
  return Number(row) >= 1 && Number(column) >= 1 ? { row: Number(row), column: Number(column) } : undefined;
}

const wholeNumber = (value: FieldNumber): number | undefined => {
  const number = numberOf(value);
  return value !== '' && Number.isInteger(number) ? number : undefined;
};

/** The request for the design; undefined while there are no entries. Fields with errors count as empty. */
export function designRequest(
  values: NewTrialValues,
  entries: readonly DesignEntry[] = entriesOf(values),
): DesignRequest | undefined {
  if (entries.length === 0 || entries.length > MAX_PLOTS) return undefined;
  const given = <Name extends string>(name: Name, value: number | undefined): { [Key in Name]?: number } =>
    (value === undefined ? {} : { [name]: value }) as { [Key in Name]?: number };
  return {
    design: values.design as DesignName,
    entries,
    checks: [...values.checks],
    ...given('replicates', wholeNumber(values.replicates)),
    ...given('blockSize', wholeNumber(values.block_size)),
    resolvable: values.resolvable as DesignRequest['resolvable'],
    mainPlots: [...values.main_plots],
    places: Math.max(1, values.locations.length),
    field: {
      ...given('rows', wholeNumber(values.rows)),
      ...given('columns', wholeNumber(values.columns)),
      holes: values.holes.flatMap((text) => cellIn(text) ?? []),
      borders: values.borders as DesignRequest['field']['borders'],
      start: values.start as DesignRequest['field']['start'],
      along: values.along as DesignRequest['field']['along'],
      numbering: values.numbering as DesignRequest['field']['numbering'],
    },
    checkPlaces: checkPlacesOf(values),
    varianceRatio: numberOf(values.variance_ratio) || 1,
    criterion: values.criterion as DesignRequest['criterion'],
    ...placeModelOf(values),
    seed: wholeNumber(values.seed) ?? 1,
    effort: 1,
  };
}

/** Plots of checks that are named go before the rule. */
function checkPlacesOf({ check_plots, check_placing }: NewTrialValues): DesignRequest['checkPlaces'] {
  const named = check_plots.flatMap((text) => cellIn(text) ?? []);
  return named.length > 0 ? named : (check_placing as 'random' | 'spread');
}

function placeModelOf({ design, series, locations }: NewTrialValues): Pick<DesignRequest, 'placeModel'> {
  return design !== 'sparse' || !series
    ? {}
    : { placeModel: placesOfSeries(series.estimates, locations.length === 0 ? [''] : locations) };
}

/** What is asked of the designs beside replicates, which all but two have. */
export const FIELDS_OF_DESIGN: Record<DesignName, readonly (keyof typeof DESIGN_OPTIONS)[]> = {
  crd: ['replicates', 'check_placing'],
  rcbd: ['replicates', 'check_placing'],
  alpha: ['replicates', 'block_size', 'check_placing'],
  'row-column': ['replicates', 'resolvable', 'check_placing'],
  'p-rep': ['replicates', 'check_placing'],
  augmented: ['block_size', 'check_placing'],
  diagonal: [],
  'split-plot': ['replicates', 'main_plots', 'check_placing'],
  sparse: ['replicates', 'block_size', 'check_placing'],
};
