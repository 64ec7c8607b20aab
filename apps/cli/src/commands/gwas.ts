import { gwasCsv, runGwas } from '@heterosis/analysis/finish-gwas';
import { type Command, defineCommand, inputError } from '../command.ts';
import { GENOTYPE_OPTION, withGenotype } from '../genotype-option.ts';
import { MARKER_OPTIONS, PHENOTYPE_OPTION, readPhenotypeOption } from '../model-options.ts';
import { writeOutput } from '../write-output.ts';

const TESTS = ['LRT', 'WALD', 'SCORE'] as const;

export const gwasCommand: Command = defineCommand({
  name: 'gwas',
  summary: 'test every marker for association by an exact mixed model',
  description: [
    'Tests each marker in y = Xb + gβ + u + e, u with the standardized kinship as covariance. Individuals without genotype or value are dropped first; allele frequencies, call rates and kinship are those of the others.',
    'LRT compares maximum likelihoods without and with the marker; WALD is (β/sd)² with variances estimated by REML with each marker; SCORE uses the variances of the model without marker. All three are compared with χ² of one degree of freedom. LRT and WALD search 0 ≤ h² ≤ 0.99 anew for every marker; nothing is approximated.',
    'Missing calls count as the mean of their marker.',
  ],
  options: {
    genotype: GENOTYPE_OPTION,
    phenotype: PHENOTYPE_OPTION,
    trait: { kind: 'text', placeholder: 'T', required: true, help: 'A trait of the phenotype file.' },
    test: { kind: 'choice', choices: TESTS, fallback: 'LRT', help: 'Which test.' },
    fixed: {
      kind: 'integer',
      min: 0,
      max: 100,
      fallback: '0',
      help: 'Principal components of the kinship as fixed effects.',
    },
    ...MARKER_OPTIONS,
    'effective-tests': {
      kind: 'flag',
      help: 'Count the independent tests among the markers too (Li and Ji); takes a second pass.',
    },
    out: { kind: 'text', placeholder: 'FILE', required: true, help: 'The CSV file to write.' },
  },
  output: [
    'CSV with one row a marker tested: chr, pos, id, A1, A2, freqA2, n (individuals), then score for SCORE, beta and sd for WALD, LRT for LRT, then h2 (fitted with the marker), p, neg_log10_p. Effects are those of one copy of A2.',
    'The summary gives the genomic inflation λ, the Bonferroni threshold and the p-value at a false discovery rate of 5 %.',
  ],
  examples: [
    'heterosis gwas --genotype maize.vcf.gz --phenotype traits.csv --trait EarHT --out gwas.csv',
    'heterosis gwas --genotype maize --phenotype traits.csv --trait dpoll --test WALD --fixed 3 --out gwas.csv --json',
  ],
  usesMatrixProducts: true,
  async run(options, io) {
    const phenotype = await readPhenotypeOption(options.phenotype, io);
    return withGenotype(options.genotype, io, async (panel) => {
      const [run] = await runGwas(
        {
          panel,
          phenotype,
          traits: [options.trait],
          test: TESTS.find((test) => test === options.test) ?? 'LRT',
          fixed: options.fixed,
          maf: options.maf,
          callRate: options['call-rate'],
          countEffective: options['effective-tests'],
        },
        io.context,
      );
      if (run === undefined) throw new TypeError('the analysis gave no result');
      if (run.result === null)
        throw inputError(run.error?.code ?? '', run.error?.message ?? '', run.error?.action ?? null);
      const { columns, summary, state } = run.result;
      io.context.onProgress?.({ stage: 'write', done: 0, total: 1 });
      await writeOutput(options.out, gwasCsv(columns, panel.markers));
      const top = summary.top === null ? null : panel.markers.id[summary.top];
      const model = state.model.traits[0];
      return {
        summary: {
          trait: run.trait,
          test: state.test,
          fixed: state.fixed,
          n: summary.n,
          m: summary.m,
          markers_read: state.markersRead,
          lambda: summary.lambda,
          h2_null: summary.h2,
          variance_null:
            model === undefined
              ? null
              : { h2: model.scoreH2, total: model.scoreVariance, log_likelihood: model.remlLogLikelihood },
          bonferroni: summary.bonferroni,
          fdr: summary.fdr,
          effective_tests: summary.effectiveTests,
          hits: summary.hits,
          top,
          out: options.out,
        },
        lines: [
          `${run.trait}: n = ${summary.n}, ${summary.m} of ${state.markersRead} markers, ${state.test}, ${state.fixed} principal components`,
          `λ = ${summary.lambda.toFixed(3)}, h² without marker ${summary.h2.toFixed(3)}; ${summary.hits} markers beyond Bonferroni (p ≤ ${summary.bonferroni.toExponential(2)})${top === null ? '' : `, first ${top}`}`,
          `written: ${options.out}`,
        ],
      };
    });
  },
});
