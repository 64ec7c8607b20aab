import { describe, expect, it } from 'vitest';
import { RUN_CONTRACTS, type RunContract } from '../work/run-contracts.ts';
import { complaintsOf, type OptionRow, type Options } from './define-options.ts';
import type { Preset, Presets } from './presets.ts';

/** What is wrong with the values of a preset: no such field, no such value, options that exclude each other. */
function faultsOf(table: Options, { values }: Preset): string[] {
  const faults = Object.entries(values).flatMap(([name, value]) => {
    const row = table[name];
    if (row?.label === undefined) return [`${name} has no field`];
    return isValueOf(row, value) ? [] : [`${name} is not ${value}`];
  });
  const asked = Object.entries(values).filter(([, value]) => value !== null);
  const complaints = complaintsOf(table, Object.fromEntries(asked));
  return [...faults, ...complaints.map(({ option, other }) => `${option} does not go with ${other}`)];
}

function isValueOf(row: OptionRow, value: Preset['values'][string]): boolean {
  const { kind, choices = [], min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = row;
  if (value === null) return row.nullable === true || (row.default === undefined && kind !== 'flag');
  if (kind === 'flag') return typeof value === 'boolean';
  if (kind === 'choice') return choices.some((choice) => choice === value);
  if (typeof value !== 'number') return false;
  return (kind === 'number' || (kind === 'integer' && Number.isInteger(value))) && value >= min && value <= max;
}

const CONTRACTS = Object.entries<RunContract>(RUN_CONTRACTS).flatMap(([path, { options, presets }]) =>
  presets === undefined ? [] : [{ path, options, presets }],
);

describe.each(CONTRACTS)('a preset of $path', ({ options, presets }: { options: Options; presets: Presets }) => {
  it.each(Object.entries(presets))('%s has values of the table that go together', (_, preset) => {
    expect(faultsOf(options, preset)).toEqual([]);
    expect(preset.about).toMatch(/^[^.]+\.$/);
  });

  it('names the options that each other names, and differs from it and from what is usual', () => {
    const all = Object.values(presets).map(({ values }) => values);
    const names = Object.keys(all[0] ?? {}).sort();
    expect(all.map((values) => Object.keys(values).sort())).toEqual(all.map(() => names));
    const usual = names.map((name) => options[name]?.default ?? (options[name]?.kind === 'flag' ? false : null));
    const rows = [usual, ...all.map((values) => names.map((name) => values[name]))];
    expect(new Set(rows.map((row) => JSON.stringify(row))).size).toBe(rows.length);
  });
});

it('finds values that a table does not have', () => {
  const { options } = RUN_CONTRACTS.gwas;
  const faults = (values: Preset['values']) => faultsOf(options, { label: '', about: '', values });
  expect(faults({ permutations: 5, test: 'F', seed: 1, thresh_maf: null, loco: null })).toEqual([
    'permutations is not 5',
    'test is not F',
    'seed has no field',
    'thresh_maf is not null',
    'loco is not null',
  ]);
  expect(faults({ stepwise: 10, loco: true })).toEqual(['stepwise does not go with loco']);
});
