import { openLinkageMap } from '@heterosis/analysis/crossing/read-crossing-files';
import { blocksOnMap } from '@heterosis/analysis/inputs/place-on-map';
import { flagsOf } from '@heterosis/contracts/options/option-flags';
import { MAP_OPTIONS } from '@heterosis/contracts/options/shared';
import type { CommandIo, OptionValues } from '../command.ts';
import { type OpenedBlocks, withGenotypeBlocks } from './genotype-option.ts';
import { type LEAVE_OUT_OPTIONS, type LeftOutOfCommand, leaveOutOfBlocksByOptions } from './leaving-out-options.ts';

type LinkageMap = Awaited<ReturnType<typeof openLinkageMap>>['value'];

/** `--map` and `--map-unit` of the commands with an optional linkage map. */
export const MAP_FLAGS = flagsOf(MAP_OPTIONS);

/** Opens a linkage map; prints warnings about the file to standard error. */
export async function readMap(path: string, unit: string | undefined, io: CommandIo): Promise<LinkageMap> {
  const { value, problems } = await openLinkageMap(path, unit === 'M' || unit === 'cM' ? unit : undefined, io.context);
  reportMap(problems, path, io);
  return value;
}

/** The linkage map of `--map`; undefined without it. */
export async function readMapOption(
  options: OptionValues<typeof MAP_FLAGS>,
  io: CommandIo,
): Promise<LinkageMap | undefined> {
  return options.map === undefined ? undefined : readMap(options.map, options['map-unit'], io);
}

/** Prints warnings and notes about a map; its other findings are irrelevant here. */
export function reportMap(problems: Parameters<CommandIo['report']>[0], path: string | undefined, io: CommandIo): void {
  io.report(
    problems.filter(({ severity, code }) => severity === 'warning' || code === 'I-LM-BP-MADE'),
    path ?? '',
  );
}

type MappedOptions = OptionValues<typeof MAP_FLAGS> & OptionValues<typeof LEAVE_OUT_OPTIONS> & { genotype: string };

/**
 * Like `withGenotypeBlocks`, without what the options leave out, and with markers placed by the linkage map if there
 * is one. With a map all markers are kept in memory, and `use` receives their positions in cM (NaN if unmapped).
 */
export async function withMappedBlocks<T>(
  options: MappedOptions,
  io: CommandIo,
  use: (
    panel: OpenedBlocks['panel'],
    leftOut: LeftOutOfCommand<OpenedBlocks['panel']>,
    positionCm?: Float64Array,
  ) => Promise<T>,
): Promise<T> {
  const map = await readMapOption(options, io);
  return withGenotypeBlocks(options.genotype, io, async (whole) => {
    const leftOut = await leaveOutOfBlocksByOptions(whole, options, io);
    if (map === undefined) return use(leftOut.panel, leftOut);
    const mapped = await blocksOnMap(leftOut.panel, map);
    reportMap(mapped.report.problems, options.map, io);
    return use(mapped.panel, leftOut, mapped.positionCm);
  });
}
