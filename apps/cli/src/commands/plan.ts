import { type PlanInput, type PlanResult, planCrosses, weightsPerDeviation } from '@heterosis/analysis/planning/plan';
import { candidatesCsv, curveCsv, plannedCrossesCsv, rankedPairsCsv } from '@heterosis/analysis/planning/plan-csv';
import { PLAN_OPTIONS, PLAN_OUTPUTS } from '@heterosis/contracts/options/crossing';
import { EFFECT_OPTIONS, OUT } from '@heterosis/contracts/options/inputs';
import { flagsOf, optionsOfFlags } from '@heterosis/contracts/options/option-flags';
import { type Command, defineCommand, inputError } from '../command.ts';
import { knownTraits } from '../crossing-inputs.ts';
import { MAP_FLAGS } from '../options/map-options.ts';
import { PEDIGREE_COLUMNS_OPTION } from '../options/model-options.ts';
import { openPlanSource } from '../plan-source.ts';
import { writeOutput } from '../write-output.ts';

export const planCommand: Command = defineCommand({
  name: 'plan',
  summary: 'choose crosses: gain against coancestry, optimal contributions and mates',
  description: [
    'Chooses which candidates to cross, how often, and with whom, from marker effects and the genotypes of the candidates. The parents have the largest mean value under a cap on their group coancestry (optimal contribution selection), in whole numbers of crosses; they are paired for the largest spread within crosses or for the least inbred progeny. Optimal contributions and the curve are exact; for whole numbers and pairs the largest value that no other plan can exceed is printed.',
    'The value is a breeding value or, with several traits, an index: base (the weights themselves), smith_hazel (weights that gain most, given the accuracies), desired_gains (gains in the proportion of the weights) or restricted (most gain while the traits of --keep do not change). Weights are positive for the wanted direction; --low-traits names the traits in which low values are wanted.',
    'Candidates without markers need a single-step model (train --pedigree) and --pedigree: what segregates within their crosses is not known, and they are paired for the least inbred progeny.',
    'Of plants of 4, 6 or 8 copies of each chromosome coancestries are of single genes, by markers or by pedigree (--double-reduction, --founders); the progeny are F1s (--population F1 with a VCF of the homologs in order, or none), and the column inbreeding has the coancestry of the parents.',
    'Without --cap the plan is where gain and diversity have given up the same share of what the curve offers.',
  ],
  options: {
    ...flagsOf(EFFECT_OPTIONS),
    genotype: {
      kind: 'text',
      path: 'genotype',
      placeholder: 'FILE',
      help: 'Genotypes of the candidates: phased VCF, or any format for inbred candidates. With --population none phase does not matter. Required without --pedigree.',
    },
    pedigree: {
      kind: 'text',
      path: 'read',
      placeholder: 'P',
      help: 'Take coancestries from this pedigree (as for heterosis pedigree) in place of the markers. Without --genotype, candidates are individuals of the --model, and breeding values are its GEBVs.',
    },
    'pedigree-columns': PEDIGREE_COLUMNS_OPTION,
    map: { ...MAP_FLAGS.map, help: 'The linkage map. Without it a cM is a million base pairs.' },
    'map-unit': MAP_FLAGS['map-unit'],
    traits: { kind: 'list', placeholder: 'T,T', help: 'Traits of the index. Default: all.' },
    ...flagsOf(PLAN_OPTIONS),
    ...flagsOf({ out: { ...OUT, about: 'The crosses as CSV: a crossing table with their figures.' } }),
    ...flagsOf(PLAN_OUTPUTS),
  },
  output: [
    'CSV with parent1, parent2, name, index (mean of the progeny), sd (of the progeny), usefulness (index + i·accuracy·sd), inbreeding (of the progeny), and mean_T for each trait T.',
  ],
  takesPolyploids: true,
  usesMatrixProducts: true,
  examples: [
    'heterosis plan --model model.json --genotype lines.vcf --crosses 30 --max-uses 3 --out crosses.csv --curve-out curve.csv',
    'heterosis plan --model model.json --pedigree pedigree.csv --candidates names.txt --crosses 10 --out crosses.csv',
    'heterosis plan --model model.json --genotype lines.vcf --traits yield,height --index desired_gains --weights 1,0.2 --low-traits height --cap 0.05 --out crosses.csv',
  ],
  async run(options, io) {
    const { index_method: method = 'base', mates = 'usefulness', founders } = optionsOfFlags(PLAN_OPTIONS, options);
    const source = await openPlanSource({ ...options, founders }, io);
    const names = source.traits.map(({ name }) => name);
    const lowTraits = knownTraits(source, 'low-traits', options['low-traits']);
    const kept = knownTraits(source, 'keep', options.keep);
    const weights = numbersOf('weights', options.weights, names.length);
    const accuracy = numbersOf('trait-accuracy', options['trait-accuracy'], names.length);
    if (accuracy?.some((one) => !(one > 0 && one <= 1)) === true)
      throw inputError('E-CLI-VALUE', '--trait-accuracy must be above 0, and at most 1.', 'Write for example 0.7,0.5.');
    const { tables, markers, required, forbidden } = await source.read();
    const request: PlanInput = {
      index: {
        method,
        weights: weights ?? weightsPerDeviation(tables),
        isLow: names.map((name) => lowTraits.includes(name)),
        isKept: names.map((name) => kept.includes(name)),
        accuracy: accuracy ?? names.map(() => 1),
      },
      candidates: null,
      crosses: options.crosses,
      mostUses: options['max-uses'],
      required,
      forbidden,
      allowMade: false,
      mates,
      cap: options.cap ?? null,
      fraction: options.select,
      accuracy: options.accuracy,
    };
    const result = planCrosses(tables, request);
    await writeOutput(options.out, plannedCrossesCsv(result));
    const more = [
      [options['candidates-out'], candidatesCsv],
      [options['pairs-out'], rankedPairsCsv],
      [options['curve-out'], curveCsv],
    ] as const;
    for (const [path, csv] of more) if (path !== undefined) await writeOutput(path, csv(result));
    const { plan, changes, gains } = result;
    const parents = plan.uses.reduce((count, use) => count + (use > 0 ? 1 : 0), 0);
    return {
      summary: {
        n: tables.candidates.length,
        m: markers,
        coancestry_from: options.pedigree === undefined ? 'markers' : 'pedigree',
        traits: names,
        index_information: tables.isTogether === true ? 'model' : 'accuracies',
        crosses: plan.crosses.length,
        parents,
        value: plan.value,
        value_bound: plan.valueBound,
        coancestry: plan.coancestry,
        cap: plan.cap,
        meets_cap: plan.aboveCap === null,
        above_cap_because: plan.aboveCap,
        changes: Object.fromEntries(names.map((name, t) => [name, changes[t]])),
        gains_per_intensity: Object.fromEntries(names.map((name, t) => [name, gains[t]])),
        out: options.out,
      },
      lines: [
        `${plan.crosses.length} crosses of ${parents} parents among ${tables.candidates.length} candidates`,
        `mean index of the parents ${shown(plan.value)}, no plan under the cap exceeds ${shown(plan.valueBound)}`,
        `group coancestry${options.pedigree === undefined ? '' : ' by pedigree'} ${shown(plan.coancestry)}, cap ${shown(plan.cap)}${plan.aboveCap === null ? '' : `: ${ABOVE_CAP[plan.aboveCap]}`}`,
        ...(plan.crosses.length < options.crosses
          ? [`${plan.crosses.length} crosses are all that was found with the required and without the forbidden pairs`]
          : []),
        ...names.map((name, t) => `${name}: parents ${shown(changes[t] ?? 0)} from the mean of the candidates`),
        ...(plan.isRepaired ? ['the best uses of the parents cannot be paired; others were taken'] : []),
        `written: ${[options.out, ...more.flatMap(([path]) => path ?? [])].join(', ')}`,
      ],
    };
  },
});

const ABOVE_CAP: Record<NonNullable<PlanResult['plan']['aboveCap']>, string> = {
  required: 'with the required crosses no plan under it was found; without them there is one',
  forbidden: 'without the forbidden crosses no plan under it was found; with them there is one',
  'required-and-forbidden': 'the required and the forbidden crosses together leave no plan that was found under it',
  'same-pairs': 'it can be met only by making the same cross more than once',
  cap: 'no plan of so many crosses was found under it',
};

const shown = (value: number): string => String(Number(value.toPrecision(5)));

function numbersOf(option: string, texts: readonly string[] | undefined, count: number): number[] | undefined {
  if (texts === undefined) return undefined;
  const numbers = texts.map(Number);
  if (numbers.length === count && numbers.every(Number.isFinite)) return numbers;
  throw inputError(
    'E-CLI-VALUE',
    `--${option} needs ${count} numbers, one for each trait.`,
    'Separate them by commas.',
  );
}
