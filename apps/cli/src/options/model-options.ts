import type { ErrorExtra } from '@heterosis/analysis/describe-error';
import { type EnginePlan, gigabytes } from '@heterosis/analysis/engine/plan-engine';
import type { KinshipPrecision } from '@heterosis/analysis/inputs/panel-kinship';
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
import { complaintsOf, type Options } from '@heterosis/contracts/options/define-options';
import { flagsOf } from '@heterosis/contracts/options/option-flags';
import { ENGINE_OPTIONS, KINSHIP_PRECISION_OPTION, MARKER_OPTIONS } from '@heterosis/contracts/options/shared';
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

/** `--phenotype` of the commands that analyse traits, and how it is read. */
export const PHENOTYPE_OPTIONS = {
  phenotype: {
    kind: 'text',
    placeholder: 'P',
    required: true,
    path: 'read',
    help: 'Phenotypes: CSV, TSV or XLSX, one row per individual, or with design columns (environment, replicate …), or long. Repeated observations are reduced to adjusted means.',
  },
  'average-repeated-rows': {
    kind: 'flag',
    help: 'Average rows of one individual that no design column tells apart. Without it they are errors (E-PH-DUP).',
  },
  'missing-codes': {
    kind: 'list',
    placeholder: 'CODE,CODE',
    help: 'Values of the phenotype file that mean "missing", for example -9,999.',
  },
  'measured-values': {
    kind: 'list',
    placeholder: 'VALUE,VALUE',
    help: 'Values of the phenotype file that look like a code for "missing" (E-PH-MISSING-CODE) and are values.',
  },
  dates: {
    kind: 'choice',
    choices: ['days-after-sowing', 'day-of-year'],
    help: 'Make numbers of traits that hold dates (W-PH-DATE). Days after sowing need --sowing-date or a column of the dates of sowing.',
  },
  'sowing-date': {
    kind: 'text',
    placeholder: 'YYYY-MM-DD',
    help: 'Date of sowing of all rows of the phenotype file, for --dates days-after-sowing.',
  },
  'date-order': {
    kind: 'choice',
    choices: ['day-first', 'month-first'],
    help: 'Whether 01/02/2025 is in February or in January, where no date of the file tells (E-PH-DATE-ORDER).',
  },
  columns: {
    kind: 'list',
    placeholder: 'HEADER=ROLE,…',
    help: `What the columns of the phenotype file hold, where their headers do not tell: Sorte=individual,Ort=location,Ertrag=measurement. Roles: ${PHENOTYPE_ROLES.join(', ')}.`,
  },
  sheet: { kind: 'text', placeholder: 'NAME', help: 'Sheet of a phenotype workbook. Default: the first.' },
  'header-line': {
    kind: 'integer',
    min: 0,
    max: 1000,
    help: 'Line of the header of the phenotype file; 0 when there is none, and the columns are called "Column A" and so on. Default: found below titles.',
  },
  'decimal-mark': {
    kind: 'choice',
    choices: ['point', 'comma'],
    help: 'Mark of decimals of the phenotype file; the other one then separates thousands. Default: both are read as decimals where that is clear.',
  },
} as const satisfies OptionTable;

export const TRAITS_OPTION = {
  kind: 'list',
  placeholder: 'T[,T2]',
  required: true,
  help: 'Traits of the phenotype file, separated by commas; a name that holds a comma stands in double quotes.',
} as const satisfies OptionTable[string];

/** Filter of the markers used by an analysis. */
export const MARKER_FLAGS = flagsOf(MARKER_OPTIONS);

/** How an analysis is computed, and what it will take. */
export const ENGINE_FLAGS = flagsOf(ENGINE_OPTIONS);

/** `--engine` as analyses take it. */
export function engineOf({ engine }: { engine: string }): { engine?: 'individuals' | 'markers' } {
  return engine === 'individuals' || engine === 'markers' ? { engine } : {};
}

/**
 * Refuses flags of the command line alone that do not go together. Of the options that requests have too, the analysis
 * is the judge.
 */
export function refuseTogether(table: Options, asked: Readonly<Record<string, unknown>>): void {
  for (const { option, message, action } of complaintsOf(table, asked)) {
    if (table[option]?.only?.place === 'cli') throw inputError('E-CLI-OPTION', message, action);
  }
}

/** The result of `--estimate`. */
export function estimateResult({ engine, reason, estimate, other }: EnginePlan): CommandResult {
  const figures = ({ seconds, memoryMb, diskMb }: EnginePlan['estimate']) => ({
    seconds: Number(seconds.toPrecision(3)),
    memory_mb: Math.round(memoryMb),
    disk_mb: Math.ceil(diskMb),
  });
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
      `about ${duration(estimate.seconds)}, ${gigabytes(estimate.memoryMb)} of memory, ${gigabytes(Math.ceil(estimate.diskMb))} of disk`,
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

/** Precision of the standardized kinship. */
export const KINSHIP_PRECISION_FLAG = flagsOf(KINSHIP_PRECISION_OPTION);

export function precisionOf(choice: string): KinshipPrecision {
  return choice === 'single' ? 'single' : 'double';
}

/** A pedigree file. */
export const PEDIGREE_OPTION = {
  kind: 'text',
  placeholder: 'P',
  path: 'read',
  required: true,
  help: 'Pedigree: CSV, TSV or XLSX with columns name, female, male (and cross_type, generation), one row a parent as Helium writes it, or a column pedigree with Purdy strings (A/B//C/3/D*2).',
} as const satisfies OptionTable[string];

/** What the columns of the file of `--pedigree` hold. */
export const PEDIGREE_COLUMNS_OPTION = {
  kind: 'list',
  placeholder: 'HEADER=ROLE,…',
  help: `What the columns of the pedigree hold, where their headers do not tell (E-COL-FEMALE, E-COL-MALE): Samenspender=female,Bestäuber=male. Roles: ${PEDIGREE_ROLES.join(', ')}.`,
} as const satisfies OptionTable[string];

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
  };
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
  averageRepeatedRows: options['average-repeated-rows'],
  ...(options['missing-codes'] === undefined ? {} : { missingCodes: options['missing-codes'] }),
  ...(options['measured-values'] === undefined ? {} : { measuredValues: options['measured-values'] }),
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
