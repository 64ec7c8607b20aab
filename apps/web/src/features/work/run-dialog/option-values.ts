import { isAsked, type OptionRow, type Options, type ValueOf } from '@heterosis/contracts/options/define-options';
import type { TFunction } from 'i18next';
import { type FieldNumber, numberOf } from '../../../lib/form/field-number.ts';
import { type NumberLimits, numberError } from '../../../lib/form/form.ts';

type FieldValue<Row> = Row extends { kind: 'integer' | 'number' } ? FieldNumber : ValueOf<Row>;

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

const isNumber = ({ kind }: OptionRow): boolean => kind === 'integer' || kind === 'number';

/** Values to begin with: the usual ones, or those of an earlier run. */
export function optionValues<Table extends Options>(
  table: Table,
  earlier: Readonly<Record<string, unknown>> = {},
): OptionValues<Table> {
  const valueOf = (name: string, row: OptionRow) =>
    earlier[name] ?? row.default ?? (row.kind === 'flag' ? false : row.kind === 'list' ? [] : '');
  return Object.fromEntries(fieldsOf(table).map(([name, row]) => [name, valueOf(name, row)])) as OptionValues<Table>;
}

/** The range of a number, as fields take it. */
export const limitsOf = ({ kind, min, max }: OptionRow): NumberLimits => ({
  min: min ?? Number.NEGATIVE_INFINITY,
  max: max ?? Number.POSITIVE_INFINITY,
  isWhole: kind === 'integer',
});

/** Another option that is chosen and excludes this one, with the rule; undefined where it can be used. */
export function excludedBy(table: Options, name: string, values: Readonly<Record<string, unknown>>) {
  const rules = Object.entries(table[name]?.not ?? {});
  return rules.find(([other]) => isAsked(table[other], values[other]))?.[1];
}

/** Field → what is wrong with its number. */
export function optionErrors<Table extends Options>(
  t: TFunction,
  table: Table,
  values: Readonly<Record<string, unknown>>,
): { [Name in keyof OptionValues<Table>]?: string } {
  const errors = fieldsOf(table).flatMap(([name, row]) => {
    const value = values[name] as FieldNumber;
    const mayBeEmpty = row.default === undefined && value === '';
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
    if (value === '' || excludedBy(table, name, values) !== undefined) return [];
    return [[name, isNumber(row) ? numberOf(value as FieldNumber) : value]];
  });
  return Object.fromEntries(body) as OptionBody<Table>;
}

/** What an earlier run has of options without a field: it stays as it was. */
export function optionsKept(table: Options, earlier: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const kept = Object.entries(table).filter(
    ([name, { kind, label, only, nullable }]) =>
      kind !== 'own' && label === undefined && only?.place !== 'cli' && isGiven(earlier[name], nullable),
  );
  return Object.fromEntries(kept.map(([name]) => [name, earlier[name]]));
}

const isGiven = (value: unknown, isNullable = false): boolean => value !== undefined && (isNullable || value !== null);
