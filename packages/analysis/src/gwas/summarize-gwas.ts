import type { PanelBlocks } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import { effectiveTests } from '@heterosis/statgen/association/linkage-disequilibrium';
import type { TestSummary } from '@heterosis/statgen/association/summarize-tests';
import type { AssociationTest } from '@heterosis/statgen/association/test-markers';
import { type AnalysisContext, reportProgress } from '../context.ts';
import { type CovariateSummary, summarizeCovariates } from '../inputs/covariates.ts';
import { markerRanges } from '../inputs/open-panel.ts';
import { panelSelection } from '../inputs/panel-kinship.ts';
import type { GwasState } from './prepare-gwas.ts';

/** What the tests of one trait say together. */
export interface GwasSummary {
  trait: string;
  /** Individuals analysed. */
  n: number;
  /** Markers tested. */
  m: number;
  /** Genomic inflation. */
  lambda: number;
  /** h² of the null model: REML for SCORE and WALD, ML for LRT. */
  h2: number;
  /** Covariates asked for, and what became of each. */
  covariates: CovariateSummary[];
  /** Individuals with a value that were left out for want of a covariate. */
  withoutCovariate: number;
  /** p-value threshold of 5 % family-wise error. */
  bonferroni: number;
  /** Largest p-value with a false discovery rate of at most 5 %; null when there is none. */
  fdr: number | null;
  /** Independent tests among the markers (Li & Ji); null when it was not asked for. */
  effectiveTests: number | null;
  /** Markers at or below the Bonferroni threshold. */
  hits: number;
  /** Place in the panel of the marker with the smallest p; null without markers. */
  top: number | null;
}

/** The tests of a trait, as far as their summary needs them. */
export interface SummarizedTests {
  trait: string;
  test: AssociationTest;
  /** Individuals analysed. */
  n: number;
  /** Place in the panel of the largest statistic; null without markers. */
  top: number | null;
  tests: TestSummary;
}

/** Puts together what there is to say about the tests of a trait. */
export function summaryOf(
  { trait, test, n, top, tests }: SummarizedTests,
  state: GwasState,
  effective: number | null = null,
): GwasSummary {
  const { tested, lambdaGc, bonferroniNegLog10, hits, fdr } = tests;
  const place = state.traits.indexOf(trait);
  const model = state.model.traits[place];
  return {
    trait,
    n,
    m: tested,
    lambda: lambdaGc,
    h2: test === 'LRT' ? model.mlH2 : test === 'WALD' ? model.remlH2 : model.scoreH2,
    covariates: summarizeCovariates(state.covariates, state.model.covariates),
    withoutCovariate: state.withoutCovariate[place],
    bonferroni: 10 ** -bonferroniNegLog10,
    fdr,
    effectiveTests: effective,
    hits,
    top,
  };
}

/**
 * Effective number of tests among the markers that pass the filters of a state (Li & Ji 2005), chromosome by chromosome from
 * its first marker, so that it does not depend on how the tests were spread.
 */
export async function countEffectiveTests(
  state: GwasState,
  panel: PanelBlocks,
  context: AnalysisContext,
): Promise<number> {
  const ranges = (await panel.chromosomeRuns()).flatMap(({ first, count }) =>
    markerRanges(count, MARKERS_PER_COUNT).map((range) => ({ ...range, first: first + range.first })),
  );
  let total = 0;
  for (const [block, { first, count }] of ranges.entries()) {
    reportProgress(context, 'test', block, ranges.length);
    total += effectiveTests(
      await panel.readPacked(first, count),
      count,
      panelSelection(panel.samples.length, state.individuals),
      { maf: state.maf, callRate: state.callRate },
    );
  }
  return total;
}

/** A multiple of the windows in which the independent tests are counted. */
const MARKERS_PER_COUNT = 1000;
