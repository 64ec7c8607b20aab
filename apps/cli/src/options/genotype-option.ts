import { type OpenedGenotype, openGenotype, openGenotypeBlocks } from '@heterosis/analysis/inputs/open-genotype';
import { GENOTYPE_OPTION as TABLE } from '@heterosis/contracts/options/inputs';
import { flagsOf } from '@heterosis/contracts/options/option-flags';
import type { CommandIo } from '../command.ts';

/** `--genotype` of the commands that analyse individuals. */
export const GENOTYPE_OPTION = flagsOf(TABLE).genotype;

/** This finding concerns crosses only, which check the phase of their own parents. */
const UNPHASED = 'W-GT-UNPHASED';

/** Opens the genotype for `use` and closes it afterwards; prints warnings about the file to standard error. */
export async function withGenotype<T>(
  path: string,
  io: CommandIo,
  use: (panel: OpenedGenotype['panel']) => Promise<T>,
): Promise<T> {
  return useOpened(await openGenotype(path, io.context), path, io, use);
}

/** Like {@link withGenotype}, for commands that also read markers by blocks. */
export async function withGenotypeBlocks<T>(
  path: string,
  io: CommandIo,
  use: (panel: OpenedBlocks['panel']) => Promise<T>,
): Promise<T> {
  return useOpened(await openGenotypeBlocks(path, io.context), path, io, use);
}

/** The panel of an opened genotype. */
export type OpenedPanel = OpenedGenotype['panel'];

/** A genotype opened for block-wise reading. */
export type OpenedBlocks = Awaited<ReturnType<typeof openGenotypeBlocks>>;

async function useOpened<Panel, T>(
  opened: OpenedGenotype<Panel>,
  path: string,
  io: CommandIo,
  use: (panel: Panel) => Promise<T>,
): Promise<T> {
  try {
    io.report(
      opened.problems.filter(({ severity, code }) => severity === 'warning' && code !== UNPHASED),
      path,
    );
    return await use(opened.panel);
  } finally {
    await opened.close();
  }
}
