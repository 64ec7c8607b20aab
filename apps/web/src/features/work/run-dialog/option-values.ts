import {
  brokenRules,
  type OptionRow,
  type Options,
  type Rule,
  type ValueOf,
} from '@heterosis/contracts/options/define-options';
import type { TFunction } from 'i18next';
import { type FieldNumber, numberOf } from '../../../lib/form/field-number.ts';
import { type NumberLimits, numberError } from '../../../lib/form/form.ts';

const PERCENT = 100;

/** Where null means something, it is an empty text. */
type FieldValue<Row> = Row extends { kind: 'integer' | 'number' }
  ? FieldNumber
  : Row extends { nullable: true }
    ? Exclude<ValueOf<Row>, null> | ''
    : ValueOf<Row>;

/** What a form holds of a table: a value for each option with a field, but not for those with a schema of their own. */
export type OptionValues<Table extends Options> = {
  [Name in keyof Table as Table[Name] extends { kind: 'own' }
    ? never
    : Table[Name] extends { label: string }
      ? Name
      : never]: FieldValue<Table[Name]>;
};

/** What the request holds of them; what is not asked for is left out. */
type OptionBody<Table extends Options> = {
  [Name in keyof OptionValues<Table>]: Table[Name] extends { default: unknown } | { kind: 'flag' }
    ? ValueOf<Table[Name]>
    : ValueOf<Table[Name]> | undefined;
};

const fieldsOf = (table: Options): [string, OptionRow][] =>
  Object.entries(table).filter(([, { kind, label }]) => kind !== 'own' && label !== undefined);

/** A share as its field has it: 7 instead of 7.000000000000001. */
export const shown = ({ percent }: OptionRow, value: number): number =>
  percent ? Number((value * PERCENT).toPrecision(12)) : value;

const isNumber = ({ kind }: OptionRow): boolean => kind === 'integer' || kind === 'number';

/** Values to begin with: the usual ones, or those of an earlier run. */
export function optionValues<Table extends Options>(
  table: Table,
  earlier: Readonly<Record<string, unknown>> = {},
): OptionValues<Table> {
  const valueOf = (name: string, row: OptionRow) => {
    const value = row.nullable && earlier[name] === null ? null : (earlier[name] ?? row.proposed ?? row.default);
    if (value === null) return '';
    if (value === undefined) return row.kind === 'flag' ? false : row.kind === 'list' ? [] : '';
    return typeof value === 'number' ? shown(row, value) : value;
  };
  return Object.fromEntries(fieldsOf(table).map(([name, row]) => [name, valueOf(name, row)])) as OptionValues<Table>;
}

/** The range of a number, as fields take it. */
export const limitsOf = (row: OptionRow): NumberLimits => ({
  min: shown(row, row.min ?? Number.NEGATIVE_INFINITY),
  max: shown(row, row.max ?? Number.POSITIVE_INFINITY),
  isWhole: row.kind === 'integer',
});

/** Why an option cannot be used beside what is chosen and what is not; undefined where it can. */
export function excludedBy(table: Options, name: string, values: Readonly<Record<string, unknown>>): Rule | undefined {
  return brokenRules(table, name, values).find(([, { place }]) => place !== 'cli')?.[1];
}

/** Field → what is wrong with its number. */
export function optionErrors<Table extends Options>(
  t: TFunction,
  table: Table,
  values: Readonly<Record<string, unknown>>,
): { [Name in keyof OptionValues<Table>]?: string } {
  const errors = fieldsOf(table).flatMap(([name, row]) => {
    const value = values[name] as FieldNumber;
    const mayBeEmpty = value === '' && (row.default === undefined || row.nullable === true);
    if (!isNumber(row) || mayBeEmpty || excludedBy(table, name, values) !== undefined) return [];
    const error = numberError(t, value, limitsOf(row));
    return error === undefined ? [] : [[name, error]];
  });
  return Object.fromEntries(errors) as { [Name in keyof OptionValues<Table>]?: string };
}

/** For the request. */
export function optionBody<Table extends Options>(
  table: Table,
  values: Readonly<Record<string, unknown>>,
): OptionBody<Table> {
  const body = fieldsOf(table).flatMap(([name, row]) => {
    const value = values[name];
    if (value === '' && row.nullable) return [[name, null]];
    if (value === '' || excludedBy(table, name, values) !== undefined) return [];
    if (!isNumber(row)) return [[name, value]];
    const number = numberOf(value as FieldNumber);
    return [[name, row.percent ? number / PERCENT : number]];
  });
  return Object.fromEntries(body) as OptionBody<Table>;
}

/** What an earlier run was asked for by options without a field: it stays as it was. */
export function optionsKept(table: Options, earlier: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const kept = Object.entries(table).filter(
    ([name, { label, only, nullable }]) =>
      label === undefined && only?.place !== 'cli' && isGiven(earlier[name], nullable),
  );
  return Object.fromEntries(kept.map(([name]) => [name, earlier[name]]));
}

const isGiven = (value: unknown, isNullable = false): boolean => value !== undefined && (isNullable || value !== null);
