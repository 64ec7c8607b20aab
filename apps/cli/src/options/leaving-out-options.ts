import { USUAL_WINDOWS } from '@heterosis/analysis/genotype/prune-markers';
import { UnknownNames } from '@heterosis/analysis/inputs/find-listed';
import {
  type LeavingOut,
  type LeftOut,
  type LeftOutByRule,
  type LeftOutResult,
  leaveOutOfBlocks,
  leaveOutOfPanel,
  leavesOut,
} from '@heterosis/analysis/inputs/leaving-out';
import { leftOutCsv, leftOutSentence } from '@heterosis/analysis/inputs/left-out-words';
import { namesOf, readNameList } from '@heterosis/analysis/inputs/name-list';
import { inputsOf } from '@heterosis/contracts/options/define-options';
import { EXCLUSION_OPTIONS, SAMPLE_EXCLUSIONS } from '@heterosis/contracts/options/exclusions';
import { flagsOf, optionsOfFlags } from '@heterosis/contracts/options/option-flags';
import type { CommandIo, OptionValues } from '../command.ts';
import { InputError } from '../command.ts';
import { writeOutput } from '../write-output.ts';
import type { OpenedBlocks, OpenedPanel } from './genotype-option.ts';

/** Individuals left out of an analysis. */
export const LEAVE_OUT_SAMPLES = flagsOf(SAMPLE_EXCLUSIONS);

/** Individuals and markers left out of an analysis. */
export const LEAVE_OUT_OPTIONS = flagsOf(EXCLUSION_OPTIONS);

/** A paragraph for the help of the commands that take these options. */
export const LEAVE_OUT_DESCRIPTION =
  'Individuals and markers can be left out by lists and rules. They apply in this order, each to what those before it have left: --only-samples, --leave-out-samples, --leave-out-markers, --min-sample-call-rate, --max-sample-heterozygosity, --leave-out-duplicates, --min-marker-call-rate, --min-maf, --prune-r2. The result is that of a file without them.';

type Options = OptionValues<typeof LEAVE_OUT_SAMPLES> & Partial<OptionValues<typeof LEAVE_OUT_OPTIONS>>;

/** What the options leave out of a command's genotype, said in its result. */
export interface LeftOutOfCommand<Panel> {
  panel: Panel;
  /** For the summary; empty where nothing is asked for. */
  summary: { left_out?: Omit<LeftOut, 'rules'> & { rules: Omit<LeftOutByRule, 'names'>[] } };
  lines: string[];
  /** For the file of a result; undefined where nothing is asked for. */
  report: LeftOut | undefined;
}

/** The panel without what the options leave out. */
export async function leaveOutByOptions(
  panel: OpenedPanel,
  options: Options,
  io: CommandIo,
): Promise<LeftOutOfCommand<OpenedPanel>> {
  const asked = await readOptions(options);
  const { panel: left, leftOut } = await explained(options, () => leaveOutOfPanel(panel, asked, io.context));
  return said(left, leftOut, options, io);
}

/** As {@link leaveOutByOptions}, for a panel that is read by blocks. */
export async function leaveOutOfBlocksByOptions(
  panel: OpenedBlocks['panel'],
  options: Options,
  io: CommandIo,
): Promise<LeftOutOfCommand<OpenedBlocks['panel']>> {
  const asked = await readOptions(options);
  if (!leavesOut(asked)) return said(panel, null, options, io);
  const { panel: left, leftOut } = await explained(options, () => leaveOutOfBlocks(panel, asked, io.context));
  return said(left, leftOut, options, io);
}

async function readOptions(options: Options): Promise<LeavingOut> {
  const list = async (path: string | undefined) => (path === undefined ? undefined : namesOf(await readNameList(path)));
  const asked = {
    ...inputsOf(EXCLUSION_OPTIONS, optionsOfFlags(EXCLUSION_OPTIONS, options)),
    onlySamples: await list(options['only-samples']),
    samples: await list(options['leave-out-samples']),
    markers: await list(options['leave-out-markers']),
    ldPruning: options['prune-r2'] === undefined ? undefined : { ...USUAL_WINDOWS, r2: options['prune-r2'] },
  };
  return Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined && value !== false));
}

/** Unknown names are problems of the list that has them. */
async function explained<Result>(options: Options, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UnknownNames) throw new InputError(error.problems, options[error.list] ?? '');
    throw error;
  }
}

async function said<Panel>(
  panel: Panel,
  leftOut: LeftOutResult | null,
  options: Options,
  io: CommandIo,
): Promise<LeftOutOfCommand<Panel>> {
  const file = options['left-out'];
  if (file !== undefined) await writeOutput(file, leftOutCsv(leftOut?.report.rules ?? []));
  if (leftOut === null) return { panel, summary: {}, lines: [], report: undefined };
  io.report(leftOut.warnings, options['leave-out-samples'] ?? options['only-samples'] ?? '');
  const { report } = leftOut;
  return {
    panel,
    summary: { left_out: { ...report, rules: report.rules.map(({ names: _, ...rule }) => rule) } },
    lines: [leftOutSentence(report)],
    report,
  };
}
