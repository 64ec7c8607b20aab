import { type ClumpingRule, clumpsCsv, createHitGatherer } from '@heterosis/analysis/gwas/clump-hits';
import { type NamedSearch, nameMarkersOf, stepwiseCsv } from '@heterosis/analysis/gwas/describe-stepwise';
import { estimateGeneActionScan } from '@heterosis/analysis/gwas/gene-actions/scan-gene-actions';
import type { GwasState } from '@heterosis/analysis/gwas/gwas-state';
import { streamGwasCsv } from '@heterosis/analysis/gwas/gwas-table';
import { estimateGwas, prepareGwas } from '@heterosis/analysis/gwas/prepare-gwas';
import {
  countEffectiveTests,
  type EffectiveTests,
  type GwasSummary,
  type SummarizedTests,
  summaryOf,
} from '@heterosis/analysis/gwas/summarize-gwas';
import { CLUMPING_OPTIONS } from '@heterosis/contracts/options/clumping';
import { brokenRules, inputsOf } from '@heterosis/contracts/options/define-options';
import { GWAS_OPTIONS } from '@heterosis/contracts/options/gwas';
import { CSV } from '@heterosis/contracts/options/inputs';
import { flagsOf, optionsOfFlags } from '@heterosis/contracts/options/option-flags';
import { type Command, type CommandResult, defineCommand, inputError, type ReportedProblem } from '../command.ts';
import { covariateLines, fixedEffectWarnings } from '../gwas/covariate-words.ts';
import { chosenActions, testGeneActions } from '../gwas/gene-actions.ts';
import { refuseBesideTraits, severalTraitsTest, testSeveralTraits } from '../gwas/several-traits.ts';
import { limitYoungSpace } from '../limit-young-space.ts';
import { readCovariatesOption } from '../options/covariate-options.ts';
import { GENOTYPE_OPTION, type OpenedBlocks } from '../options/genotype-option.ts';
import { LEAVE_OUT_DESCRIPTION, LEAVE_OUT_OPTIONS } from '../options/leaving-out-options.ts';
import { withMappedBlocks } from '../options/map-options.ts';
import {
  ENGINE_FLAGS,
  engineOf,
  estimateOf,
  estimateResult,
  readKinshipOption,
  refuseTogether,
  TRAITS_OPTION,
} from '../options/model-options.ts';
import { PHENOTYPE_OR_MEANS_OPTIONS, readTraitSource } from '../options/trait-source.ts';
import { writeOutput } from '../write-output.ts';

type AssociationTest = GwasState['test'];

const TESTS: readonly AssociationTest[] = ['SCORE', 'WALD', 'LRT'];
const EVERY_TEST = 'ALL';

export const gwasCommand: Command = defineCommand({
  name: 'gwas',
  summary: 'test every marker for association by an exact mixed model',
  description: [
    'Tests each marker in y = Xb + gβ + u + e, where u has the standardized kinship as covariance. Individuals without genotype or value are dropped first; allele frequencies, call rates and the kinship are computed among the others.',
    'LRT compares maximum likelihoods without and with the marker; WALD is (β/sd)² with variances estimated by REML with each marker; SCORE uses the variances of the model without marker. All three are compared with χ² of one degree of freedom. LRT and WALD search 0 ≤ h² ≤ 0.99 again for every marker; nothing is approximated.',
    'With --means, or --standard-errors, the errors of the values are known up to their size: R = Ω in place of the identity. Traits, fixed effects, markers and kinship are divided by R^½, and the tests are as ever; h2 is then σ²g/(σ²g + σ²e), σ²e the variance of the error of an average value. With --residual-lines R = Ω + σ²I, with the variance of lines of the model without marker.',
    'Missing calls count as the mean of their marker. A covariate that is constant, or a combination of the intercept, the principal components and the covariates before it, is left out and named.',
    'A covariate of words (origin, sex) or of the design (location, year, block) puts individuals into groups: each group but the first, the reference, has its own effect. Which group is the reference changes no test of a marker. A group of one individual is named: that individual then says nothing about markers. Numbers that are codes (1, 2, 3) count as groups with NAME:factor, or when the header ends in _#CAT. With groups by the dozen prefer WALD: the χ² of LRT takes no account of the fixed effects and becomes too large.',
    'With --gene-action each marker is tested under models of how dosages of polyploids act (Rosyara and others 2016): F of Wald with K = CCᵀ over its mean diagonal, C the centred dosages of all markers, missing ones the mode. Two tests stand in each row: with variances estimated by REML with the marker (exact), and, in the columns p3d_…, with those of the model without marker, as GWASpoly does. A marker is tested where at least five individuals are not in its largest class.',
    'With --multi-trait each marker is tested on two to six traits at once, y_t = Xb_t + gβ_t + u_t + e_t, u ~ N(0, G ⊗ K), e ~ N(0, R ⊗ I), with G and R of the model without marker by REML (P3D). any: χ² of as many degrees of freedom as traits, no effect on any of them. specific: χ² of one degree less, the same effect on all of them, in their units: for one trait in several environments, whose columns are the traits. Individuals may lack some of the traits. With known errors, R ⊗ D as in train --multi-trait.',
    LEAVE_OUT_DESCRIPTION,
  ],
  options: {
    genotype: GENOTYPE_OPTION,
    ...PHENOTYPE_OR_MEANS_OPTIONS,
    trait: TRAITS_OPTION,
    ...flagsOf(GWAS_OPTIONS),
    clumps: {
      kind: 'text',
      path: 'write',
      placeholder: 'FILE',
      help: 'Put the hits of the first test together by LD, as plink --clump does, and write the clumps to this CSV file.',
    },
    ...flagsOf(CLUMPING_OPTIONS),
    ...LEAVE_OUT_OPTIONS,
    ...ENGINE_FLAGS,
    ...flagsOf({ out: CSV }),
  },
  output: [
    'CSV with one row per marker tested: chr, pos, id, A1, A2, freqA2, n (individuals), then score for SCORE, beta and sd for WALD, LRT for LRT, then h2 (σ²g/(σ²g + σ²e) with the marker; for SCORE without; with --loco σ²g is that of the kinship without its chromosome), p, neg_log10_p.',
    'Then, for every test: effect and effect_se (of one copy of A2, at the variances of the test), q (false discovery rate, Benjamini and Hochberg), pve (share of the phenotypic variance explained, effect²/(effect² + n·effect_se²)), at_bound (1 where h2 ended at 0 or 0.99).',
    'With --dominance: dom_effect, dom_se, dom_p, how far the heterozygote lies above the middle of the homozygotes. They are empty where a marker has no heterozygotes or only two genotypes.',
    'With several tests: their columns one test after another, in the order SCORE, WALD, LRT, and those that all of them have end in _score, _wald or _lrt.',
    'With --gene-action a row per marker and gene action: chr, pos, id, A1, A2, freqA2, n, gene_action, df, df2 (degrees of freedom of F), effect, effect_se (where there is one), F, h2, p, neg_log10_p with variances estimated with the marker, then the same at the variances without marker as p3d_effect, p3d_effect_se, p3d_F, p3d_h2, p3d_p, p3d_neg_log10_p.',
    'With --multi-trait: chr, pos, id, A1, A2, freqA2, n, then chi2, df, p, neg_log10_p, q of the test, with specific main_effect, main_se, main_p of one effect for all traits, then for each trait T effect_T, effect_se_T, p_T (beside the effects on the other traits), and with specific specific_T, specific_se_T, specific_p_T, how far the effect on it is from that of all. Cells of a trait are empty where the marker says nothing about it. The summary has multi_trait as that of train.',
    'The file of --stepwise-out has a row for each marker of each model: model, direction, chosen, mbic, ebic, log_likelihood, h2 (beside its markers), pve_together (share of the phenotypic variance that its markers explain), then id, chr, pos, effect, effect_se, p and pve of the marker beside the others.',
    'The file of --clumps has a row for each clump, the strongest first: id, chr, pos and p of its first marker, others (how many), first_pos, last_pos and members (names of the others).',
    'The summary gives h2 without marker and kinship_pve (the share of the phenotypic variance that the kinship explains) with standard errors (with --loco those of all chromosomes, and without standard errors those of the null model of each in null_models), the genomic inflation λ, the Bonferroni threshold, the p-value at a false discovery rate of 5 %, and the number of markers at a bound.',
  ],
  examples: [
    'heterosis gwas --genotype maize.vcf.gz --phenotype traits.csv --trait EarHT --out gwas.csv',
    'heterosis gwas --genotype maize --phenotype traits.csv --trait dpoll --test WALD --fixed 3 --out gwas.csv --json',
    'heterosis gwas --genotype maize --phenotype traits.csv --trait dpoll --test ALL --out gwas.csv',
    'heterosis gwas --genotype maize --phenotype traits.csv --trait EarHT --covariates dpoll,family:factor --out gwas.csv',
    'heterosis gwas --genotype potato.vcf.gz --phenotype tubers.csv --trait shape --gene-action additive,1-dom,general --out gwas.csv',
    'heterosis gwas --genotype maize --phenotype traits.csv --trait EarHT,dpoll --multi-trait any --out together.csv',
    'heterosis gwas --genotype maize --phenotype yields.csv --trait E1,E2,E3 --multi-trait specific --out gxe.csv',
    'heterosis gwas --genotype maize --phenotype traits.csv --trait EarHT --condition-on PZA03591.1 --out given.csv',
    'heterosis gwas --genotype maize --phenotype traits.csv --trait EarHT --permutations 1000 --stepwise 10 --stepwise-out models.csv --clumps clumps.csv --out gwas.csv',
  ],
  takesPolyploids: true,
  usesMatrixProducts: true,
  async run(options, io) {
    // Fail on a wrong option before a large genotype is read.
    const tests = chosenTests(options.test);
    const actions = chosenActions(options['gene-action'] ?? []);
    const asked = optionsOfFlags(GWAS_OPTIONS, options);
    refuseTogether(GWAS_OPTIONS, asked);
    const { 'kinship-file': kinshipFile, 'stepwise-out': stepwiseOut } = options;
    const multiTrait = severalTraitsTest(options['multi-trait']);
    if (multiTrait === undefined) requireOneTrait(options.trait);
    else refuseBesideTraits(options, asked);
    const source = await readTraitSource(options, io);
    const { phenotype, traits, path } = source;
    const covariates = readCovariatesOption(options.covariates ?? [], phenotype, traits, { path, io });
    if (actions.length > 0) requireAloneWithActions(options, asked);
    return withMappedBlocks(options, io, async (panel, excluded) => {
      if (actions.length > 0) {
        const [trait = ''] = traits;
        const { maf = 0, 'call-rate': callRate = 0, fixed, loco: leaveOneChromosomeOut } = options;
        const wanted = { panel, phenotype, trait, covariates, fixed, actions, maf, callRate, leaveOneChromosomeOut };
        if (options.estimate) return estimateOf(await estimateGeneActionScan(wanted, io.context));
        return withLeftOut(await testGeneActions(wanted, options.out, io), excluded);
      }
      const [first = 'LRT'] = tests;
      const kinship = kinshipFile === undefined ? undefined : await readKinshipOption(kinshipFile, panel.samples, io);
      const input = {
        ...inputsOf(GWAS_OPTIONS, asked),
        ...engineOf(options),
        ...source.errors,
        ...{ panel, phenotype, traits, covariates, test: first, tests },
        ...(kinship === undefined ? {} : { kinship }),
      };
      if (multiTrait !== undefined) {
        return withLeftOut(await testSeveralTraits(input, multiTrait, { ...options, path }, io), {
          ...excluded,
          lines: [...excluded.lines, ...source.lines],
        });
      }
      if (options.estimate) return estimateResult(await estimateGwas(input, io.context));
      const { states, errors } = await prepareGwas(input, io.context);
      for (const { error } of errors) throw inputError(error.code, error.message, error.action);
      const [state] = states;
      if (state === undefined) throw new TypeError('the analysis gave no result');
      limitYoungSpace();
      const hits = options.clumps === undefined ? undefined : createHitGatherer(clumpingRule(options));
      let columns: SummarizedTests[] = [];
      await writeOutput(
        options.out,
        (async function* () {
          columns = yield* streamGwasCsv(state, tests, panel, io.context, hits?.add);
        })(),
      );
      const clumps = await hits?.finish(panel, state.individuals, io.context);
      if (clumps !== undefined && options.clumps !== undefined) await writeOutput(options.clumps, clumpsCsv(clumps));
      const effective = options['effective-tests'] ? await countEffectiveTests(state, panel, io.context) : null;
      const found = state.stepwise?.[0];
      const search = found === undefined ? null : await nameMarkersOf(found, panel);
      if (search !== null && stepwiseOut !== undefined) await writeOutput(stepwiseOut, stepwiseCsv(search));
      const [trait = ''] = state.traits;
      const summaries = columns.map((ofTest) => ({ test: ofTest.test, ...summaryOf(ofTest, state, effective) }));
      const figures = await Promise.all(
        summaries.map(async (summary) => figuresOf(summary, await nameOf(panel, summary.top))),
      );
      const model = state.model.traits[0];
      const { covariates: uses = [], conditionedOn = [], withoutCovariate = 0 } = summaries[0] ?? {};
      const leftOut = uses.filter(({ use }) => use !== 'used');
      const unusedMarkers = conditionedOn.filter(({ use }) => use !== 'used');
      const warnings = fixedEffectWarnings(uses, conditionedOn);
      io.report(warnings.ofFile, path);
      io.report([...warnings.ofMarkers, ...unplacedWarnings(state)], options.genotype);
      return {
        summary: {
          trait,
          test: tests.join(','),
          fixed: state.fixed,
          engine: state.engine.name,
          engine_reason: state.engine.reason,
          loco: state.chromosomesLeftOut !== null,
          ...(state.errors === null ? {} : { errors: state.errors.from, residual_lines: state.errors.residualLines }),
          ...(kinshipFile === undefined
            ? { kinship: 'standardized', kinship_precision: options['kinship-precision'] }
            : {
                kinship: kinshipFile,
                without_kinship: state.ownKinship?.without[0] ?? 0,
                added_to_diagonal: state.ownKinship?.addedToDiagonal ?? 0,
              }),
          covariates: uses.filter(({ use }) => use === 'used').map(({ name }) => name),
          covariates_left_out: leftOut.map(({ name }) => name),
          covariate_groups: uses.flatMap(({ name, groups }) => (groups === undefined ? [] : [{ name, ...groups }])),
          without_covariate: withoutCovariate,
          ...(conditionedOn.length === 0
            ? {}
            : {
                conditioned_on: conditionedOn.filter(({ use }) => use === 'used').map(({ name }) => name),
                conditioned_on_left_out: unusedMarkers.map(({ name }) => name),
              }),
          n: state.model.n,
          m: summaries[0]?.m ?? 0,
          ...excluded.summary,
          markers_read: state.markersRead,
          variance_null:
            model === undefined
              ? null
              : { h2: model.scoreH2, total: model.scoreVariance, log_likelihood: model.remlLogLikelihood },
          effective_tests: effective?.tests ?? null,
          effective_tests_block: effective?.blockMarkers ?? null,
          ...(tests.length === 1 ? figures[0] : { tests: figures }),
          ...(search === null ? {} : { stepwise: search.models[search.chosen] }),
          ...(clumps === undefined ? {} : { clumps: clumps.length }),
          out: options.out,
        },
        lines: [
          ...excluded.lines,
          ...source.lines,
          `${trait}: n = ${state.model.n}, ${summaries[0]?.m ?? 0} of ${state.markersRead} markers, ${tests.join(', ')}, ${state.fixed} principal components${state.chromosomesLeftOut === null ? '' : ', each chromosome left out in turn'}`,
          `computed from the ${state.engine.name}: ${state.engine.reason}`,
          ...covariateLines(uses, withoutCovariate),
          ...(conditionedOn.length === 0 ? [] : [`given: ${conditionedOn.map(({ name }) => name).join(', ')}`]),
          ...figures.map(
            ({ test, lambda, h2_null, h2_null_se, kinship_pve, kinship_pve_se, hits, at_bound, bonferroni, top }) =>
              `${tests.length === 1 ? '' : `${test}: `}λ = ${lambda.toFixed(3)}, h² without marker${state.chromosomesLeftOut === null ? '' : ' (of all chromosomes)'} ${withError(h2_null, h2_null_se)}, kinship explains ${withError(kinship_pve, kinship_pve_se)} of the variance; h² at a bound for ${at_bound} ${at_bound === 1 ? 'marker' : 'markers'}; ${hits} ${hits === 1 ? 'marker' : 'markers'} beyond Bonferroni (p ≤ ${bonferroni.toExponential(2)})${top === null ? '' : `, first ${top}`}`,
          ),
          ...summaries.flatMap((summary) => leftOutLine(summary, tests.length > 1)),
          ...figures.flatMap(permutationLine),
          ...(effective === null ? [] : [effectiveLine(effective)]),
          ...(search === null ? [] : stepwiseLines(search)),
          ...(clumps === undefined
            ? []
            : [`${clumps.length} ${clumps.length === 1 ? 'clump' : 'clumps'} of hits in LD: ${options.clumps}`]),
          `written: ${options.out}`,
        ],
      };
    });
  },
});

function withError(value: number, error: number | null): string {
  return error === null ? value.toFixed(3) : `${value.toFixed(3)} ± ${error.toFixed(3)}`;
}

function clumpingRule(options: {
  'clump-p1': number;
  'clump-p2': number;
  'clump-r2': number;
  'clump-kb': number;
}): ClumpingRule {
  return {
    p1: options['clump-p1'],
    p2: options['clump-p2'],
    r2: options['clump-r2'],
    bp: 1000 * options['clump-kb'],
  };
}

/** h² of the null models of the chromosomes, from the smallest to the largest. */
function leftOutLine(
  { test, chromosomesLeftOut }: GwasSummary & { test: AssociationTest },
  isOneOfSeveral: boolean,
): string[] {
  const placed = (chromosomesLeftOut ?? []).filter(({ chromosome }) => chromosome !== null);
  const [least, most] = [Math.min, Math.max].map((of) => of(...placed.map(({ h2 }) => h2)).toFixed(3));
  const line = `h² without marker and its chromosome from ${least} to ${most} in ${placed.length} null models`;
  return placed.length === 0 ? [] : [isOneOfSeveral ? `${test}: ${line}` : line];
}

function unplacedWarnings({ chromosomesLeftOut, traits }: GwasState): ReportedProblem[] {
  const unplaced = chromosomesLeftOut?.find(({ chromosome }) => chromosome === null);
  return unplaced === undefined || traits.length === 0
    ? []
    : [
        {
          severity: 'warning',
          code: 'W-GWAS-UNPLACED',
          line: null,
          column: null,
          value: String(unplaced.markers),
          message: `${unplaced.markers} ${unplaced.markers === 1 ? 'marker has' : 'markers have'} no chromosome: with --loco they are tested with the kinship of all markers, and left out of that of every chromosome, as they may lie on any.`,
          suggestion: 'Place them with --map, or leave them out with --leave-out-markers.',
        },
      ];
}

function permutationLine({
  test,
  permutations,
}: Pick<ReturnType<typeof figuresOf>, 'test' | 'permutations'>): string[] {
  if (permutations === null) return [];
  const { count, seed, p, hits } = permutations;
  return [
    `${test}: ${hits} ${hits === 1 ? 'marker' : 'markers'} beyond the threshold of ${count} permutations (p ≤ ${p.toExponential(2)}, seed ${seed})`,
  ];
}

function stepwiseLines({ models, chosen }: NamedSearch): string[] {
  const { markers, mbic, h2, pve } = models[chosen] ?? { markers: [], mbic: 0, h2: 0, pve: 0 };
  const head = `stepwise: ${markers.length} ${markers.length === 1 ? 'marker' : 'markers'} by mBIC (${mbic.toFixed(2)}), which explain ${percent(pve)} of the variance; h² beside them ${h2.toFixed(3)}`;
  return [
    head,
    ...markers.map(
      ({ id, chr, pos, effect, effect_se, p, pve: own }) =>
        `  ${id} (${chr}:${pos}): ${effect.toPrecision(4)} ± ${effect_se.toPrecision(3)}, p = ${p.toExponential(2)}, ${percent(own)} of the variance`,
    ),
  ];
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

function effectiveLine({ tests, blockMarkers }: EffectiveTests): string {
  const cut =
    blockMarkers === null ? '' : `, counted in blocks of ${blockMarkers} markers, which makes them more than they are`;
  return `${tests.toFixed(0)} independent tests (Li and Ji): p ≤ ${(0.05 / tests).toExponential(2)} for 5 % over all${cut}`;
}

function requireOneTrait(traits: readonly string[]): void {
  if (traits.length === 1) return;
  throw inputError(
    'E-CLI-VALUE',
    `--trait names ${traits.length} traits, and without --multi-trait one is tested.`,
    'Name one; a name that holds a comma stands in double quotes. To test markers on all of them, add --multi-trait any.',
  );
}

/** What the tests of gene actions do not take. */
function requireAloneWithActions(
  options: {
    means?: string | undefined;
    'standard-errors'?: string[] | undefined;
    clumps?: string | undefined;
  },
  asked: Readonly<Record<string, unknown>>,
): void {
  const [broken] = brokenRules(GWAS_OPTIONS, 'gene_action', asked);
  if (broken !== undefined) throw inputError('E-CLI-OPTION', broken[1].message, broken[1].action);
  const given = (['means', 'standard-errors', 'clumps'] as const).find((name) => options[name] !== undefined);
  if (given === undefined) return;
  throw inputError('E-CLI-OPTION', `--gene-action does not go with --${given}.`, 'Give one of them.');
}

function withLeftOut(
  result: CommandResult,
  { summary, lines }: { summary: Record<string, unknown>; lines: readonly string[] },
): CommandResult {
  return { summary: { ...result.summary, ...summary }, lines: [...lines, ...result.lines] };
}

/** The tests of `--test`, without duplicates and in the order of the table. */
function chosenTests(asked: readonly string[]): AssociationTest[] {
  const names = asked.map((name) => name.toUpperCase());
  for (const [i, name] of names.entries()) {
    if (name !== EVERY_TEST && !TESTS.some((test) => test === name)) {
      throw inputError(
        'E-CLI-VALUE',
        `--test cannot be "${asked[i] ?? ''}".`,
        `Choose ${TESTS.join(', ')}, several of them separated by commas, or ${EVERY_TEST}.`,
      );
    }
  }
  return TESTS.filter((test) => names.includes(test) || names.includes(EVERY_TEST));
}

async function nameOf(panel: OpenedBlocks['panel'], place: number | null): Promise<string | null> {
  return place === null ? null : ((await panel.readMarkers(place, 1)).id[0] ?? null);
}

function figuresOf(summary: GwasSummary & { test: AssociationTest }, top: string | null) {
  return {
    test: summary.test,
    lambda: summary.lambda,
    h2_null: summary.h2,
    h2_null_se: summary.h2Se,
    kinship_pve: summary.kinshipPve,
    kinship_pve_se: summary.kinshipPveSe,
    ...(summary.chromosomesLeftOut === null
      ? {}
      : {
          null_models: summary.chromosomesLeftOut.map(({ chromosome, markers, h2, kinshipPve }) => ({
            ...{ chromosome, markers, h2, kinship_pve: kinshipPve },
          })),
        }),
    bonferroni: summary.bonferroni,
    fdr: summary.fdr,
    fdr_hits: summary.fdrHits,
    hits: summary.hits,
    permutations: summary.permutations,
    at_bound: summary.atBound,
    top,
  };
}
