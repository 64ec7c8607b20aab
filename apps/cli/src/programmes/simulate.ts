import { readFile } from 'node:fs/promises';
import { parseModelJson } from '@heterosis/analysis/prediction/model-file';
import { type ModelTruth, modelTruth } from '@heterosis/analysis/programmes/model-truth';
import { programmeCsv, replicatesCsv } from '@heterosis/analysis/programmes/programme-csv';
import { type ProgrammeMaterial, readProgrammeFiles } from '@heterosis/analysis/programmes/read-programme-files';
import { runProgramme } from '@heterosis/analysis/programmes/run-programme';
import { complaintsOf } from '@heterosis/contracts/options/define-options';
import { flagsOf, optionsOfFlags } from '@heterosis/contracts/options/option-flags';
import { PROGRAMME_OPTIONS, PROGRAMME_OUTPUTS } from '@heterosis/contracts/options/programmes';
import { traitArchitectures } from '@heterosis/contracts/work/programmes';
import { type ProgrammeScheme, parseScheme } from '@heterosis/contracts/work/programmes/programme-schemes';
import { type Command, type CommandIo, defineCommand, inputError } from '../command.ts';
import { withGenotype } from '../options/genotype-option.ts';
import { writeOutput } from '../write-output.ts';
import { optimise } from './optimise.ts';
import { readSettings, settingsError } from './read-settings.ts';

const TABLE = { ...PROGRAMME_OPTIONS, ...PROGRAMME_OUTPUTS };

export const simulateCommand: Command = defineCommand({
  name: 'simulate',
  summary: 'simulate a breeding programme over years: gain, variance, accuracy, diversity, cost',
  description: [
    'Assumptions: diploid meiosis without interference (Haldane) and without mutation; genetic values are sums of additive and dominance effects of the loci of --effects, without epistasis; phenotypes have independent normal errors whose variances stay the same all the time; line × environment deviations are new in every trial; there are no effects of years, places or trials. Results hold for these founders and these effects.',
    'A scheme is a JSON file: name, cycles, error (variances of environment and plot), costs, and the lists of stages start, cycle and end. Stages are done in their order; each makes populations from populations, or columns of numbers of a population. A mistake is told with its stage and field. The founders are the population "founders".',
    'Stages (do): take, cross (plan circular, random, all, paired, useful, optimal), backcross, self, dh, genotype, phenotype, testcross, combine, index, train, predict, score, select, recycle, measure, release. The help page "Breeding programmes" explains each field, and has the schemes of mass selection, DH lines with and without genomic selection, rapid cycles, hybrids of two pools and marker-assisted backcrosses, ready to be changed.',
    'With --architecture QTL are drawn among the loci that vary in the founders, with effects that give these the mean and the genetic variance of the file, anew in each replicate: results then hold for such traits, and not for one set of effects.',
    'With --model and --genotype-train the true effects are drawn in each replicate from the posterior of a trained model, given its variances; the traits independently of each other.',
    'Prediction is RR-BLUP with variances by REML from the records of the scheme, refitted at every training.',
    'With --optimise the numbers of the scheme that a JSON file names move between bounds under a budget: a Gaussian-process search simulates one allocation after the other on the same replicates, and --out has what each gains, how sure that is, whether it may be the best, and the front of gain against diversity. The help page explains its fields.',
    'Replicates are spread over --threads; the same seed gives the same bytes whatever their number.',
  ],
  options: flagsOf(TABLE),
  output: [
    'CSV with cycle, stage, quantity, mean, sd (over replicates), se (of the mean), replicates (in which the quantity exists: an accuracy does not where nothing varies).',
    'Quantities of a stage: mean_gv1 and var_gv1 (true values of trait 1, denominator n), the same of each trait, genic_hwe1 (Σ 2p(1 − p)a²), fav_fixed and fav_lost (QTL whose favourable allele is fixed or lost), he_neutral and ho_neutral (expected and observed heterozygosity at neutral loci), coancestry (1 − he_neutral / that of the founders), max_gv1, accuracy (criterion with true value), top1_gv1 and top4_gv1 (of selected ones by rank), and what the scheme reports. The stage "programme" has cost, total_cost and year at the end of each cycle.',
    'With --optimise, --out has a row for each allocation, the best first: its numbers by name, cost, replicates, gain and diversity with standard errors (posterior means of a surface through all allocations), difference to the best with its standard error, may_be_best (its 95 % interval holds zero), on_front, affordable (no: a step beyond the budget). --steps-out: number, from, to, cost, gain, gain_se, and gain_each, gain_each_se for each step of money.',
    '--replicates-out: replicate, cycle, stage, quantity, value. Two schemes with the same seed share founders, drawn effects and the errors of equal stages: their replicates are pairs, and differences within pairs vary less than the schemes do.',
  ],
  usesMatrixProducts: true,
  examples: [
    'heterosis simulate --scheme scheme.json --haplotypes founders.csv --map map.csv --effects effects.csv --replicates 200 --seed 1 --out cycles.csv',
    'heterosis simulate --scheme scheme.json --haplotypes founders.csv --map map.csv --effects effects.csv --optimise budget.json --out allocations.csv --steps-out steps.csv --scheme-out best.json',
    'heterosis simulate --scheme scheme.json --haplotypes founders.csv --map map.csv --model model.json --genotype-train panel.vcf.gz --out cycles.csv',
  ],
  async run(options, io) {
    const scheme = await readScheme(options.scheme);
    // Files of options that requests hold are no options by themselves, but others need or exclude them.
    const { architecture: guess, optimise: search } = options;
    const given = { ...optionsOfFlags(TABLE, options), architecture: guess, optimise: search };
    const [complaint] = complaintsOf(TABLE, given);
    if (complaint !== undefined) throw inputError('E-CLI-OPTION', complaint.message, complaint.action);
    if ([options.effects, options.model, options.architecture].every((one) => one === undefined)) {
      throw inputError(
        'E-CLI-MISSING',
        'simulate needs --effects, --model or --architecture.',
        'Run: heterosis simulate --help',
      );
    }
    const material = await readProgrammeFiles(options, io.context);
    const posterior = await truthOf(options, material, io);
    const architecture =
      options.architecture === undefined
        ? undefined
        : await readSettings(options.architecture, traitArchitectures, 'E-SM-ARCHITECTURE');
    const task = { material, scheme, seed: options.seed, truth: posterior ?? architecture };
    if (options.optimise !== undefined) return await optimise({ path: options.optimise, scheme, task }, options, io);
    const run = await runProgramme(task, options.replicates, io.context);
    await writeOutput(options.out, programmeCsv(run.rows));
    if (options['replicates-out'] !== undefined) await writeOutput(options['replicates-out'], replicatesCsv(run));
    return {
      summary: {
        scheme: scheme.name,
        cycles: scheme.cycles,
        replicates: options.replicates,
        founders: material.founderNames.length,
        loci: material.genome.loci.length,
        traits: architecture?.map(({ trait }) => trait) ?? (posterior ?? material).traits.map(({ name }) => name),
        ...(posterior === undefined ? {} : { placed_markers: posterior.placed, model_markers: posterior.place.length }),
        out: options.out,
      },
      lines: [
        `${scheme.name}: ${options.replicates} replicates of ${scheme.cycles} cycles, ${material.founderNames.length} founders, ${material.genome.loci.length} loci`,
        ...(posterior === undefined
          ? []
          : [
              `${posterior.placed} of ${posterior.place.length} markers of the model are loci of the map; the others count their mean`,
            ]),
        `written: ${options.out}`,
      ],
    };
  },
});

async function truthOf(
  { model, 'genotype-train': genotype }: { model: string | undefined; 'genotype-train': string | undefined },
  { genome }: ProgrammeMaterial,
  io: CommandIo,
): Promise<ModelTruth | undefined> {
  if (model === undefined || genotype === undefined) return undefined;
  const trained = parseModelJson(await readFile(model, 'utf8'));
  return await withGenotype(genotype, io, (panel) => modelTruth(trained, panel, genome, io.context));
}

/** @throws InputError E-SM-SCHEME, a record for each problem */
async function readScheme(path: string): Promise<ProgrammeScheme> {
  const parsed = parseScheme(await readFile(path, 'utf8'));
  if ('scheme' in parsed) return parsed.scheme;
  throw settingsError(path, 'E-SM-SCHEME', parsed.problems);
}
