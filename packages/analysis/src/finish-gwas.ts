import type { GenotypePanel, MarkerTable } from '@heterosis/file-formats/genotype/genotype-panel';
import { csvChunks } from '@heterosis/file-formats/tables/csv-writer';
import { effectiveTests } from '@heterosis/statgen/association/linkage-disequilibrium';
import { summarizeTests } from '@heterosis/statgen/association/summarize-tests';
import { type AnalysisContext, reportProgress } from './context.ts';
import type { ErrorExtra } from './describe-error.ts';
import {
  concatColumns,
  type GwasColumns,
  type GwasInput,
  type GwasState,
  prepareGwas,
  testGwasMarkers,
} from './gwas.ts';
import { MARKERS_PER_BLOCK, type MarkerRange, markerRanges } from './open-panel.ts';
import { panelSelection } from './panel-kinship.ts';

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
  /** Benjamini–Hochberg q value of each marker tested. */
  q: Float64Array;
}

const FALSE_DISCOVERY_RATE = 0.05;

/** Puts the results of one trait together; `columns` are those of all markers tested. */
export function finishGwas(columns: GwasColumns, state: GwasState, effective: number | null = null): GwasSummary {
  const { lambdaGc, bonferroniNegLog10, q } = summarizeTests(columns.statistic, columns.negLog10P);
  const model = state.model.traits[state.traits.indexOf(columns.trait)];
  let hits = 0;
  let top = -1;
  let fdr: number | null = null;
  for (let j = 0; j < columns.p.length; j++) {
    if (columns.negLog10P[j] >= bonferroniNegLog10) hits++;
    if (top < 0 || columns.negLog10P[j] > columns.negLog10P[top]) top = j;
    if (q[j] <= FALSE_DISCOVERY_RATE && (fdr === null || columns.p[j] > fdr)) fdr = columns.p[j];
  }
  return {
    trait: columns.trait,
    n: columns.n,
    m: columns.p.length,
    lambda: lambdaGc,
    h2: state.test === 'LRT' ? model.mlH2 : state.test === 'WALD' ? model.remlH2 : model.scoreH2,
    bonferroni: 10 ** -bonferroniNegLog10,
    fdr,
    effectiveTests: effective,
    hits,
    top: top < 0 ? null : columns.markerIndex[top],
    q,
  };
}

/**
 * Effective number of tests among the markers that pass the filters of a state (Li & Ji 2005), chromosome by chromosome from
 * its first marker, so that it does not depend on how the tests were spread.
 */
export async function countEffectiveTests(
  state: GwasState,
  panel: GenotypePanel,
  context: AnalysisContext,
): Promise<number> {
  const ranges = chromosomeRanges(panel.markers);
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

function chromosomeRanges({ chromosome }: MarkerTable): MarkerRange[] {
  const ranges: MarkerRange[] = [];
  for (let start = 0; start < chromosome.length; ) {
    let end = start + 1;
    while (end < chromosome.length && chromosome[end] === chromosome[start]) end++;
    for (const { first, count } of markerRanges(end - start, MARKERS_PER_COUNT))
      ranges.push({ first: start + first, count });
    start = end;
  }
  return ranges;
}

export interface GwasRun {
  trait: string;
  result: { state: GwasState; columns: GwasColumns; summary: GwasSummary } | null;
  error: ErrorExtra | null;
}

/** Markers tested by one call: few calls, and progress and signals looked at between them. */
const MARKERS_PER_RANGE = 64 * MARKERS_PER_BLOCK;

/**
 * The whole analysis in this process: prepares, tests all markers and summarises, trait by trait in the order asked for.
 *
 * @throws AnalysisError when names or traits do not fit
 */
export async function runGwas(
  input: GwasInput & { countEffective?: boolean },
  context: AnalysisContext,
): Promise<GwasRun[]> {
  const { panel } = input;
  const { states, errors } = await prepareGwas(input, context);
  const runs: GwasRun[] = errors.map(({ trait, error }) => ({ trait, result: null, error }));
  for (const state of states) {
    const ranges = markerRanges(panel.markers.id.length, MARKERS_PER_RANGE);
    const parts: GwasColumns[][] = state.traits.map(() => []);
    for (const range of ranges) {
      const columns = await testGwasMarkers(state, panel, range, {
        ...context,
        onProgress: ({ stage, done, total }) =>
          context.onProgress?.({
            stage,
            done: range.first + Math.round((done / Math.max(1, total)) * range.count),
            total: panel.markers.id.length,
          }),
      });
      for (const [t, part] of columns.entries()) parts[t].push(part);
    }
    const effective = input.countEffective === true ? await countEffectiveTests(state, panel, context) : null;
    for (const part of parts) {
      const columns = concatColumns(part);
      const summary = finishGwas(columns, state, effective);
      runs.push({ trait: columns.trait, result: { state, columns, summary }, error: null });
    }
  }
  const order = new Map(input.traits.map((trait, t) => [trait.toLowerCase(), t]));
  const place = (run: GwasRun) => order.get(run.trait.toLowerCase()) ?? input.traits.length;
  return runs.sort((a, b) => place(a) - place(b));
}

/**
 * Results of one trait as CSV: chr,pos,id,A1,A2,freqA2,n, then score, or beta,sd, or LRT by the test, then h2,p,neg_log10_p.
 * Effects are per copy of A2.
 */
export function gwasCsv(columns: GwasColumns, markers: MarkerTable): Iterable<string> {
  const statistic = { SCORE: ['score'], WALD: ['beta', 'sd'], LRT: ['LRT'] }[columns.test];
  return csvChunks(
    ['chr', 'pos', 'id', 'A1', 'A2', 'freqA2', 'n', ...statistic, 'h2', 'p', 'neg_log10_p'],
    resultRows(columns, markers),
  );
}

function* resultRows(columns: GwasColumns, markers: MarkerTable): Generator<(string | number)[]> {
  for (let j = 0; j < columns.p.length; j++) {
    const k = columns.markerIndex[j];
    yield [
      markers.chromosome[k],
      markers.positionBp[k],
      markers.id[k],
      markers.a1[k],
      markers.a2[k],
      columns.freqA2[j],
      columns.n,
      ...(columns.test === 'WALD' ? [columns.beta[j], columns.sd[j]] : [columns.statistic[j]]),
      columns.h2[j],
      columns.p[j],
      columns.negLog10P[j],
    ];
  }
}
