import type { OptionRow, Options, ValueOf } from './define-options.ts';

/** One flag of a command: how to parse it, and its help text. */
export interface FlagSpec {
  /** `name` is a text that may be double-quoted, like the names of a `list`. */
  kind: 'text' | 'name' | 'integer' | 'number' | 'choice' | 'list' | 'flag';
  /** Placeholder for the value in the help, for example `FILE`. */
  placeholder?: string;
  help: string;
  required?: true;
  /** Required where this other flag is not given. */
  unless?: string;
  /** Text to parse when the flag is not given. */
  fallback?: string;
  choices?: readonly string[];
  min?: number;
  max?: number;
  /**
   * The kind of path: a file to read, a genotype (a file, or the prefix of a PLINK set), a file to write, or a prefix
   * of several.
   */
  path?: 'read' | 'genotype' | 'write' | 'prefix';
}

type Kebab<Name> = Name extends `${infer First}_${infer Rest}` ? `${First}-${Kebab<Rest>}` : Name;
type HasFlag<Row> = Row extends { only: { place: 'api' } }
  ? false
  : Row extends { kind: 'own' }
    ? Row extends { cli: { kind: string } }
      ? true
      : false
    : true;
type FlagName<Name, Row> =
  HasFlag<Row> extends false ? never : Row extends { cli: { name: infer Flag extends string } } ? Flag : Kebab<Name>;
type FlagKind<Row> = Row extends { cli: { kind: infer Kind } } ? Kind : Row extends { kind: infer Kind } ? Kind : never;
type Fallback<Row> = Row extends { cli: { default: null } }
  ? unknown
  : Row extends { default: number | string }
    ? { fallback: string }
    : unknown;
type Required<Row> = Row extends { cli: { required: true } } ? { required: true } : unknown;

/** The flags of a table. */
export type FlagsOf<Table extends Options> = {
  [Name in keyof Table as FlagName<Name, Table[Name]>]: FlagSpec & { kind: FlagKind<Table[Name]> } & Fallback<
      Table[Name]
    > &
    Required<Table[Name]>;
};

/** `thresh_maf` → `thresh-maf`, unless the table names the flag otherwise; undefined for options without a flag. */
export const flagName = (name: string, { kind, only, cli }: OptionRow): string | undefined =>
  only?.place === 'api' || (kind === 'own' && cli?.kind === undefined)
    ? undefined
    : (cli?.name ?? name.replaceAll('_', '-'));

/** The flags of a command, in the order of the table. */
export function flagsOf<Table extends Options>(table: Table): FlagsOf<Table> {
  const flags = Object.entries<OptionRow>(table).flatMap(([name, row]): [string, FlagSpec][] => {
    const flag = flagName(name, row);
    return flag === undefined ? [] : [[flag, flagOf(row)]];
  });
  return Object.fromEntries(flags) as FlagsOf<Table>;
}

function flagOf(row: OptionRow): FlagSpec {
  const { cli = {} } = row;
  const kind = cli.kind ?? row.kind;
  if (kind === 'own') throw new TypeError('an option of its own kind has flags of its own');
  return given<FlagSpec>({
    kind,
    placeholder: cli.placeholder,
    help: cli.help ?? row.about,
    required: cli.required,
    fallback:
      cli.default === null || typeof row.default === 'object' || kind === 'flag' ? undefined : row.default?.toString(),
    choices: kind === 'choice' ? (cli.choices ?? row.choices) : undefined,
    min: kind === row.kind ? (cli.min ?? row.min) : cli.min,
    max: kind === row.kind ? (cli.max ?? row.max) : cli.max,
    path: cli.path,
  });
}

/** Without the fields that are undefined. */
const given = <Fields extends object>(fields: { [Name in keyof Fields]: Fields[Name] | undefined }): Fields =>
  Object.fromEntries(Object.entries<unknown>(fields).filter(([, value]) => value !== undefined)) as Fields;

/** Flags read with another kind than the option has are for the command. */
type IsRead<Row> = Row extends { cli: { kind: string } } ? false : HasFlag<Row>;

/** What flags say, by the names of the options. */
export type OptionsOfFlags<Table extends Options> = {
  [Name in keyof Table as IsRead<Table[Name]> extends true ? Name : never]: ValueOf<Table[Name]> | undefined;
};

export function optionsOfFlags<Table extends Options>(
  table: Table,
  flags: Readonly<Record<string, unknown>>,
): OptionsOfFlags<Table> {
  const values = Object.entries<OptionRow>(table).flatMap(([name, row]): [string, unknown][] => {
    const flag = flagName(name, row);
    return flag === undefined || row.cli?.kind !== undefined ? [] : [[name, flags[flag] ?? row.cli?.default]];
  });
  return Object.fromEntries(values) as OptionsOfFlags<Table>;
}
