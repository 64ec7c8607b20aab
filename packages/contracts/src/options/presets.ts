import type { Options, ValueOf } from './define-options.ts';

/** Values of some options under a name, which a dialog offers in place of the options one by one. */
export interface Preset {
  label: string;
  /** What it changes, and what that costs: one sentence. */
  about: string;
  /** Option → value; null for an option that is not asked for, or has no limit. */
  values: Readonly<Record<string, number | string | boolean | null>>;
}

/** The presets of a table. Each names the same options, so that one takes back what another has set. */
export type Presets = Readonly<Record<string, Preset>>;

/** Preserves that the values are those of the table. */
export const definePresets = <Table extends Options>(
  _table: Table,
  presets: Readonly<
    Record<string, Preset & { values: { readonly [Name in keyof Table]?: ValueOf<Table[Name]> | null } }>
  >,
): Presets => presets;
