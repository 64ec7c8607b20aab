import * as z from 'zod';
import { complaintsOf, type OptionRow, type Options, type ValueOf } from './define-options.ts';

type IsAsked<Row> = Row extends { only: { place: 'cli' } } ? false : true;
type OwnName<Table extends Options> = {
  [Name in keyof Table]: Table[Name] extends { only: { place: 'cli' } }
    ? never
    : Table[Name] extends { kind: 'own' }
      ? Name
      : never;
}[keyof Table];
/** The schemas of options that have one of their own. */
type OwnSchemas<Table extends Options> = Record<OwnName<Table>, z.ZodType>;

type Value<Row> = z.ZodType<ValueOf<Row>, ValueOf<Row>>;
type Field<Row> = Row extends { default: unknown } | { kind: 'flag' }
  ? z.ZodDefault<Value<Row>>
  : z.ZodOptional<Value<Row>>;
type Shape<Table extends Options, Own> = {
  [Name in keyof Table as IsAsked<Table[Name]> extends true ? Name : never]: Name extends keyof Own
    ? Own[Name]
    : Field<Table[Name]>;
};

/** The fields of a request. */
export function bodyShape<Table extends Options, Own extends OwnSchemas<Table>>(table: Table, own: Own) {
  const fields = Object.entries<OptionRow>(table).flatMap(([name, row]): [string, z.ZodType][] => {
    if (row.only?.place === 'cli') return [];
    return [[name, row.kind === 'own' ? ((own as Record<string, z.ZodType>)[name] ?? z.never()) : fieldOf(row)]];
  });
  return Object.fromEntries(fields) as Shape<Table, Own>;
}

function fieldOf(row: OptionRow): z.ZodType {
  const usual = row.default ?? (row.kind === 'flag' ? false : row.default);
  const value = orNull(row, valueWithin(row));
  return (usual === undefined ? value.optional() : value.default(usual as never)).describe(row.about);
}

type StoredValue<Name, Row, Own> = Name extends keyof Own ? Extract<Own[Name], z.ZodType> : Value<Row>;
type StoredShape<Table extends Options, Own> = {
  [Name in keyof Table as Table[Name] extends { only: { place: 'cli' } } | { stored: 'elsewhere' }
    ? never
    : Name]: Table[Name] extends { stored: 'always' }
    ? StoredValue<Name, Table[Name], Own>
    : z.ZodOptional<StoredValue<Name, Table[Name], Own>>;
};

/** The fields of what is stored with a run, without limits: the version that stored it may have had others. */
export function storedShape<Table extends Options, Own extends OwnSchemas<Table>>(table: Table, own: Own) {
  const fields = Object.entries<OptionRow>(table).flatMap(([name, row]): [string, z.ZodType][] => {
    if (row.only?.place === 'cli' || row.stored === 'elsewhere') return [];
    const value =
      row.kind === 'own' ? ((own as Record<string, z.ZodType>)[name] ?? z.never()) : orNull(row, storedValue(row));
    return [[name, row.stored === 'always' ? value : value.optional()]];
  });
  return Object.fromEntries(fields) as StoredShape<Table, Own>;
}

const orNull = ({ nullable }: OptionRow, value: z.ZodType): z.ZodType => (nullable ? value.nullable() : value);

function storedValue({ kind, choices }: OptionRow): z.ZodType {
  const text = choices === undefined ? z.string() : z.enum(choices);
  if (kind === 'flag') return z.boolean();
  if (kind === 'list') return z.array(text);
  return kind === 'integer' ? z.number().int() : kind === 'number' ? z.number() : text;
}

/** A value of an option within its limits. */
function valueWithin({ kind, choices, min, max, most, longest = 255, trims }: OptionRow): z.ZodType {
  const string = trims ? z.string().trim() : z.string();
  const text = (): z.ZodType => (choices === undefined ? string.min(1).max(longest) : z.enum(choices));
  switch (kind) {
    case 'flag':
      return z.boolean();
    case 'integer':
    case 'number': {
      const number = kind === 'integer' ? z.number().int() : z.number();
      const above = min === undefined ? number : number.min(min);
      return max === undefined ? above : above.max(max);
    }
    case 'list': {
      const list = z.array(text());
      const longestList = most ?? choices?.length;
      return longestList === undefined ? list : list.max(longestList);
    }
    default:
      return text();
  }
}

/** For `superRefine`: refuses options that do not go together. */
export const withoutComplaints =
  (table: Options) =>
  (body: Readonly<Record<string, unknown>>, context: z.RefinementCtx): void => {
    for (const { option, message, place } of complaintsOf(table, body)) {
      if (place !== 'cli') context.addIssue({ code: 'custom', path: [option], message });
    }
  };
