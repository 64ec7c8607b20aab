import { type OpenedGenotype, openGenotype } from '@heterosis/analysis/open-genotype';
import type { CommandIo, OptionSpec } from './command.ts';

/** `--genotype` of the commands that analyse individuals. */
export const GENOTYPE_OPTION = {
  kind: 'text',
  placeholder: 'G',
  required: true,
  help: 'Genotypes: a PLINK .bed prefix, or a VCF, HapMap, zipped PLINK, numeric or letter matrix file, plain or gzipped.',
} as const satisfies OptionSpec;

/** Opens the genotype for `use` and closes it afterwards; warnings about the file go to standard error. */
export async function withGenotype<T>(
  path: string,
  io: CommandIo,
  use: (panel: OpenedGenotype['panel']) => Promise<T>,
): Promise<T> {
  const opened = await openGenotype(path, io.context);
  try {
    io.report(
      opened.problems.filter((problem) => problem.severity === 'warning'),
      path,
    );
    return await use(opened.panel);
  } finally {
    await opened.close();
  }
}
