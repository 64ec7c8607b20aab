import type { MarkerTable } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import type { PanelBlocks } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import { csvRow } from '@heterosis/file-formats/tables/text/csv-writer';
import { csvCell } from '@heterosis/file-formats/text/csv-cell';
import { LineBuffer } from '@heterosis/file-formats/text/line-buffer';
import { chiSquareNegLog10P, chiSquareOfNegLog10P, chiSquareP } from '@heterosis/statgen/association/chi-square-tail';
import type { TestSummary } from '@heterosis/statgen/association/summarize-tests';
import { AscendingNumbers } from '../../results/ascending-numbers.ts';
import { SpooledRecords } from '../../results/spooled-records.ts';
import type { GwasColumns, JointColumns } from '../gwas-columns.ts';
import { summarize, type WrittenTest } from '../gwas-table.ts';
import type { SeveralTraitsScan } from './scan-several-traits.ts';
import type { SeveralTraitsBlock } from './several-traits-by-chromosome.ts';

/** `any`: no effect on any trait. `specific`: the same effect on all. */
export type SeveralTraitsTest = 'any' | 'specific';

/** What the tests of all markers found. */
export interface SeveralTraitsFound {
  tests: TestSummary;
  /** Panel index of the smallest p; null without markers. */
  top: number | null;
}

/**
 * Header of the table: chr,pos,id,A1,A2,freqA2,n, then chi2,df,p,neg_log10_p,q of the test; with `specific`
 * main_effect,main_se,main_p; then for each trait T effect_T,effect_se_T,p_T, and with `specific`
 * specific_T,specific_se_T,specific_p_T, how its effect differs from the main one.
 */
export function severalTraitsHeader(test: SeveralTraitsTest, traits: readonly string[]): string[] {
  const isSpecific = test === 'specific';
  return [
    ...['chr', 'pos', 'id', 'A1', 'A2', 'freqA2', 'n', 'chi2', 'df', 'p', 'neg_log10_p', 'q'],
    ...(isSpecific ? ['main_effect', 'main_se', 'main_p'] : []),
    ...traits.flatMap((trait) => [
      ...[`effect_${trait}`, `effect_se_${trait}`, `p_${trait}`],
      ...(isSpecific ? [`specific_${trait}`, `specific_se_${trait}`, `specific_p_${trait}`] : []),
    ]),
  ];
}

/** The tested markers of a block as those of one trait, of this name. */
export function jointColumns(
  test: SeveralTraitsTest,
  { first, columns }: SeveralTraitsBlock,
  of: Pick<GwasColumns, 'trait' | 'test' | 'n'>,
): GwasColumns {
  const { df, any, differences, main, mainError, effects, errors, frequencyA2 } = columns;
  const freedom = (row: number): number => (test === 'any' ? (df[row] ?? 0) : (df[row] ?? 0) - 1);
  const rows = Int32Array.from(df.keys()).filter((row) => freedom(row) >= 1);
  const gathered = (values: Float64Array): Float64Array => Float64Array.from(rows, (row) => values[row] ?? Number.NaN);
  const chiSquare = gathered(test === 'any' ? any : differences);
  const own = Uint8Array.from(rows, freedom);
  const negLog10P = chiSquare.map((value, k) => chiSquareNegLog10P(value, own[k]));
  const nothing = new Float64Array(rows.length).fill(Number.NaN);
  const none = new Float64Array(0);
  return {
    ...of,
    markerIndex: rows.map((row) => first + row),
    freqA2: gathered(frequencyA2),
    // So that they rank, and inflate, as tests with one degree of freedom.
    statistic: negLog10P.map(chiSquareOfNegLog10P),
    ...{ beta: nothing, sd: nothing, h2: nothing, domEffect: none, domSe: none, domP: none },
    p: negLog10P.map((value) => Math.max(10 ** -value, Number.MIN_VALUE)),
    negLog10P,
    atBound: new Uint8Array(rows.length),
    joint: {
      ...{ chiSquare, df: own, main: gathered(main), mainError: gathered(mainError) },
      effects: effects.map(gathered),
      errors: errors.map(gathered),
    },
  };
}

/**
 * Writes the rows of {@link severalTraitsHeader}.
 *
 * @param first panel index of the first of `markers`
 */
export function writeJointRows(
  lines: LineBuffer,
  test: SeveralTraitsTest,
  { columns, qOf }: WrittenTest,
  { markers, first }: { markers: MarkerTable; first: number },
): void {
  const { joint, markerIndex, freqA2, n, p, negLog10P, statistic } = columns;
  if (joint === undefined) throw new TypeError('these are tests on one trait');
  for (let j = 0; j < markerIndex.length; j++) {
    const marker = markerIndex[j] - first;
    lines.text(`${csvCell(markers.chromosome[marker])},`);
    lines.number(markers.positionBp[marker]);
    lines.text(`,${[markers.id, markers.a1, markers.a2].map((of) => csvCell(of[marker])).join(',')},`);
    lines.numbers([
      ...[freqA2[j], n, joint.chiSquare[j], joint.df[j], p[j], negLog10P[j], qOf(statistic[j])],
      ...effectsOf(test, joint, j),
    ]);
    lines.newLine();
  }
}

/**
 * Tests all markers of the panel, then yields the table as UTF-8 text, because q values need all tests; meanwhile
 * results beyond 16 MB are kept in a temporary file. λ compares the median p with that of no effect.
 */
export async function* streamSeveralTraitsCsv(
  scan: SeveralTraitsScan,
  test: SeveralTraitsTest,
  panel: PanelBlocks,
): AsyncGenerator<Uint8Array, SeveralTraitsFound> {
  const statistics = new AscendingNumbers();
  const spool = new SpooledRecords<{ first: number; count: number; columns: GwasColumns }>();
  const of = { trait: scan.traits.join(', '), test: 'SCORE', n: scan.individuals.length } as const;
  let top: number | null = null;
  let largest = Number.NEGATIVE_INFINITY;
  try {
    for await (const block of scan.blocks()) {
      const columns = jointColumns(test, block, of);
      for (const [j, value] of columns.negLog10P.entries()) {
        if (value <= largest) continue;
        largest = value;
        top = columns.markerIndex[j];
      }
      await statistics.add(columns.statistic);
      await spool.add({ first: block.first, count: block.columns.count, columns });
    }
    const tests = await summarize(statistics);
    const lines = new LineBuffer();
    lines.text(csvRow(severalTraitsHeader(test, scan.traits)));
    for await (const { first, count, columns } of spool.records()) {
      const markers = await panel.readMarkers(first, count);
      writeJointRows(lines, test, { columns, qOf: tests.qOf }, { markers, first });
      yield lines.take();
    }
    // Without results the file has only its header.
    if (lines.length > 0) yield lines.take();
    return { tests, top };
  } finally {
    await spool.close();
    await statistics.close();
  }
}

/** An effect, its standard error and p. */
const withP = (effect: number, error: number): number[] => [effect, error, chiSquareP((effect / error) ** 2)];

function effectsOf(test: SeveralTraitsTest, { effects, errors, main, mainError }: JointColumns, row: number): number[] {
  const ofTraits = effects.flatMap((own, t) => {
    const [effect, error] = [own[row], errors[t][row]];
    if (test === 'any') return withP(effect, error);
    // The main effect is their best combination, so its covariance with each is its variance.
    const difference = Math.sqrt(Math.max(0, error ** 2 - mainError[row] ** 2));
    return [...withP(effect, error), ...withP(effect - main[row], difference)];
  });
  return test === 'any' ? ofTraits : [...withP(main[row], mainError[row]), ...ofTraits];
}
