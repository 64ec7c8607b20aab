import { isAsked, type OptionRow, type Options } from './define-options.ts';

/** Values of options that have a schema of their own. */
const OWN_VALUES: Readonly<Record<string, unknown>> = {
  covariate_kinds: { origin: 'factor' },
  exclusions: { samples: ['L1'], duplicates: true, min_maf: 0.1, ld_pruning: { r2: 0.4, window: 30, step: 5 } },
  clumps: { p1: 0.001, p2: 0.02, r2: 0.3, kb: 500 },
  weights: { yield: 2, height: -1 },
  trait_accuracy: { yield: 0.8 },
  candidates: ['L1', 'L2', 'L3'],
  required_pairs: [['L1', 'L2']],
  forbidden_pairs: [
    ['L1', 'L3'],
    ['L2', 'L3'],
  ],
};

/** Traits and columns that lists of a run may name. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  covariates: ['age', 'origin'],
  standard_errors: ['se_yield', 'se_height'],
  low_traits: ['height'],
  kept_traits: ['height'],
};

/** Values of an option other than what holds without it. */
function valuesOf(name: string, row: OptionRow, own: Readonly<Record<string, unknown>>): unknown[] {
  const { kind, choices, min = 0, max = 1e6 } = row;
  const between = kind === 'integer' ? Math.floor((min + max) / 2) : Number(((min + max) / 2).toPrecision(3));
  const values: unknown[] = {
    flag: [true],
    choice: [...(choices ?? [])],
    integer: [min, between, max],
    number: [min, between, max],
    list: [choices ?? NAMES[name] ?? ['one', 'two']],
    text: ['family'],
    name: ['family'],
    own: [own[name] ?? OWN_VALUES[name]],
  }[kind];
  return [...values, ...(row.nullable ? [null] : [])].filter((value) => isAsked(row, value));
}

/** Each option of requests with each of its values, with what it is nothing without. */
export function everyOption(table: Options, own: Readonly<Record<string, unknown>> = {}): Record<string, unknown>[] {
  return Object.entries(table).flatMap(([name, row]) => {
    if (row.only?.place === 'cli') return [];
    const needed = Object.entries(row.needs ?? {}).flatMap(([other, { place }]) => {
      const needs = table[other];
      return needs === undefined || place === 'cli' ? [] : [[other, valuesOf(other, needs, own)[0]]];
    });
    return valuesOf(name, row, own).map((value) => ({ ...Object.fromEntries(needed), [name]: value }));
  });
}

/** Each option that goes with those before it. */
export function allTogether(table: Options, own: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const asked: Record<string, unknown> = {};
  const excludes = (one: string, other: string): boolean => other in (table[one]?.not ?? {});
  for (const one of everyOption(table, own)) {
    const goes = Object.keys(one).every((name) =>
      Object.keys(asked).every((other) => !excludes(name, other) && !excludes(other, name)),
    );
    if (goes) Object.assign(asked, one);
  }
  return asked;
}
