/**
 * Options of analyses, each said once in the table of its analysis: how it is read, what it means, and what people are
 * told about it. Requests, stored parameters, flags, fields, the input of the analysis and the page of options follow
 * from the tables. They know no zod, which the command line need not load.
 */
export type Options = Record<string, OptionRow>;

export interface OptionRow {
  /** `name` is a text that may be double-quoted. `own`: its schema, flags and field are components of their own. */
  kind: 'integer' | 'number' | 'flag' | 'choice' | 'text' | 'name' | 'list' | 'own';
  /** What it means, for the API and the page of options; also for the help and the form where they say no more. */
  about: string;
  /** Absent: the option may be left out and then says nothing. A flag is off. */
  default?: number | string | boolean | null | readonly string[];
  min?: number;
  max?: number;
  /** Entries of a list. */
  most?: number;
  /** Spaces around texts are none of them. */
  trims?: true;
  /** Characters of a text, or of each entry of a list. */
  longest?: number;
  choices?: readonly string[];
  /** Its value has names of traits or columns as keys. */
  byName?: true;
  /** Null means something: no limit, for one. */
  nullable?: true;
  unit?: string;

  /** Its name in the form. Without it there is no field: a run that is repeated keeps its value. */
  label?: string;
  /** Under the field. */
  hint?: string;
  /** What the page of a run calls it, where that is not the label. */
  title?: string;
  /** Choice → what pages call it, `null` where that is one; forms offer these. Absent: their own names. */
  labels?: Readonly<Record<string, string>>;
  /** The form shows this share in per cent. */
  percent?: true;
  /** What the form begins with, where that is not the default. */
  proposed?: string | readonly string[];
  /** Fields of a group are drawn beside each other, those of `Advanced` folded. */
  group?: string;
  /** What the arrows of the field add, in the unit of the form, and what they put into an empty one. */
  step?: number;
  usual?: number;
  /** The number that an empty field stands for, where that is not none. */
  empty?: string;

  /** Options that it excludes, and options that it is nothing without. */
  not?: Record<string, Rule>;
  needs?: Record<string, Rule>;

  /** Where it is the only place, and why not everywhere. */
  only?: { place: 'api' | 'cli'; why: string };
  /** The analysis does not look at what it goes with: its rules are judged before, on the command line too. */
  judgedBefore?: true;
  /** Where the flag differs; a limit or a kind of its own says why. */
  cli?: {
    name?: string;
    kind?: 'list' | 'text' | 'number';
    min?: number;
    max?: number;
    choices?: readonly string[];
    /** Null where nothing holds that is not given; the default of requests does not. */
    default?: null;
    placeholder?: string;
    help?: string;
    path?: 'read' | 'genotype' | 'write' | 'prefix';
    required?: true;
    why?: string;
  };

  /** Its name in the input of the analysis, where it is not its own in camelCase; false: the caller reads it. */
  input?: string | false;
  /** Otherwise it is stored with the run where it is not the default. */
  stored?: 'always' | 'elsewhere';
  /** Its sentence in the methods paragraph, or its words in one, where it is asked for; `all` options may matter. */
  says?: (value: never, all: never) => string;
}

/** Why two options do not go together, or one needs another. */
export interface Rule {
  message: string;
  /** What to do. */
  action: string;
  /** In place of the hint of a field that cannot be used. */
  hint?: string;
  /**
   * Other options with these values, or lists with one of them, where it does not hold: they do as well as what is
   * needed, or allow both.
   */
  unless?: Readonly<Record<string, readonly (string | boolean)[]>>;
  /** Where it holds, if not everywhere. */
  place?: 'cli';
}

type Choice<Row, Otherwise> = Row extends { choices: readonly (infer Value)[] } ? Value : Otherwise;
type Null<Row> = Row extends { nullable: true } ? null : never;

/** A value of an option. */
export type ValueOf<Row> =
  | Null<Row>
  | (Row extends { kind: 'flag' }
      ? boolean
      : Row extends { kind: 'integer' | 'number' }
        ? number
        : Row extends { kind: 'list' }
          ? Choice<Row, string>[]
          : Choice<Row, string>);

/** `thresh_maf` → `threshMaf`. */
type Camel<Name> = Name extends `${infer First}_${infer Rest}` ? `${First}${Capitalize<Camel<Rest>>}` : Name;
type InputName<Name, Row> = Row extends { kind: 'own' } | { input: false }
  ? never
  : Row extends { input: infer Input extends string }
    ? Input
    : Camel<Name>;
type IsSure<Row> = Row extends { default: unknown } | { kind: 'flag' } | { cli: { required: true } } ? true : false;

/** Options as the analysis takes them. */
export type InputsOf<Table extends Options> = {
  [Name in keyof Table as IsSure<Table[Name]> extends true ? InputName<Name, Table[Name]> : never]: ValueOf<
    Table[Name]
  >;
} & {
  [Name in keyof Table as IsSure<Table[Name]> extends true ? never : InputName<Name, Table[Name]>]?: ValueOf<
    Table[Name]
  >;
};

/** Preserves the types of the table. */
export const defineOptions = <const Table extends Options>(table: Table): Table => table;

const rowsOf = (table: Options): [string, OptionRow][] => Object.entries(table);

const defaultOf = ({ kind, default: usual }: OptionRow): OptionRow['default'] =>
  usual ?? (kind === 'flag' ? false : usual);

const camel = (name: string): string => name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());

/** The options that an analysis takes, by its names for them; what is not given has its default. */
export function inputsOf<Table extends Options>(table: Table, given: Readonly<Record<string, unknown>>) {
  const entries = rowsOf(table).flatMap(([name, row]): [string, unknown][] => {
    const value = given[name] ?? defaultOf(row);
    if (row.kind === 'own' || row.input === false || value === undefined) return [];
    return [[row.input ?? camel(name), value]];
  });
  return Object.fromEntries(entries) as InputsOf<Table>;
}

/**
 * Whether an option says anything: it is given, and not what holds without it. Commands leave choices open by null.
 */
export function isAsked(row: OptionRow | undefined, value: unknown): boolean {
  if (value === undefined || row === undefined) return false;
  if (value === null && row.kind === 'choice' && row.nullable !== true) return false;
  return JSON.stringify(value) !== JSON.stringify(defaultOf(row));
}

type AlwaysStored<Table extends Options> = {
  [Name in keyof Table]: Table[Name] extends { stored: 'always' } ? Name : never;
}[keyof Table];

/** What is stored with a run: always, or where it is not the default. */
export function storedOf<Table extends Options, Given extends Readonly<Record<string, unknown>>>(
  table: Table,
  given: Given,
): Partial<Pick<Given, keyof Table & keyof Given>> & Pick<Given, AlwaysStored<Table> & keyof Given> {
  const entries = rowsOf(table).flatMap(([name, row]) =>
    row.stored === 'always' || (row.stored === undefined && isAsked(row, given[name])) ? [[name, given[name]]] : [],
  );
  return Object.fromEntries(entries) as Given;
}

/** The sentences of a methods paragraph, by the options that they are about, in the order of the table. */
export function sentencesOf<Table extends Options>(
  table: Table,
  given: Readonly<Record<string, unknown>>,
): { [Name in keyof Table as Table[Name] extends { says: unknown } ? Name : never]?: string } {
  const always = rowsOf(table).flatMap(([name, row]) => (row.stored === 'always' ? [[name, defaultOf(row)]] : []));
  const asked = Object.entries(given).filter(([, value]) => value !== undefined);
  const all: Readonly<Record<string, unknown>> = { ...Object.fromEntries(always), ...Object.fromEntries(asked) };
  const said = rowsOf(table).flatMap(([name, row]): [string, string][] => {
    const value = all[name];
    if (row.says === undefined || value === undefined || !(row.stored === 'always' || isAsked(row, value))) return [];
    const sentence = row.says(value as never, all as never);
    return sentence === '' ? [] : [[name, sentence]];
  });
  return Object.fromEntries(said) as Record<string, string>;
}

/** An option that does not go with the others. */
export interface Complaint extends Rule {
  option: string;
  other: string;
}

/** The rules that an option breaks beside the values given. */
export function brokenRules(
  table: Options,
  option: string,
  given: Readonly<Record<string, unknown>>,
): [string, Rule][] {
  const { not = {}, needs = {} } = table[option] ?? {};
  const isGiven = (name: string): boolean => isAsked(table[name], given[name]);
  const isElsewhere = ({ unless = {} }: Rule): boolean =>
    Object.entries(unless).some(([other, values]) =>
      [given[other]].flat().some((one) => values.some((v) => v === one)),
    );
  return [
    ...Object.entries(not).filter(([other, rule]) => isGiven(other) && !isElsewhere(rule)),
    ...Object.entries(needs).filter(([other, rule]) => !isGiven(other) && !isElsewhere(rule)),
  ];
}

/** What does not go together among the values given. */
export function complaintsOf(table: Options, given: Readonly<Record<string, unknown>>): Complaint[] {
  return Object.keys(table).flatMap((option) =>
    isAsked(table[option], given[option])
      ? brokenRules(table, option, given).map(([other, rule]) => ({ option, other, ...rule }))
      : [],
  );
}
