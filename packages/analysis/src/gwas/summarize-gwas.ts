import type { PanelBlocks } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import { chiSquareP } from '@heterosis/statgen/association/chi-square-tail';
import { createEffectiveTestsCounter } from '@heterosis/statgen/association/effective-tests';
import { nullHeritability } from '@heterosis/statgen/association/null-heritability';
import type { TestSummary } from '@heterosis/statgen/association/summarize-tests';
import type { AssociationTest } from '@heterosis/statgen/association/test-markers';
import { type AnalysisContext, reportProgress } from '../context.ts';
import { type CovariateSummary, summarizeCovariates } from '../inputs/covariates.ts';
import { type MarkerRange, markerRanges, packedRanges } from '../inputs/open-panel.ts';
import { panelSelection } from '../inputs/panel-kinship.ts';
import type { GwasState } from './gwas-state.ts';

/** Summary of all tests of one trait. */
export interface GwasSummary {
  trait: string;
  /** Individuals analysed. */
  n: number;
  /** Markers tested. */
  m: number;
  /** Genomic inflation. */
  lambda: number;
  /** h² = σ²g/(σ²g + σ²e) of the null model: REML for SCORE and WALD, ML for LRT. */
  h2: number;
  /** Its standard error; null at a bound. */
  h2Se: number | null;
  /** Share of the phenotypic variance explained by the kinship, and its standard error. */
  kinshipPve: number;
  kinshipPveSe: number | null;
  /**
   * The same for the null model of each chromosome, where chromosomes are left out: `h2` and `kinshipPve` are then
   * those of all markers. Null without.
   */
  chromosomesLeftOut: ChromosomeLeftOut[] | null;
  /** Requested covariates, and the outcome for each. */
  covariates: CovariateSummary[];
  /** Markers that the tests are conditioned on, and the outcome for each. */
  conditionedOn: CovariateSummary[];
  /** Individuals with a value that were dropped because a covariate is missing. */
  withoutCovariate: number;
  /** p-value threshold for 5 % family-wise error. */
  bonferroni: number;
  /** Largest p-value with a false discovery rate of at most 5 %; null if none. */
  fdr: number | null;
  /** Markers with p up to it. */
  fdrHits: number;
  /** Independent tests among the markers (Li & Ji); null if not counted. */
  effectiveTests: EffectiveTests | null;
  /** Markers at or below the Bonferroni threshold. */
  hits: number;
  /** From permutations: p-value threshold for 5 % over all markers, and the markers at or below it; null without. */
  permutations: { count: number; seed: number; p: number; hits: number } | null;
  /** Known errors of the values; null where all errors have one variance. */
  errors: GwasState['errors'];
  /** Markers whose h² is at 0 or 0.99. */
  atBound: number;
  /** Panel index of the marker with the smallest p; null without markers. */
  top: number | null;
}

/** The null model with which the markers of a chromosome are tested: the kinship lacks them. */
export interface ChromosomeLeftOut {
  /** Null for the markers without a chromosome, tested with the kinship of all. */
  chromosome: string | null;
  /** Markers tested. */
  markers: number;
  h2: number;
  kinshipPve: number;
}

/** The data on a trait's tests that its summary needs. */
export interface SummarizedTests {
  trait: string;
  test: AssociationTest;
  /** Individuals analysed. */
  n: number;
  /** Panel index of the largest statistic; null without markers. */
  top: number | null;
  /** Markers whose h² is at a bound. */
  atBound: number;
  tests: TestSummary;
}

/** Assembles the summary of a trait's tests. */
export function summaryOf(
  { trait, test, n, top, atBound, tests }: SummarizedTests,
  state: GwasState,
  effective: EffectiveTests | null = null,
): GwasSummary {
  const { tested, lambdaGc, bonferroniNegLog10, hits, beyond, fdr, discoveries } = tests;
  const place = state.traits.indexOf(trait);
  const fixed = summarizeCovariates(state.covariates, state.model.covariates);
  const heritability =
    state.panelTests?.heritabilities[place][test] ?? nullHeritability(state.model, state.model.traits[place], test);
  return {
    trait,
    n,
    m: tested,
    lambda: lambdaGc,
    h2: heritability.h2,
    h2Se: heritability.standardErrors?.h2 ?? null,
    kinshipPve: heritability.kinshipPve,
    kinshipPveSe: heritability.standardErrors?.kinshipPve ?? null,
    chromosomesLeftOut: chromosomesLeftOut(state, place, test),
    covariates: fixed.filter((_, k) => state.covariates[k].isMarker !== true),
    conditionedOn: fixed.filter((_, k) => state.covariates[k].isMarker === true),
    withoutCovariate: state.withoutCovariate[place],
    bonferroni: 10 ** -bonferroniNegLog10,
    fdr,
    fdrHits: discoveries,
    effectiveTests: effective,
    hits,
    permutations: permutationsOf(state, place, test, beyond),
    errors: state.errors,
    atBound,
    top,
  };
}

function chromosomesLeftOut(state: GwasState, trait: number, test: AssociationTest): ChromosomeLeftOut[] | null {
  return (
    state.chromosomesLeftOut?.flatMap(({ chromosome, markers, traits }) => {
      const found = traits[trait]?.[test];
      return found === undefined ? [] : [{ chromosome, markers, h2: found.h2, kinshipPve: found.kinshipPve }];
    }) ?? null
  );
}

function permutationsOf(
  { permutations }: GwasState,
  trait: number,
  test: AssociationTest,
  hits: number,
): GwasSummary['permutations'] {
  const threshold = permutations?.thresholds[trait][test];
  if (permutations === null || threshold === undefined) return null;
  return { count: permutations.count, seed: permutations.seed, p: chiSquareP(threshold), hits };
}

/** Number of independent tests among the markers of a panel. */
export interface EffectiveTests {
  tests: number;
  /** Markers per block if a chromosome was too large to be analysed whole; otherwise null. */
  blockMarkers: number | null;
}

/** Effective number of tests among the markers that pass the filters of a state, see `createEffectiveTestsCounter`. */
export async function countEffectiveTests(
  state: GwasState,
  panel: PanelBlocks,
  context: AnalysisContext,
): Promise<EffectiveTests> {
  const counter = createEffectiveTestsCounter({
    ...panelSelection(panel.samples.length, state.individuals),
    filter: { maf: state.maf, callRate: state.callRate },
  });
  // In an unsorted file a chromosome has several runs.
  const chromosomes = [...Map.groupBy(await panel.chromosomeRuns(), ({ chromosome }) => chromosome).values()].map(
    (runs) =>
      runs.flatMap((run) =>
        markerRanges(run.count).map(({ first, count }): MarkerRange => ({ first: run.first + first, count })),
      ),
  );
  const blocks = chromosomes.reduce((sum, ranges) => sum + ranges.length, 0);
  let block = 0;
  let tests = 0;
  for (const ranges of chromosomes) {
    for await (const { packed, count, dosages } of packedRanges(panel, ranges)) {
      reportProgress(context, 'test', block++, blocks);
      counter.add(packed, count, dosages);
    }
    tests += counter.finishChromosome();
  }
  return { tests, blockMarkers: counter.blockMarkers() };
}
