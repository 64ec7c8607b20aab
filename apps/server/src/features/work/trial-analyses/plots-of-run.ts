import { AnalysisError } from '@heterosis/analysis/context';
import { FileRefused } from '@heterosis/analysis/inputs/open-genotype';
import { prepareTrials, type TrialRequest, type TrialTask } from '@heterosis/analysis/trials/analyze-trials';
import { type PlotTable, readPlotTable, type TablePlot } from '@heterosis/analysis/trials/plot-table';
import { inputsOf } from '@heterosis/contracts/options/define-options';
import { TRIAL_ANALYSIS_OPTIONS } from '@heterosis/contracts/options/trials';
import type { PlotSetAside } from '@heterosis/contracts/work/trial-analyses';
import type { PhenotypeOptions } from '@heterosis/file-formats/tables/phenotype/phenotype-options';
import type { ComputeContext } from '../../../platform/compute/compute.ts';
import { openStorageLocation, type StorageLocation } from '../../../platform/object-storage/storage-location.ts';
import type { TrialAnalysisParameters } from './trial-analyses.queries.ts';

/** A phenotype file of an analysis, as a compute process reads it. */
export interface PlotFile {
  id: string;
  /** Ids that it had in other installations. */
  formerIds: string[];
  name: string;
  /** Key of the original. */
  key: string;
  options: PhenotypeOptions;
}

export interface PlotsInput {
  storage: StorageLocation;
  files: PlotFile[];
  traits: string[];
  parameters: TrialAnalysisParameters;
}

/** A trial of the run, its file, and the place of its trait among those of the file. */
export interface TrialOfRun {
  task: TrialTask;
  file: PlotFile;
  trait: number;
  /** Reasons of the plots that do not count, by line of the file. */
  setAside: Map<number, string>;
}

/** An environment of the files and a trait of which none of its plots has a value that counts. */
export type Unmeasured = Pick<TrialTask, 'environment' | 'trait'>;

/**
 * The trials of a run: of each file by environment, as the command line takes them, and of each environment by trait.
 * Everything that is wrong with the plots is found before the first model is fitted.
 *
 * @throws AnalysisError `trials/same-environment`, `trials/unknown-plot`, and those of `prepareTrials`; what is wrong
 * with plots as `trials/…` with the plots concerned
 */
export async function trialsOfRun(
  { storage: location, files, traits, parameters }: PlotsInput,
  context: ComputeContext,
): Promise<{ trials: TrialOfRun[]; unmeasured: Unmeasured[]; request: TrialRequest }> {
  const storage = openStorageLocation(location);
  const request = requestOf(traits, parameters);
  const tables: { file: PlotFile; table: PlotTable }[] = [];
  for (const file of files) {
    const source = await storage.open(file.key, file.name);
    try {
      tables.push({ file, table: await inWords(() => readPlotTable(source, file.name, context, file.options)) });
    } finally {
      await source.close();
    }
  }
  requireEnvironments(tables, request);
  requirePlots(tables, parameters.set_aside ?? []);
  const trials: TrialOfRun[] = [];
  for (const { file, table } of tables) {
    const own = ownRequest(table, request);
    if (own === null) continue;
    const reasonOf = reasons(file, parameters.set_aside ?? []);
    const isSetAside = (environment: string, trait: string, plot: TablePlot): boolean =>
      reasonOf(environment, trait, plot) !== undefined;
    const { tasks } = await inWords(async () => prepareTrials(table, { ...own, isSetAside }));
    for (const task of tasks) {
      const { environment, trait, plots } = task;
      const setAside = new Map(
        plots.flatMap((plot): [number, string][] => {
          const reason = reasonOf(environment, trait, plot);
          return reason === undefined ? [] : [[plot.line, reason]];
        }),
      );
      trials.push({ task, file, setAside, trait: table.traits.findIndex(({ name }) => name === trait) });
    }
  }
  return { trials, unmeasured: unmeasuredOf(tables, request, trials), request };
}

function requestOf(traits: string[], parameters: TrialAnalysisParameters): TrialRequest {
  const { row_segments: rows, column_segments: columns, overrides } = parameters;
  return {
    ...inputsOf(TRIAL_ANALYSIS_OPTIONS, parameters),
    ...{ traits, lines: 'both' },
    ...(rows === undefined && columns === undefined
      ? {}
      : { segments: { ...(rows === undefined ? {} : { rows }), ...(columns === undefined ? {} : { columns }) } }),
    ...(overrides === undefined ? {} : { overrides }),
  };
}

/** The part of a request that concerns a file; null where none of it does. */
function ownRequest(table: PlotTable, { environments, traits, ...request }: TrialRequest): TrialRequest | null {
  const has = (name: string): boolean => table.environments.some((one) => isSame(one.name, name));
  const own = environments?.filter(has) ?? [];
  const known = traits.filter((trait) => table.traits.some(({ name }) => name === trait));
  if ((own.length === 0 && (environments ?? []).length > 0) || known.length === 0) return null;
  const inFile = new Set(table.environments.flatMap(({ plots }) => plots.map(({ name }) => name)));
  const checks = request.checks?.filter((name) => inFile.has(name));
  return {
    ...{ ...request, traits: known },
    environments: own,
    ...(checks === undefined ? {} : { checks }),
  };
}

function unmeasuredOf(
  tables: readonly { table: PlotTable }[],
  { environments = [], traits }: TrialRequest,
  trials: readonly TrialOfRun[],
): Unmeasured[] {
  const measured = new Set(trials.map(({ task: { environment, trait } }) => JSON.stringify([environment, trait])));
  return tables
    .flatMap(({ table }) => table.environments.map(({ name }) => name))
    .filter((name) => environments.length === 0 || environments.some((asked) => isSame(asked, name)))
    .flatMap((environment) => traits.map((trait) => ({ environment, trait })))
    .filter(({ environment, trait }) => !measured.has(JSON.stringify([environment, trait])));
}

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Refuses an environment that two files have, and one asked for that no file has; the same for checks. */
function requireEnvironments(
  tables: readonly { file: PlotFile; table: PlotTable }[],
  { environments, overrides = [], checks = [] }: TrialRequest,
): void {
  const fileOf = new Map<string, string>();
  for (const { file, table } of tables) {
    for (const { name } of table.environments) {
      const other = fileOf.get(name.toLowerCase());
      if (other !== undefined)
        throw new AnalysisError(
          'trials/same-environment',
          `"${other}" and "${file.name}" both have plots of the environment "${name}".`,
          'Give the trials different names in a column environment, or analyse the files apart.',
          { environment: name },
        );
      fileOf.set(name.toLowerCase(), file.name);
    }
  }
  const unknown = [...(environments ?? []), ...overrides.map(({ environment }) => environment)].find(
    (name) => !fileOf.has(name.toLowerCase()),
  );
  if (unknown !== undefined) {
    const known = tables.flatMap(({ table }) => table.environments.map(({ name }) => name));
    throw new AnalysisError(
      'trials/unknown-environment',
      `The files have no environment "${unknown}".`,
      `Their environments are ${known.join(', ')}.`,
      { environment: unknown },
    );
  }
  const lines = new Set(
    tables.flatMap(({ table }) => table.environments.flatMap(({ plots }) => plots.map(({ name }) => name))),
  );
  const missing = checks.find((name) => !lines.has(name));
  if (missing === undefined) return;
  throw new AnalysisError(
    'trials/unknown-check',
    `No plot has the check "${missing}".`,
    'Write checks as the column of the lines does.',
    { check: missing },
  );
}

/** Refuses a plot to be set aside that is not there. */
function requirePlots(tables: readonly { file: PlotFile; table: PlotTable }[], asked: readonly PlotSetAside[]): void {
  for (const one of asked) {
    const isThere = tables.some(({ file, table }) =>
      table.environments.some(({ name, plots }) => plots.some((plot) => isMeant(one, file, name, plot))),
    );
    if (isThere) continue;
    const place =
      one.file_line === undefined ? `in row ${one.row}, column ${one.column}` : `on line ${one.file_line} of the file`;
    throw new AnalysisError(
      'trials/unknown-plot',
      `${one.environment} has no plot ${place} that could be set aside.`,
      'Name the plot as the page of the field does.',
      { environment: one.environment },
    );
  }
}

function isMeant(one: PlotSetAside, file: PlotFile, environment: string, { line, design }: TablePlot): boolean {
  if (!isSame(one.environment, environment)) return false;
  if (one.phenotype_id !== undefined && ![file.id, ...file.formerIds].includes(one.phenotype_id)) return false;
  if (one.file_line !== undefined) return one.file_line === line;
  return Number(design.row) === one.row && Number(design.column) === one.column;
}

/** The reason for which the value of a plot of a file does not count. */
function reasons(file: PlotFile, asked: readonly PlotSetAside[]) {
  return (environment: string, trait: string, plot: TablePlot): string | undefined =>
    asked.find((one) => (one.trait === undefined || one.trait === trait) && isMeant(one, file, environment, plot))
      ?.reason;
}

/** Plots that a message names. */
const SHOWN_PROBLEMS = 5;

/** What is wrong with the plots of a file, as an error that ends the run: `E-TR-PLACE` is `trials/place`. */
async function inWords<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    const found = error.problems.filter(({ severity }) => severity === 'error');
    const [first] = found;
    const code = /^E-TR-(.+)$/.exec(first?.code ?? '')?.[1];
    const shown = found
      .slice(0, SHOWN_PROBLEMS)
      .map(({ message, line }) => (line && !/\(line \d/.test(message) ? `${message} (line ${line})` : message));
    const more = found.length - shown.length;
    throw new AnalysisError(
      code === undefined ? 'trials/bad-file' : `trials/${code.toLowerCase()}`,
      `${error.file}: ${shown.join(' ')}${more > 0 ? ` And ${more} more.` : ''}`,
      // Flags of the command line are of no use here.
      (first?.suggestion ?? 'Correct the file and upload it again.').replaceAll(/ \(--[^)]*\)/g, ''),
      { file: error.file },
    );
  }
}
