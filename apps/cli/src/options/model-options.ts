import type { ErrorExtra } from '@heterosis/analysis/describe-error';
import { type EnginePlan, gigabytes } from '@heterosis/analysis/engine/plan-engine';
import type { openKinship } from '@heterosis/analysis/inputs/read-kinship';
import type { openPhenotype, PhenotypeOptions } from '@heterosis/analysis/inputs/read-phenotype';
import {
  COLUMN_ROLES,
  COVARIATE_ROLE,
  IGNORED_ROLE,
  MEASURED_ROLE,
  type TableMapping,
} from '@heterosis/analysis/inputs/table-mapping';
import type { openPedigree } from '@heterosis/analysis/pedigree/open-pedigree';
import { complaintsOf, inputsOf, type Options } from '@heterosis/contracts/options/define-options';
import {
  PEDIGREE_FILE_OPTIONS,
  PHENOTYPE_OPTIONS as PHENOTYPE_TABLE,
  TRAITS_OPTION as TRAITS_TABLE,
} from '@heterosis/contracts/options/inputs';
import { flagsOf, optionsOfFlags } from '@heterosis/contracts/options/option-flags';
import { ENGINE_OPTIONS } from '@heterosis/contracts/options/shared';
import {
  type CommandIo,
  type CommandResult,
  inputError,
  type OptionTable,
  type OptionValues,
  type ReportedProblem,
} from '../command.ts';

const PEDIGREE_ROLES = [...COLUMN_ROLES.PEDIGREE, IGNORED_ROLE];
const PHENOTYPE_ROLES = [...COLUMN_ROLES.PHENOTYPE, MEASURED_ROLE, COVARIATE_ROLE, IGNORED_ROLE];

/** The flag with the roles that it knows. */
const withRoles = <Flag extends OptionTable[string]>(flag: Flag, roles: readonly string[]): Flag => ({
  ...flag,
  help: `${flag.help} Roles: ${roles.join(', ')}.`,
});

const PHENOTYPE_FLAGS = flagsOf(PHENOTYPE_TABLE);

/** `--phenotype` of the commands that analyse traits, and how it is read. */
export const PHENOTYPE_OPTIONS = { ...PHENOTYPE_FLAGS, columns: withRoles(PHENOTYPE_FLAGS.columns, PHENOTYPE_ROLES) };

export const { trait: TRAITS_OPTION } = flagsOf(TRAITS_TABLE);

/** How an analysis is computed, and what it will take. */
export const ENGINE_FLAGS = flagsOf(ENGINE_OPTIONS);

/** `--engine` as analyses take it. */
export function engineOf({ engine }: { engine: string }): { engine?: 'individuals' | 'markers' } {
  return engine === 'individuals' || engine === 'markers' ? { engine } : {};
}

/**
 * Refuses flags of the command line alone that do not go together. Of the options that requests have too, the analysis
 * is the judge, unless their row says that it is not.
 */
export function refuseTogether(table: Options, asked: Readonly<Record<string, unknown>>): void {
  for (const { option, message, action, place } of complaintsOf(table, asked)) {
    const row = table[option];
    if ((place ?? row?.only?.place) === 'cli' || row?.judgedBefore === true)
      throw inputError('E-CLI-OPTION', message, action);
  }
}

type Figures = Pick<EnginePlan['estimate'], 'seconds' | 'memoryMb' | 'diskMb'>;

const figures = ({ seconds, memoryMb, diskMb }: Figures) => ({
  seconds: Number(seconds.toPrecision(3)),
  memory_mb: Math.round(memoryMb),
  disk_mb: Math.ceil(diskMb),
});

const inWords = ({ seconds, memoryMb, diskMb }: Figures): string =>
  `about ${duration(seconds)}, ${gigabytes(memoryMb)} of memory, ${gigabytes(Math.ceil(diskMb))} of disk`;

/** The result of `--estimate` where there is one way to compute. */
export const estimateOf = (estimate: Figures): CommandResult => ({
  summary: figures(estimate),
  lines: [inWords(estimate)],
});

/** The result of `--estimate`. */
export function estimateResult({ engine, reason, estimate, other }: EnginePlan): CommandResult {
  const alternative = other.unusable === null ? figures(other) : null;
  return {
    summary: {
      engine,
      reason,
      ...figures(estimate),
      other: { engine: other.engine, ...alternative, unusable: other.unusable },
    },
    lines: [
      `computed from the ${engine}: ${reason}`,
      inWords(estimate),
      other.unusable === null
        ? `from the ${other.engine}: about ${duration(other.seconds)}, ${gigabytes(other.memoryMb)} of memory`
        : `from the ${other.engine}: not possible; ${other.unusable}`,
    ],
  };
}

function duration(seconds: number): string {
  if (seconds < 90) return `${seconds.toPrecision(2)} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toPrecision(2)} h`;
}

/** What the columns of the file of `--pedigree` hold. */
export const PEDIGREE_COLUMNS_OPTION = withRoles(flagsOf(PEDIGREE_FILE_OPTIONS)['pedigree-columns'], PEDIGREE_ROLES);

/** The pedigree of a command that needs none; undefined when none is given. */
export async function givenPedigree(
  { pedigree, ...others }: { pedigree?: string | undefined; 'pedigree-columns'?: string[] | undefined },
  io: CommandIo,
): Promise<Awaited<ReturnType<typeof readPedigreeOption>> | undefined> {
  if (pedigree !== undefined) return await readPedigreeOption({ ...others, pedigree }, io);
  if (others['pedigree-columns'] === undefined) return undefined;
  throw inputError('E-CLI-OPTION', '--pedigree-columns goes with --pedigree.', 'Name the file by --pedigree.');
}

/** Reads the file of `--pedigree`, with its columns as `--pedigree-columns` says; prints its warnings. */
export async function readPedigreeOption(
  options: { pedigree: string; 'pedigree-columns'?: string[] | undefined },
  io: CommandIo,
): Promise<Awaited<ReturnType<typeof openPedigree>>['table']> {
  const { pedigree: path, 'pedigree-columns': columns } = options;
  const reader = await import('@heterosis/analysis/pedigree/open-pedigree');
  const mapping = columns && { roles: rolesOf(columns, '--pedigree-columns', PEDIGREE_ROLES) };
  const { table, problems } = await reader.openPedigree(path, io.context, mapping);
  io.report(
    problems.filter(({ severity }) => severity === 'warning'),
    path,
  );
  return table;
}

/** Reads the file of `--kinship-file`, and lists the genotyped individuals missing from it on standard error. */
export async function readKinshipOption(
  path: string,
  samples: readonly string[],
  io: CommandIo,
): Promise<Awaited<ReturnType<typeof openKinship>>['table']> {
  const reader = await import('@heterosis/analysis/inputs/read-kinship');
  const { table, problems } = await reader.openKinship(path, io.context);
  const missing = reader.withoutKinship(samples, reader.alignKinship(samples, table));
  io.report(problems, path);
  if (missing.length > 0) io.report([missingKinship(samples.length, missing)], path);
  return table;
}

const SHOWN_NAMES = 10;

function missingKinship(genotyped: number, missing: readonly string[]): ReportedProblem {
  const shown = missing.slice(0, SHOWN_NAMES).join(', ') + (missing.length > SHOWN_NAMES ? ', …' : '');
  return {
    severity: 'warning',
    code: 'W-KIN-MISSING',
    line: null,
    column: null,
    value: String(missing.length),
    message: `The kinship file lacks ${missing.length} of ${genotyped} genotyped individuals: ${shown}.`,
    suggestion: 'They are left out. Check the spelling of their names, or add their kinships.',
  };
}

/** Reports the traits without a result; ends the command if no trait has one. */
export function reportFailedTraits(
  traits: readonly { name: string; error: ErrorExtra | null }[],
  phenotype: string,
  io: CommandIo,
): void {
  const isAnyFitted = traits.some(({ error }) => error === null);
  for (const { name, error } of traits) {
    if (error === null) continue;
    const { code, message, action } = error;
    if (!isAnyFitted) throw inputError(code, `${name}: ${message}`, action);
    io.report(
      [{ severity: 'warning', code, line: null, column: name, value: null, message, suggestion: action }],
      phenotype,
    );
  }
}

/** Roles of columns by header, from the entries `HEADER=ROLE` of an option. */
function rolesOf(entries: readonly string[], option: string, roles: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    entries.map((entry): [string, string] => {
      const at = entry.lastIndexOf('=');
      const role = entry.slice(at + 1).trim();
      if (at < 1 || !roles.includes(role)) {
        throw inputError(
          'E-CLI-VALUE',
          `${option}: "${entry}" does not give a column one of the roles ${roles.join(', ')}.`,
          `Write the header of the column, "=", and the role: Sorte=${roles[0]}.`,
        );
      }
      return [entry.slice(0, at).trim(), role];
    }),
  );
}

/** The layout of the phenotype file that the options describe. */
function mappingOf(options: PhenotypeChoices): TableMapping {
  const roles = options.columns && rolesOf(options.columns, '--columns', PHENOTYPE_ROLES);
  const mark = options['decimal-mark'];
  return {
    ...(roles === undefined ? {} : { roles }),
    ...(options.sheet === undefined ? {} : { sheet: options.sheet }),
    ...(options['header-line'] === undefined ? {} : { headerLine: options['header-line'] }),
    ...(mark === undefined ? {} : { decimalMark: mark === 'comma' ? ',' : '.' }),
    leftOut: {
      lines: placesOf(options['left-out-rows'], '--left-out-rows', /^[1-9]\d{0,6}$/, 'a line, such as 62').map(Number),
      cells: placesOf(
        options['left-out-cells']?.map((cell) => cell.toUpperCase()),
        '--left-out-cells',
        /^[A-Z]{1,3}[1-9]\d{0,6}$/,
        'the letters of a column and a line, such as D12',
      ),
    },
  };
}

/** Places of a table, from the entries of an option. */
function placesOf(entries: readonly string[] = [], option: string, form: RegExp, what: string): string[] {
  const wrong = entries.find((entry) => !form.test(entry));
  if (wrong === undefined) return [...entries];
  throw inputError(
    'E-CLI-VALUE',
    `${option}: "${wrong}" is not ${what}.`,
    `Write ${what}; separate several by commas.`,
  );
}

/** How dates become numbers, as the options say. */
function datesOf(options: PhenotypeChoices): Pick<PhenotypeOptions, 'dates'> {
  const { dates, 'sowing-date': sowing, 'date-order': order } = options;
  if (dates === undefined) {
    if (sowing === undefined && order === undefined) return {};
    throw inputError(
      'E-CLI-OPTION',
      `${sowing === undefined ? '--date-order' : '--sowing-date'} goes with --dates.`,
      'Add --dates days-after-sowing or --dates day-of-year.',
    );
  }
  return {
    dates: {
      as: dates === 'day-of-year' ? 'day-of-year' : 'days-after-sowing',
      ...(sowing === undefined ? {} : { sowing }),
      ...(order === undefined ? {} : { order: order === 'month-first' ? 'month-first' : 'day-first' }),
    },
  };
}

/** What the options say about the phenotype file. */
export type PhenotypeChoices = Omit<OptionValues<typeof PHENOTYPE_OPTIONS>, 'phenotype'>;

export const phenotypeChoices = (
  options: PhenotypeChoices,
): Pick<PhenotypeOptions, 'averageRepeatedRows' | 'missingCodes' | 'measuredValues' | 'dates' | 'mapping'> => ({
  ...inputsOf(PHENOTYPE_TABLE, optionsOfFlags(PHENOTYPE_TABLE, options)),
  ...datesOf(options),
  mapping: mappingOf(options),
});

/** Reads the phenotype file of the options; prints its warnings to standard error. */
export async function readPhenotypeOption(
  options: OptionValues<typeof PHENOTYPE_OPTIONS>,
  io: CommandIo,
): ReturnType<typeof openPhenotype> {
  // A command without phenotypes does not load their readers, a third of the modules.
  const reader = await import('@heterosis/analysis/inputs/read-phenotype');
  const opened = await reader.openPhenotype(options.phenotype, io.context, phenotypeChoices(options));
  io.report(
    opened.reading.report.problems.filter((problem) => problem.severity === 'warning'),
    options.phenotype,
  );
  return opened;
}
