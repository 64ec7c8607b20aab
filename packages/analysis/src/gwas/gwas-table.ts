import type { MarkerTable } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import type { PanelBlocks } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import { csvChunks, csvRow } from '@heterosis/file-formats/tables/text/csv-writer';
import { csvCell } from '@heterosis/file-formats/text/csv-cell';
import { LineBuffer } from '@heterosis/file-formats/text/line-buffer';
import { TestSummarizer, type TestSummary } from '@heterosis/statgen/association/summarize-tests';
import type { AssociationTest, TestColumns } from '@heterosis/statgen/association/test-markers';
import type { AnalysisContext } from '../context.ts';
import { MARKERS_PER_BLOCK } from '../inputs/open-panel.ts';
import { AscendingNumbers } from '../results/ascending-numbers.ts';
import { type GwasColumns, partOfColumns } from './gwas-columns.ts';
import type { GwasState } from './prepare-gwas.ts';
import type { SummarizedTests } from './summarize-gwas.ts';
import { type TestedBlock, testBlocks, testedMarkers } from './test-gwas-markers.ts';

/** Columns of one test in a table of one test, and with its name in a table of several. */
const TEST_COLUMNS = {
  SCORE: { statistic: ['score'], name: 'score' },
  WALD: { statistic: ['beta', 'sd'], name: 'wald' },
  LRT: { statistic: ['LRT'], name: 'lrt' },
} as const satisfies Record<AssociationTest, { statistic: readonly string[]; name: string }>;

/**
 * Header of a table of results: chr,pos,id,A1,A2,freqA2,n, then for each test score, or beta,sd, or LRT, and its h2,p,neg_log10_p.
 * With several tests these three end in the name of theirs: p_score, p_wald, p_lrt.
 */
export function gwasHeader(tests: readonly AssociationTest[]): string[] {
  const ofTests = tests.flatMap((test) => {
    const { statistic, name } = TEST_COLUMNS[test];
    const ending = tests.length === 1 ? '' : `_${name}`;
    return [...statistic, ...['h2', 'p', 'neg_log10_p'].map((column) => `${column}${ending}`)];
  });
  return ['chr', 'pos', 'id', 'A1', 'A2', 'freqA2', 'n', ...ofTests];
}

/** Results of one trait in pieces, each with the names of its markers. */
export interface NamedColumns {
  columns: GwasColumns;
  markers: MarkerTable;
  /** Place in the panel of the first of `markers`. */
  first: number;
}

/** Gives the markers of each part of a trait's results to it, some thousand at a time. */
export async function* withMarkers(
  parts: AsyncIterable<GwasColumns> | Iterable<GwasColumns>,
  panel: PanelBlocks,
): AsyncGenerator<NamedColumns> {
  for await (const part of parts) {
    const places = part.markerIndex;
    for (let from = 0; from < places.length; ) {
      // Whole blocks of the panel: those in which its markers are read.
      const first = Math.floor(places[from] / MARKERS_PER_BLOCK) * MARKERS_PER_BLOCK;
      const count = Math.min(MARKERS_PER_BLOCK, panel.markerCount - first);
      let end = from + 1;
      while (end < places.length && places[end] < first + count) end++;
      yield { columns: partOfColumns(part, from, end), markers: await panel.readMarkers(first, count), first };
      from = end;
    }
  }
}

/** Rows of {@link gwasHeader} for results of one trait; `first` is the place in the panel of the first of `markers`. */
export function gwasText(columns: GwasColumns, markers: MarkerTable, first: number): Iterable<string> {
  return csvChunks(null, gwasRows(columns, markers, first));
}

function* gwasRows(columns: GwasColumns, markers: MarkerTable, first: number): Generator<(string | number)[]> {
  for (let j = 0; j < columns.p.length; j++) {
    const k = columns.markerIndex[j] - first;
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

/** Alleles of long insertions are many, and do not come again. */
const MAX_REPEATED_CELLS = 10_000;

/** What is gathered of a test while its table is written. */
interface GatheredTest {
  test: AssociationTest;
  statistics: AscendingNumbers;
  top: number | null;
  largest: number;
}

/**
 * Tests all markers of the panel for the first trait of a state and gives the table of results as UTF-8 text while the tests run.
 * The memory it takes does not grow with the number of markers.
 *
 * @returns what {@link summaryOf} needs of each test
 */
export async function* streamGwasCsv(
  state: GwasState,
  tests: readonly AssociationTest[],
  panel: PanelBlocks,
  context: AnalysisContext,
): AsyncGenerator<Uint8Array, SummarizedTests[]> {
  const { n } = state.model;
  const gathered = tests.map(
    (test): GatheredTest => ({
      test,
      statistics: new AscendingNumbers(),
      top: null,
      largest: Number.NEGATIVE_INFINITY,
    }),
  );
  try {
    const writeRow = createRowWriter(n);
    const lines = new LineBuffer();
    lines.text(csvRow(gwasHeader(tests)));
    const all = { first: 0, count: panel.markerCount };
    for await (const block of testBlocks(state, tests, panel, all, context)) {
      const markers = await panel.readMarkers(block.first, block.columns.count);
      writeBlock(lines, block.columns, markers, tests, writeRow);
      for (const one of gathered) await gather(one, block);
      yield lines.take();
    }
    const summarized: SummarizedTests[] = [];
    for (const { test, statistics, top } of gathered) {
      summarized.push({ trait: state.traits[0], test, n, top, tests: await summarize(statistics) });
    }
    return summarized;
  } finally {
    for (const { statistics } of gathered) await statistics.close();
  }
}

/** Summarises gathered statistics; `ranks` as for `TestSummarizer`. */
export async function summarize(
  statistics: Pick<AscendingNumbers, 'count' | 'ascending'>,
  ranks: readonly number[] = [],
): Promise<TestSummary> {
  const summarizer = new TestSummarizer(statistics.count, ranks);
  for await (const part of statistics.ascending()) summarizer.add(part);
  return summarizer.finish();
}

function gather(gathered: GatheredTest, { first, columns }: TestedBlock): Promise<void> | undefined {
  const { statistic } = requireResults(columns.traits[0]?.[gathered.test]);
  for (let j = 0; j < statistic.length; j++) {
    if (statistic[j] > gathered.largest) {
      gathered.largest = statistic[j];
      gathered.top = first + j;
    }
  }
  return gathered.statistics.add(statistic);
}

// Called once a block: an asynchronous function with these loops inside would be compiled for longer than they run.
function writeBlock(
  lines: LineBuffer,
  columns: TestedBlock['columns'],
  markers: MarkerTable,
  tests: readonly AssociationTest[],
  writeRow: RowWriter,
): void {
  const results = tests.map((test) => requireResults(columns.traits[0]?.[test]));
  const tested = testedMarkers(columns);
  for (let k = 0; k < tested.length; k++) {
    writeRow(lines, markers, columns.frequencyA2[tested[k]], tests, results, tested[k]);
  }
}

type RowWriter = (
  lines: LineBuffer,
  markers: MarkerTable,
  frequencyA2: number,
  tests: readonly AssociationTest[],
  results: readonly TestColumns[],
  j: number,
) => void;

/** Writes the row of {@link gwasHeader} of marker `j` of a block, tested among `n` individuals. */
function createRowWriter(n: number): RowWriter {
  // Chromosomes and alleles come again and again.
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
  return (lines, markers, frequencyA2, tests, results, j) => {
    lines.text(cellOf(markers.chromosome[j]));
    lines.comma();
    lines.number(markers.positionBp[j]);
    lines.comma();
    lines.text(csvCell(markers.id[j]));
    lines.comma();
    lines.text(cellOf(markers.a1[j]));
    lines.comma();
    lines.text(cellOf(markers.a2[j]));
    lines.comma();
    let k = 0;
    numbers[k++] = frequencyA2;
    numbers[k++] = n;
    for (let t = 0; t < tests.length; t++) {
      const { beta, se, statistic, h2, p, negLog10P } = results[t];
      if (tests[t] === 'WALD') {
        numbers[k++] = beta[j];
        numbers[k++] = se[j];
      } else numbers[k++] = statistic[j];
      numbers[k++] = h2[j];
      numbers[k++] = p[j];
      numbers[k++] = negLog10P[j];
    }
    lines.numbers(numbers);
    lines.newLine();
  };
}

function requireResults(results: TestColumns | undefined): TestColumns {
  if (results === undefined) throw new TypeError('a test that was asked for was not run');
  return results;
}
