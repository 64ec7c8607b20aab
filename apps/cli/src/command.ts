import type { AnalysisContext } from '@heterosis/analysis/context';
import type { FlagSpec } from '@heterosis/contracts/options/option-flags';

/** One option of a command: how to parse it, and its help text. */
export type OptionSpec = FlagSpec;

export type OptionTable = Record<string, OptionSpec>;

type ParsedValue<Kind extends OptionSpec['kind']> = Kind extends 'flag'
  ? boolean
  : Kind extends 'integer' | 'number'
    ? number
    : Kind extends 'list'
      ? string[]
      : string;

/** Parsed options by name; undefined only for optional ones without a fallback. */
export type OptionValues<Table extends OptionTable> = {
  [Name in keyof Table]: Table[Name] extends { required: true } | { fallback: string } | { kind: 'flag' }
    ? ParsedValue<Table[Name]['kind']>
    : ParsedValue<Table[Name]['kind']> | undefined;
};

/** Result of a command: figures for `--json`, and the same in a few lines for people. */
export interface CommandResult {
  summary: Record<string, unknown>;
  lines: string[];
}

/** What a command receives besides its options. */
export interface CommandIo {
  context: AnalysisContext;
  /** Prints a finding about an input file to standard error. */
  report(problems: readonly ReportedProblem[], file: string): void;
}

/** A finding about the input file. */
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
  /** Whether plants of more than two copies of each chromosome are taken; they are refused unless told. */
  takesPolyploids?: true;
  /** Whether plants that differ in ploidy are taken; they are refused unless told. */
  takesMixedPloidies?: true;
  /** Whether matrix products dominate its run time: then the environment of the linear algebra library is set first. */
  usesMatrixProducts?: true;
  run(options: OptionValues<Table>, io: CommandIo): Promise<CommandResult>;
}

/** Preserves the types of the option table for `run`, and returns the command in its common form. */
export function defineCommand<const Table extends OptionTable>(command: Command<Table>): Command {
  return { ...command, run: (options, io) => command.run(options as OptionValues<Table>, io) };
}

/** Invalid input: shown as problem records, exit code 2. */
export class InputError extends Error {
  readonly problems: readonly ReportedProblem[];
  /** File the problems refer to; empty for the command line or several files. */
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
