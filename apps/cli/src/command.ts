import type { AnalysisContext } from '@heterosis/analysis/context';

/** `name` is a text that may stand in double quotes, as the names of a `list` may. */
export type OptionKind = 'text' | 'name' | 'integer' | 'number' | 'choice' | 'list' | 'flag';

/** One option of a command: how it is parsed and what its help says. */
export interface OptionSpec {
  kind: OptionKind;
  /** What stands for the value in the help, for example `FILE`. */
  placeholder?: string;
  help: string;
  required?: true;
  /** Text that is parsed when the option is not given. */
  fallback?: string;
  choices?: readonly string[];
  min?: number;
  max?: number;
  /** What the text is the path of: a file to read, a genotype (a file, or the prefix of a PLINK set), a file to write, or the prefix of several. */
  path?: 'read' | 'genotype' | 'write' | 'prefix';
}

export type OptionTable = Record<string, OptionSpec>;

type ParsedValue<Kind extends OptionKind> = Kind extends 'flag'
  ? boolean
  : Kind extends 'integer' | 'number'
    ? number
    : Kind extends 'list'
      ? string[]
      : string;

/** Parsed options by name; undefined only for those that are neither required nor have a fallback. */
export type OptionValues<Table extends OptionTable> = {
  [Name in keyof Table]: Table[Name] extends { required: true } | { fallback: string } | { kind: 'flag' }
    ? ParsedValue<Table[Name]['kind']>
    : ParsedValue<Table[Name]['kind']> | undefined;
};

/** What a command gives back: figures for `--json`, and the same in a few lines for people. */
export interface CommandResult {
  summary: Record<string, unknown>;
  lines: string[];
}

/** What a command is given besides its options. */
export interface CommandIo {
  context: AnalysisContext;
  /** Shows a finding about an input file on standard error. */
  report(problems: readonly ReportedProblem[], file: string): void;
}

/** A finding about the input. */
export interface ReportedProblem {
  severity: 'error' | 'warning' | 'info';
  code: string;
  line: number | null;
  column: string | null;
  value: string | null;
  message: string;
  suggestion: string | null;
}

export interface Command<Table extends OptionTable = OptionTable> {
  name: string;
  /** One line, for the list of commands. */
  summary: string;
  /** Paragraphs of the help page. */
  description: string[];
  options: Table;
  /** Output files and their columns, for the help page. */
  output: string[];
  examples: string[];
  /** Whether its time goes into matrix products: then the environment of the linear algebra library is set first. */
  usesMatrixProducts?: true;
  run(options: OptionValues<Table>, io: CommandIo): Promise<CommandResult>;
}

/** Keeps the types of the option table for `run`, and gives the command in the form in which all are kept. */
export function defineCommand<const Table extends OptionTable>(command: Command<Table>): Command {
  return command as unknown as Command;
}

/** Bad input: shown as a problem record, exit code 2. */
export class InputError extends Error {
  readonly problems: readonly ReportedProblem[];
  /** File the problems are about; empty when they are about the command line or several files. */
  readonly file: string;

  constructor(problems: readonly ReportedProblem[], file: string) {
    super(problems.at(0)?.message ?? 'bad input');
    this.name = 'InputError';
    this.problems = problems;
    this.file = file;
  }
}

/** An {@link InputError} with a single record. */
export function inputError(code: string, message: string, suggestion: string | null = null, file = ''): InputError {
  return new InputError(
    [{ severity: 'error', code, line: null, column: null, value: null, message, suggestion }],
    file,
  );
}
