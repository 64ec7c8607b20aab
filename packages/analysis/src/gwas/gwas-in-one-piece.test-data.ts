// The whole GWAS at once and in memory: the reference for the block-wise analysis of programs and jobs.
import type { MarkerTable } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import { csvChunks } from '@heterosis/file-formats/tables/text/csv-writer';
import { TestSummarizer } from '@heterosis/statgen/association/summarize-tests';
import type { AnalysisContext } from '../context.ts';
import type { ErrorExtra } from '../describe-error.ts';
import { MARKERS_PER_BLOCK, markerRanges } from '../inputs/open-panel.ts';
import { concatColumns, type GwasColumns } from './gwas-columns.ts';
import type { GwasInput, GwasState } from './gwas-state.ts';
import { gwasHeader } from './gwas-table.ts';
import { prepareGwas } from './prepare-gwas.ts';
import { countEffectiveTests, type GwasSummary, type SummarizedTests, summaryOf } from './summarize-gwas.ts';
import { testGwasMarkers } from './test-gwas-markers.ts';

export interface GwasRun {
  trait: string;
  result: { state: GwasState; columns: GwasColumns; summary: GwasSummary } | null;
  error: ErrorExtra | null;
}

/** Markers tested per call: few calls, with progress and signals handled in between. */
const MARKERS_PER_RANGE = 64 * MARKERS_PER_BLOCK;

/**
 * Runs the whole analysis in this process: prepares, tests all markers and summarises, trait by trait in the requested
 * order.
 *
 * @throws AnalysisError when names or traits do not match
 */
export async function runGwas(
  input: GwasInput & { countEffective?: boolean },
  context: AnalysisContext,
): Promise<GwasRun[]> {
  const { panel } = input;
  const { states, errors } = await prepareGwas(input, context);
  const runs: GwasRun[] = errors.map(({ trait, error }) => ({ trait, result: null, error }));
  for (const state of states) {
    const ranges = markerRanges(panel.markerCount, MARKERS_PER_RANGE);
    const parts: GwasColumns[][] = state.traits.map(() => []);
    for (const range of ranges) {
      const columns = await testGwasMarkers(state, panel, range, {
        ...context,
        onProgress: ({ stage, done, total }) =>
          context.onProgress?.({
            stage,
            done: range.first + Math.round((done / Math.max(1, total)) * range.count),
            total: panel.markerCount,
          }),
      });
      for (const [t, part] of columns.entries()) parts[t].push(part);
    }
    const effective = input.countEffective === true ? await countEffectiveTests(state, panel, context) : null;
    for (const [place, part] of parts.entries()) {
      const columns = concatColumns(part);
      const summary = summaryOf(
        summarized(columns, state.permutations?.thresholds[place]?.[columns.test]),
        state,
        effective,
      );
      runs.push({ trait: columns.trait, result: { state, columns, summary }, error: null });
    }
  }
  const order = new Map(input.traits.map((trait, t) => [trait.toLowerCase(), t]));
  const place = (run: GwasRun) => order.get(run.trait.toLowerCase()) ?? input.traits.length;
  return runs.sort((a, b) => place(a) - place(b));
}

/** Results of one trait as CSV, see {@link gwasHeader}, computed row by row from the definitions. */
export function gwasCsv(columns: GwasColumns, markers: MarkerTable): string {
  const dominance = columns.domP.length > 0;
  const { qOf } = summarized(columns).tests;
  const rows = Array.from(columns.markerIndex, (k, j) => {
    const [beta, sd] = [columns.beta[j], columns.sd[j]];
    const explained = (beta / sd) ** 2 / ((beta / sd) ** 2 + columns.n);
    return [
      ...[markers.chromosome[k], markers.positionBp[k], markers.id[k], markers.a1[k], markers.a2[k]],
      ...[columns.freqA2[j], columns.n],
      ...(columns.test === 'WALD' ? [beta, sd] : [columns.statistic[j]]),
      ...[columns.h2[j], columns.p[j], columns.negLog10P[j]],
      ...[beta, sd, qOf(columns.statistic[j]), explained, columns.atBound[j]],
      ...(dominance ? [columns.domEffect[j], columns.domSe[j], columns.domP[j]] : []),
    ];
  });
  return [...csvChunks(gwasHeader([columns.test], dominance), rows)].join('');
}

/** Summary of a trait's tests from all their results. */
export function summarized(
  { trait, test, n, statistic, markerIndex, atBound }: GwasColumns,
  threshold?: number,
): SummarizedTests {
  const summarizer = new TestSummarizer(statistic.length, [], threshold);
  summarizer.add(statistic.toSorted());
  const top = statistic.reduce((best, value, j) => (value > statistic[best] ? j : best), 0);
  return {
    trait,
    test,
    n,
    top: statistic.length === 0 ? null : markerIndex[top],
    atBound: atBound.reduce((sum, flag) => sum + flag, 0),
    tests: summarizer.finish(),
  };
}
