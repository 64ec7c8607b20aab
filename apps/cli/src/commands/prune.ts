import { type PruningRule, pruneMarkers } from '@heterosis/analysis/genotype/prune-markers';
import { PRUNE_OPTIONS } from '@heterosis/contracts/options/exclusions';
import { flagsOf } from '@heterosis/contracts/options/option-flags';
import { type Command, defineCommand, inputError } from '../command.ts';
import { type OpenedBlocks, withGenotypeBlocks } from '../options/genotype-option.ts';
import { LEAVE_OUT_DESCRIPTION, leaveOutOfBlocksByOptions } from '../options/leaving-out-options.ts';
import { writeOutput } from '../write-output.ts';

export const pruneCommand: Command = defineCommand({
  name: 'prune',
  summary: 'prune markers by linkage disequilibrium',
  description: [
    'Moves a window along each chromosome and, of every two markers in it with a larger r² than the limit, prunes the one with the smaller minor allele frequency. The lists are those of plink2 --indep-pairwise. Monomorphic markers are pruned too; those without a chromosome are kept.',
    'r² is the squared correlation of the calls of the individuals called at both markers; fractional dosages count as their nearest calls.',
    'The file of --pruned is a list for --leave-out-markers of train, evaluate, gwas and the other commands: with fewer markers than individuals they compute from the markers, where n × n does not fit.',
    LEAVE_OUT_DESCRIPTION,
  ],
  options: flagsOf(PRUNE_OPTIONS),
  output: ['A list of names in the order of the genotype, one a line.'],
  examples: [
    'heterosis prune --genotype maize --r2 0.2 --out kept.txt --pruned pruned.txt',
    'heterosis prune --genotype maize.vcf.gz --window-kb 250 --r2 0.95 --out kept.txt',
  ],
  async run(options, io) {
    const kilobases = options['window-kb'];
    const rule: PruningRule =
      kilobases === undefined
        ? { window: options.window, unit: 'markers', step: options.step, r2: options.r2 }
        : { window: 1000 * kilobases, unit: 'bp', step: 1, r2: options.r2 };
    if (options.pruned !== undefined && options.pruned === options.out) {
      throw inputError('E-CLI-OPTION', '--out and --pruned name the same file.', 'Give each a name of its own.');
    }
    return withGenotypeBlocks(options.genotype, io, async (whole) => {
      const leftOut = await leaveOutOfBlocksByOptions(whole, options, io);
      const { panel } = leftOut;
      const { kept, keptCount, unplaced } = await pruneMarkers(panel, rule, io.context);
      await writeOutput(options.out, namesWhere(panel, kept, 1));
      if (options.pruned !== undefined) await writeOutput(options.pruned, namesWhere(panel, kept, 0));
      const pruned = panel.markerCount - keptCount;
      return {
        summary: {
          n: panel.samples.length,
          m: panel.markerCount,
          kept: keptCount,
          pruned,
          unplaced,
          window: rule.window,
          window_unit: rule.unit,
          step: rule.step,
          r2: rule.r2,
          ...leftOut.summary,
          out: options.out,
        },
        lines: [
          ...leftOut.lines,
          `${keptCount} of ${panel.markerCount} markers kept, ${pruned} pruned (r² > ${rule.r2} within ${rule.unit === 'bp' ? `${rule.window / 1000} kb` : `${rule.window} markers`})`,
          ...(unplaced === 0 ? [] : [`${unplaced} markers without a chromosome were kept`]),
          `written: ${options.out}`,
        ],
      };
    });
  },
});

/** Markers whose names are read at once. */
const NAMES_AT_ONCE = 4096;

/** Names of the markers whose mark is `mark`, one a line. */
async function* namesWhere(panel: OpenedBlocks['panel'], marks: Uint8Array, mark: number): AsyncGenerator<string> {
  for (let first = 0; first < marks.length; first += NAMES_AT_ONCE) {
    const { id } = await panel.readMarkers(first, Math.min(NAMES_AT_ONCE, marks.length - first));
    yield id
      .filter((_, k) => marks[first + k] === mark)
      .map((name) => `${name}\n`)
      .join('');
  }
}
