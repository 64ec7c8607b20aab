import type { OptionRow, Options } from '@heterosis/contracts/options/define-options';
import type { Presets } from '@heterosis/contracts/options/presets';
import { shown } from './option-values.ts';

/** The values that the dialog begins with: the usual ones, or those of a run that is repeated. */
export const BEGUN = 'begun';

type Values = Readonly<Record<string, unknown>>;

/** Options that presets decide. */
export const decidedBy = (presets: Presets): string[] => [
  ...new Set(Object.values(presets).flatMap(({ values }) => Object.keys(values))),
];

/** Preset → what the form holds of it, with the values that the dialog begins with. */
export function presetValues(table: Options, presets: Presets, begun: Values): Record<string, Values> {
  const names = decidedBy(presets);
  const valueOf = (row: OptionRow | undefined, value: unknown) =>
    value === null ? '' : typeof value === 'number' && row !== undefined ? shown(row, value) : value;
  const entries = Object.entries(presets).map(([preset, { values }]): [string, Values] => [
    preset,
    Object.fromEntries(names.map((name) => [name, valueOf(table[name], values[name])])),
  ]);
  return { [BEGUN]: Object.fromEntries(names.map((name) => [name, begun[name]])), ...Object.fromEntries(entries) };
}

/** Options in which the form differs from a preset. */
export const differingFrom = (preset: Values, form: Values): string[] =>
  Object.keys(preset).filter((name) => JSON.stringify(preset[name]) !== JSON.stringify(form[name]));

/** The preset that holds now; undefined where an option differs from each. */
export const presetOf = (presets: Readonly<Record<string, Values>>, form: Values): string | undefined =>
  Object.keys(presets).find((name) => differingFrom(presets[name] ?? {}, form).length === 0);
