import type { MarkerTable } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import type { PanelBlocks } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import { csvRow } from '@heterosis/file-formats/tables/text/csv-writer';
import { csvCell } from '@heterosis/file-formats/text/csv-cell';
import { LineBuffer } from '@heterosis/file-formats/text/line-buffer';
import { TestSummarizer, type TestSummary } from '@heterosis/statgen/association/summarize-tests';
import type { AssociationTest } from '@heterosis/statgen/association/test-markers';
import type { AnalysisContext } from '../context.ts';
import { MARKERS_PER_BLOCK } from '../inputs/open-panel.ts';
import { AscendingNumbers } from '../results/ascending-numbers.ts';
import { SpooledRecords } from '../results/spooled-records.ts';
import { type GwasColumns, partOfColumns } from './gwas-columns.ts';
import type { GwasState } from './gwas-state.ts';
import type { SummarizedTests } from './summarize-gwas.ts';
import { columnsOfBlock, testBlocks } from './test-gwas-markers.ts';

/** Columns of one test: unprefixed in a table of one test, suffixed with its name in a table of several. */
const TEST_COLUMNS = {
  SCORE: { statistic: ['score'], name: 'score' },
  WALD: { statistic: ['beta', 'sd'], name: 'wald' },
  LRT: { statistic: ['LRT'], name: 'lrt' },
} as const satisfies Record<AssociationTest, { statistic: readonly string[]; name: string }>;

/**
 * Header of a table of results: chr,pos,id,A1,A2,freqA2,n, then for each test score, or beta,sd, or LRT, and its
 * h2,p,neg_log10_p; then for each test effect,effect_se,q,pve,at_bound; then dom_effect,dom_se,dom_p of the dominance
 * deviation. With several tests, columns common to all end in the name of the test: p_score, p_wald, p_lrt.
 */
export function gwasHeader(tests: readonly AssociationTest[], dominance: boolean): string[] {
  const endingOf = (test: AssociationTest): string => (tests.length === 1 ? '' : `_${TEST_COLUMNS[test].name}`);
  const named = (test: AssociationTest, columns: readonly string[]): string[] =>
    columns.map((column) => `${column}${endingOf(test)}`);
  return [
    ...['chr', 'pos', 'id', 'A1', 'A2', 'freqA2', 'n'],
    ...tests.flatMap((test) => [...TEST_COLUMNS[test].statistic, ...named(test, ['h2', 'p', 'neg_log10_p'])]),
    ...tests.flatMap((test) => named(test, ['effect', 'effect_se', 'q', 'pve', 'at_bound'])),
    ...(dominance ? ['dom_effect', 'dom_se', 'dom_p'] : []),
  ];
}

/**
 * Share of the phenotypic variance explained by a marker, from its effect and standard error (Shim et al. 2015, PLoS
 * ONE 10:e0120758): 2p(1 − p)β²/(2p(1 − p)β² + 2p(1 − p)·n·se²), in which the frequency cancels.
 */
export function varianceExplained(effect: number, se: number, n: number): number {
  const ratio = effect / se;
  return (ratio * ratio) / (ratio * ratio + n);
}

/** Results of one trait in pieces, each with the names of its markers. */
export interface NamedColumns {
  columns: GwasColumns;
  markers: MarkerTable;
  /** Panel index of the first of `markers`. */
  first: number;
}

/** Joins each part of a trait's results with the names of its markers, a few thousand at a time. */
export async function* withMarkers(
  parts: AsyncIterable<GwasColumns> | Iterable<GwasColumns>,
  panel: PanelBlocks,
): AsyncGenerator<NamedColumns> {
  for await (const part of parts) {
    const places = part.markerIndex;
    for (let from = 0; from < places.length; ) {
      // Whole blocks of the panel, the unit in which markers are read.
      const first = Math.floor(places[from] / MARKERS_PER_BLOCK) * MARKERS_PER_BLOCK;
      const count = Math.min(MARKERS_PER_BLOCK, panel.markerCount - first);
      let end = from + 1;
      while (end < places.length && places[end] < first + count) end++;
      yield { columns: partOfColumns(part, from, end), markers: await panel.readMarkers(first, count), first };
      from = end;
    }
  }
}

/** Limit of the cache: alleles of long insertions are numerous and rarely repeat. */
const MAX_REPEATED_CELLS = 10_000;

/** One test of a trait, with its q values. */
export interface WrittenTest {
  columns: GwasColumns;
  qOf: TestSummary['qOf'];
}

/**
 * Writes the rows of {@link gwasHeader}.
 *
 * @param tests of the same markers, in the order of the header
 * @param first panel index of the first of `markers`
 */
export type RowsWriter = (
  lines: LineBuffer,
  tests: readonly WrittenTest[],
  markers: MarkerTable,
  first: number,
) => void;

/** Creates a writer for one table. It caches the text of chromosomes and alleles, which repeat. */
export function createRowsWriter(dominance: boolean): RowsWriter {
  const cells = new Map<string, string>();
  const cellOf = (value: string): string => {
    let cell = cells.get(value);
    if (cell === undefined) {
      cell = csvCell(value);
      if (cells.size < MAX_REPEATED_CELLS) cells.set(value, cell);
    }
    return cell;
  };
  const numbers: number[] = [];
  return (lines, tests, markers, first) => {
    const { markerIndex, freqA2, n, domEffect, domSe, domP } = tests[0].columns;
    for (let j = 0; j < markerIndex.length; j++) {
      const marker = markerIndex[j] - first;
      lines.text(cellOf(markers.chromosome[marker]));
      lines.comma();
      lines.number(markers.positionBp[marker]);
      lines.comma();
      lines.text(csvCell(markers.id[marker]));
      lines.comma();
      lines.text(cellOf(markers.a1[marker]));
      lines.comma();
      lines.text(cellOf(markers.a2[marker]));
      lines.comma();
      let k = 0;
      numbers[k++] = freqA2[j];
      numbers[k++] = n;
      for (let t = 0; t < tests.length; t++) {
        const { test, statistic, beta, sd, h2, p, negLog10P } = tests[t].columns;
        if (test === 'WALD') {
          numbers[k++] = beta[j];
          numbers[k++] = sd[j];
        } else numbers[k++] = statistic[j];
        numbers[k++] = h2[j];
        numbers[k++] = p[j];
        numbers[k++] = negLog10P[j];
      }
      for (let t = 0; t < tests.length; t++) {
        const { statistic, beta, sd, atBound } = tests[t].columns;
        numbers[k++] = beta[j];
        numbers[k++] = sd[j];
        numbers[k++] = tests[t].qOf(statistic[j]);
        numbers[k++] = varianceExplained(beta[j], sd[j], n);
        numbers[k++] = atBound[j];
      }
      if (dominance) {
        numbers[k++] = domEffect[j];
        numbers[k++] = domSe[j];
        numbers[k++] = domP[j];
      }
      lines.numbers(numbers);
      lines.newLine();
    }
  };
}

/** Data gathered on a test before its table is written. */
interface GatheredTest {
  test: AssociationTest;
  statistics: AscendingNumbers;
  top: number | null;
  largest: number;
  atBound: number;
}

/**
 * Tests all markers of the panel for the first trait of a state, then yields the table of results as UTF-8 text,
 * because q values need all tests. Meanwhile results beyond 16 MB are kept in a temporary file, so that memory does
 * not grow with the number of markers.
 *
 * @param observe called with the results of the first test, block by block in the order of the panel
 * @returns the input of `summaryOf` for each test
 */
export async function* streamGwasCsv(
  state: GwasState,
  tests: readonly AssociationTest[],
  panel: PanelBlocks,
  context: AnalysisContext,
  observe?: (columns: GwasColumns) => void,
): AsyncGenerator<Uint8Array, SummarizedTests[]> {
  const gathered = tests.map(
    (test): GatheredTest => ({
      test,
      statistics: new AscendingNumbers(),
      top: null,
      largest: Number.NEGATIVE_INFINITY,
      atBound: 0,
    }),
  );
  const spool = new SpooledRecords<{ first: number; count: number; columns: GwasColumns[] }>();
  try {
    const all = { first: 0, count: panel.markerCount };
    for await (const block of testBlocks(state, tests, panel, all, context)) {
      const columns = tests.map((test) => columnsOfBlock(state, test, block, 0));
      for (const [t, one] of gathered.entries()) await gather(one, columns[t]);
      observe?.(columns[0]);
      await spool.add({ first: block.first, count: block.columns.count, columns });
    }
    const summarized: SummarizedTests[] = [];
    for (const { test, statistics, top, atBound } of gathered) {
      const summary = await summarize(statistics, [], state.permutations?.thresholds[0][test]);
      summarized.push({ trait: state.traits[0], test, n: state.model.n, top, atBound, tests: summary });
    }
    const writeRows = createRowsWriter(state.dominance);
    const lines = new LineBuffer();
    lines.text(csvRow(gwasHeader(tests, state.dominance)));
    for await (const { first, count, columns } of spool.records()) {
      const written = columns.map((ofTest, t) => ({ columns: ofTest, qOf: summarized[t].tests.qOf }));
      writeRows(lines, written, await panel.readMarkers(first, count), first);
      yield lines.take();
    }
    return summarized;
  } finally {
    await spool.close();
    for (const { statistics } of gathered) await statistics.close();
  }
}

/** Summarises gathered statistics; `ranks` and `statistic` as in `TestSummarizer`. */
export async function summarize(
  statistics: Pick<AscendingNumbers, 'count' | 'ascending'>,
  ranks: readonly number[] = [],
  statistic?: number,
): Promise<TestSummary> {
  const summarizer = new TestSummarizer(statistics.count, ranks, statistic);
  for await (const part of statistics.ascending()) summarizer.add(part);
  return summarizer.finish();
}

function gather(gathered: GatheredTest, { statistic, markerIndex, atBound }: GwasColumns): Promise<void> | undefined {
  for (let j = 0; j < statistic.length; j++) {
    if (statistic[j] > gathered.largest) {
      gathered.largest = statistic[j];
      gathered.top = markerIndex[j];
    }
    gathered.atBound += atBound[j];
  }
  return gathered.statistics.add(statistic);
}
