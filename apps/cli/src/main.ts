import { readFileSync } from 'node:fs';
import { availableParallelism, constants } from 'node:os';
import type { GenotypeReading, StageSeconds } from '@heterosis/analysis/context';
import { GENOTYPE_FIELDS } from '@heterosis/contracts/data/format-names';
import { GENOTYPE_READING_OPTIONS } from '@heterosis/contracts/options/inputs';
import { flagsOf } from '@heterosis/contracts/options/option-flags';
import { checkPaths } from './check-paths.ts';
import type { Command, CommandResult, OptionTable } from './command.ts';
import { InputError, inputError } from './command.ts';
import { commandHelp, groupHelp, programHelp } from './help.ts';
import { nearest, parseOptions } from './options/parse-options.ts';
import { createProgressLine } from './progress.ts';
import { formatProblems } from './report.ts';
import { nameStandardInput, spoolPipes } from './spool-pipes.ts';

/** Commands with their one-line summaries, so that listing them loads none of their modules. */
const COMMANDS: { name: string; summary: string; load: () => Promise<Command> }[] = [
  {
    name: 'import',
    summary: 'check a genotype file and write it as PLINK .bed/.bim/.fam',
    load: async () => (await import('./commands/import.ts')).importCommand,
  },
  {
    name: 'move-in',
    summary: 'take over a folder from Breedbase, BMS, Germinate or R, with a report',
    load: async () => (await import('./moving-in/move-in.ts')).moveInCommand,
  },
  {
    name: 'export',
    summary: 'write a genotype in another format, whole or in part',
    load: async () => (await import('./commands/export.ts')).exportCommand,
  },
  {
    name: 'qc',
    summary: 'describe a genotype: call rates, frequencies, LD, duplicates, structure',
    load: async () => (await import('./commands/qc.ts')).qcCommand,
  },
  {
    name: 'design',
    summary: 'lay out field trials: randomised, with efficient blocks, rows and columns',
    load: async () => (await import('./commands/design.ts')).designCommand,
  },
  {
    name: 'means',
    summary: 'adjusted means of lines with errors, variance components and H²',
    load: async () => (await import('./commands/means.ts')).meansCommand,
  },
  {
    name: 'trial',
    summary: 'analyse field trials: blocks, rows and columns, splines, autoregression',
    load: async () => (await import('./commands/trial.ts')).trialCommand,
  },
  {
    name: 'series',
    summary: 'analyse trials of many environments together',
    load: async () => (await import('./commands/series.ts')).seriesCommand,
  },
  {
    name: 'kinship',
    summary: 'compute a kinship matrix',
    load: async () => (await import('./commands/kinship.ts')).kinshipCommand,
  },
  {
    name: 'pedigree',
    summary: 'inbreeding, coancestry and relationship matrices of a pedigree',
    load: async () => (await import('./commands/pedigree.ts')).pedigreeCommand,
  },
  {
    name: 'parentage',
    summary: 'check a pedigree against genotypes: conflicts, copies, swaps, likely parents',
    load: async () => (await import('./commands/parentage.ts')).parentageCommand,
  },
  {
    name: 'prune',
    summary: 'prune markers by linkage disequilibrium',
    load: async () => (await import('./commands/prune.ts')).pruneCommand,
  },
  {
    name: 'train',
    summary: 'train a genomic prediction model (RR-BLUP, or by sampling)',
    load: async () => (await import('./commands/train.ts')).trainCommand,
  },
  {
    name: 'evaluate',
    summary: 'cross-validate genomic prediction',
    load: async () => (await import('./commands/evaluate.ts')).evaluateCommand,
  },
  {
    name: 'predict',
    summary: 'predict breeding values of genotyped individuals with a trained model',
    load: async () => (await import('./commands/predict.ts')).predictCommand,
  },
  {
    name: 'gwas',
    summary: 'test every marker for association by an exact mixed model',
    load: async () => (await import('./commands/gwas.ts')).gwasCommand,
  },
  {
    name: 'finemap',
    summary: 'find the markers of a region that have effects, in credible sets',
    load: async () => (await import('./fine-mapping/finemap.ts')).finemapCommand,
  },
  {
    name: 'benchmark',
    summary: 'run again what others published, and print ours beside theirs',
    load: async () => (await import('./benchmark/benchmark.ts')).benchmarkCommand,
  },
  {
    name: 'cross',
    summary: 'predict and simulate the progeny of crosses',
    load: async () => (await import('./commands/cross.ts')).crossCommand,
  },
  {
    name: 'plan',
    summary: 'choose crosses: gain against coancestry, optimal contributions and mates',
    load: async () => (await import('./commands/plan.ts')).planCommand,
  },
  {
    name: 'stack',
    summary: 'stack target loci of several donors: crosses, numbers of plants, generations',
    load: async () => (await import('./stacking/stack.ts')).stackCommand,
  },
  {
    name: 'simulate',
    summary: 'simulate a breeding programme over years: gain, variance, accuracy, diversity, cost',
    load: async () => (await import('./programmes/simulate.ts')).simulateCommand,
  },
  {
    name: 'hybrids',
    summary: 'write the genotypes of the F1 hybrids of a crossing table',
    load: async () => (await import('./commands/hybrids.ts')).hybridsCommand,
  },
  {
    name: 'phase',
    summary: 'phase a genotype and fill its missing calls',
    load: async () => (await import('./commands/phase.ts')).phaseCommand,
  },
  {
    name: 'login',
    summary: 'keep an access token for the remote commands',
    load: async () => (await import('./remote/login.ts')).loginCommand,
  },
  {
    name: 'remote projects',
    summary: 'list the projects on the server',
    load: async () => (await import('./remote/lists.ts')).projectsCommand,
  },
  {
    name: 'remote files',
    summary: 'list the files of a project on the server',
    load: async () => (await import('./remote/lists.ts')).filesCommand,
  },
  {
    name: 'remote upload',
    summary: 'send a file to a project on the server and wait for its check',
    load: async () => (await import('./remote/upload.ts')).uploadCommand,
  },
  {
    name: 'remote train',
    summary: 'train models on the server',
    load: async () => (await import('./remote/start.ts')).trainCommand,
  },
  {
    name: 'remote predict',
    summary: 'predict breeding values on the server',
    load: async () => (await import('./remote/start.ts')).predictCommand,
  },
  {
    name: 'remote gwas',
    summary: 'run a GWAS on the server',
    load: async () => (await import('./remote/start.ts')).gwasCommand,
  },
  {
    name: 'remote cross',
    summary: 'simulate the progeny of crosses on the server',
    load: async () => (await import('./remote/start.ts')).crossCommand,
  },
  {
    name: 'remote wait',
    summary: 'wait for the end of a run on the server',
    load: async () => (await import('./remote/wait.ts')).waitCommand,
  },
  {
    name: 'remote download',
    summary: 'save the results of a run on the server as a zip',
    load: async () => (await import('./remote/wait.ts')).downloadCommand,
  },
];

/** First word of the commands that have two. */
const GROUP = 'remote';

/** `remote train` is one name. */
const joined = ([first, second, ...rest]: readonly string[]): string[] =>
  first === GROUP && second !== undefined && !second.startsWith('-')
    ? [`remote ${second}`, ...rest]
    : [first, second].filter((word) => word !== undefined).concat(rest);

/** Options common to all commands. */
const COMMON_OPTIONS = {
  threads: {
    kind: 'integer',
    min: 1,
    max: 1024,
    help: 'Threads for matrix products and phasing. The same number gives the same bytes; another one can move the last digits of train, gwas and kinship (by less than 1e-9). Default: all cores.',
  },
  json: {
    kind: 'flag',
    help: 'Print a machine-readable summary on standard output (seconds per stage, counts, estimates), and problems as one JSON object a line on standard error.',
  },
  help: { kind: 'flag', help: 'Show this page.' },
} as const satisfies OptionTable;

/** Options of the commands that read genotypes. */
const READING_FLAGS = flagsOf(GENOTYPE_READING_OPTIONS);

const EXIT_BAD_INPUT = 2;
/** When a signal ends the program, the exit code is this plus the signal's number, as in a shell. */
const EXIT_SIGNAL = 128;
const STOPPING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** What the program reaches of the process that it runs in. */
export interface Surroundings {
  stdout: NodeJS.WritableStream;
  stderr: NodeJS.WritableStream;
  /**
   * Runs the program again with additional environment variables, for its exit code. Without it, matrix products take
   * the kernels that their library chooses.
   */
  restart?: (environment: Record<string, string>) => Promise<number>;
}

interface Run extends Surroundings {
  asJson: boolean;
  progress: ReturnType<typeof createProgressLine>;
}

/** Runs the command that the arguments name and returns the exit code. A signal that stops it ends the process. */
export async function runProgram(args: string[], surroundings: Surroundings): Promise<number> {
  const asJson = args.includes('--json');
  const progress = createProgressLine(surroundings.stderr, () => performance.now(), process.env['TERM']);
  try {
    return await runCommand(args, { ...surroundings, asJson, progress });
  } catch (error) {
    progress.clear();
    const { toInputError } = await import('./input-problems.ts');
    const bad = error instanceof InputError ? error : toInputError(error);
    if (bad === null) throw error;
    surroundings.stderr.write(formatProblems(bad.problems, bad.file, asJson));
    return EXIT_BAD_INPUT;
  }
}

async function runCommand(args: string[], run: Run): Promise<number> {
  const { stdout, stderr, asJson, progress } = run;
  const [name, ...rest] = joined(args);
  if (name === undefined) {
    stderr.write(programHelp(COMMANDS, version()));
    return EXIT_BAD_INPUT;
  }
  if (name === 'help' || name === '--help' || name === '-h') {
    await print(stdout, await helpOn(name === 'help' ? joined(rest)[0] : undefined));
    return 0;
  }
  if (name === 'man') {
    const { manualPage } = await import('./manual-page.ts');
    const topic = joined(rest)[0];
    const title = ['heterosis', ...(topic?.split(' ') ?? [])].join('-');
    await print(stdout, manualPage(title, await helpOn(topic), version()));
    return 0;
  }
  if (name === 'completion') {
    const { completionScript } = await import('./completion.ts');
    const commands = await Promise.all(COMMANDS.map(async ({ load }) => withCommonOptions(await load())));
    await print(stdout, completionScript(rest[0], commands));
    return 0;
  }
  if (name === GROUP && (rest.length === 0 || asksForHelp(rest))) {
    if (rest.length > 0) await print(stdout, await helpOn(GROUP));
    else stderr.write(await helpOn(GROUP));
    return rest.length > 0 ? 0 : EXIT_BAD_INPUT;
  }
  if (name === '--version' || name === '-V') {
    await print(stdout, `${version()}\n`);
    return 0;
  }
  const command = withCommonOptions(await findCommand(name));
  if (asksForHelp(rest)) {
    await print(stdout, commandHelp(command));
    return 0;
  }
  const options = nameStandardInput(command.options, parseOptions(name, command.options, rest));
  checkPaths(command.options, options);
  if (command.usesMatrixProducts === true && run.restart !== undefined) {
    const { computeEnvironment } = await import('@heterosis/analysis/compute-environment');
    const environment = computeEnvironment();
    if (Object.keys(environment).length > 0) return run.restart(environment);
  }
  const started = performance.now();
  const controller = new AbortController();
  const stop = (signal: NodeJS.Signals) => controller.abort(signal);
  for (const signal of STOPPING_SIGNALS) process.once(signal, stop);
  try {
    const { result, seconds, threads } = await runWithFiles(command, options, { ...run, controller });
    progress.clear();
    const total = (performance.now() - started) / 1000;
    await print(
      stdout,
      asJson
        ? `${JSON.stringify({ command: name, version: version(), threads, seconds: { ...seconds, total }, ...result.summary }, null, 2)}\n`
        : result.lines.map((line) => `${line}\n`).join(''),
    );
    return 0;
  } catch (error) {
    if (!controller.signal.aborted) throw error;
    progress.clear();
    stderr.write('stopped\n');
    // A pipe that nobody writes to or closes would keep the process alive.
    return process.exit(EXIT_SIGNAL + constants.signals[controller.signal.reason as NodeJS.Signals]);
  } finally {
    for (const signal of STOPPING_SIGNALS) process.removeListener(signal, stop);
  }
}

const asksForHelp = (args: readonly string[]): boolean => args.includes('--help') || args.includes('-h');

/** The page of a command, of the commands on a server, or of the program. */
async function helpOn(topic: string | undefined): Promise<string> {
  if (topic === undefined) return programHelp(COMMANDS, version());
  if (topic === GROUP) return groupHelp(GROUP, 'work with projects on a server; see heterosis login', COMMANDS);
  return commandHelp(withCommonOptions(await findCommand(topic)));
}

/** Runs a command with piped inputs as files; problems show the names given by the user. */
async function runWithFiles(
  command: Command,
  options: Record<string, unknown>,
  { stderr, asJson, progress, controller }: Run & { controller: AbortController },
): Promise<{ result: CommandResult; seconds: StageSeconds; threads: number }> {
  const { timedContext } = await import('@heterosis/analysis/context');
  const timed = timedContext(
    {
      threads: typeof options['threads'] === 'number' ? options['threads'] : availableParallelism(),
      signal: controller.signal,
      onProgress: (state) => progress.show(state),
      genotypes: readingOf(command, options),
    },
    () => performance.now(),
  );
  const files = await spoolPipes(command.options, options, controller.signal);
  try {
    const result = await command.run(files.values as never, {
      context: timed.context,
      report: (problems, file) => {
        progress.clear();
        stderr.write(formatProblems(problems, files.nameOf(file), asJson));
      },
    });
    return { result, seconds: timed.finish(), threads: timed.context.threads };
  } catch (error) {
    const { toInputError } = await import('./input-problems.ts');
    const bad = error instanceof InputError ? error : toInputError(error);
    throw bad === null ? error : new InputError(bad.problems, files.nameOf(bad.file));
  } finally {
    files.remove();
  }
}

/** Writes to standard output. A closed pipe (`| head -1`) is not a failure; a full disk is. */
async function print(stdout: NodeJS.WritableStream, text: string): Promise<void> {
  await new Promise<void>((done, failed) => {
    stdout.write(text, (error: NodeJS.ErrnoException | null | undefined) => {
      if (error === null || error === undefined || error.code === 'EPIPE') done();
      else failed(Object.assign(error, { path: 'standard output' }));
    });
  });
}

async function findCommand(name: string): Promise<Command> {
  const entry = COMMANDS.find((command) => command.name === name);
  if (entry !== undefined) return entry.load();
  const near = nearest(
    name,
    COMMANDS.map((command) => command.name),
  );
  throw inputError(
    'E-CLI-COMMAND',
    `There is no command "${name}".`,
    near === null ? 'Run: heterosis --help' : `Did you mean ${near}?`,
  );
}

function withCommonOptions(command: Command): Command {
  const readsGenotypes = Object.values(command.options).some(({ path }) => path === 'genotype');
  const reading = readsGenotypes || command.name === 'import' ? READING_FLAGS : {};
  return { ...command, options: { ...reading, ...command.options, ...COMMON_OPTIONS } };
}

/** How a command reads genotypes. */
function readingOf(
  { takesPolyploids, takesMixedPloidies }: Command,
  options: Record<string, unknown>,
): GenotypeReading {
  const { ploidy, 'genotype-field': field, 'samples-of-ploidy': wanted } = options;
  return {
    polyploids: takesPolyploids === true,
    mixedPloidies: takesMixedPloidies === true,
    ...(typeof wanted === 'string' ? { samplesOfPloidy: Number(wanted) } : {}),
    ...(typeof ploidy === 'string' ? { ploidy: Number(ploidy) } : {}),
    ...(isGenotypeField(field) ? { genotypeField: field } : {}),
  };
}

const isGenotypeField = (field: unknown): field is (typeof GENOTYPE_FIELDS)[number] =>
  GENOTYPE_FIELDS.some((one) => one === field);

function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return (manifest as { version: string }).version;
}
