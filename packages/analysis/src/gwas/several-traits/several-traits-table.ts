import type { PanelBlocks } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import { csvRow } from '@heterosis/file-formats/tables/text/csv-writer';
import { csvCell } from '@heterosis/file-formats/text/csv-cell';
import { LineBuffer } from '@heterosis/file-formats/text/line-buffer';
import { chiSquareNegLog10P, chiSquareOfNegLog10P, chiSquareP } from '@heterosis/statgen/association/chi-square-tail';
import type { SeveralTraitColumns } from '@heterosis/statgen/association/several-traits/test-several-traits';
import type { TestSummary } from '@heterosis/statgen/association/summarize-tests';
import { AscendingNumbers } from '../../results/ascending-numbers.ts';
import { SpooledRecords } from '../../results/spooled-records.ts';
import { summarize } from '../gwas-table.ts';
import type { SeveralTraitsBlock, SeveralTraitsScan } from './scan-several-traits.ts';

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
function severalTraitsHeader(test: SeveralTraitsTest, traits: readonly string[]): string[] {
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

/** The test of a marker of a block; null where it was not made. */
export function testOf(
  test: SeveralTraitsTest,
  { df, any, differences }: SeveralTraitColumns,
  row: number,
): { chiSquare: number; df: number; negLog10P: number } | null {
  const freedom = test === 'any' ? df[row] : df[row] - 1;
  if (freedom < 1) return null;
  const chiSquare = test === 'any' ? any[row] : differences[row];
  return { chiSquare, df: freedom, negLog10P: chiSquareNegLog10P(chiSquare, freedom) };
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
  const spool = new SpooledRecords<SeveralTraitsBlock>();
  let top: number | null = null;
  let largest = Number.NEGATIVE_INFINITY;
  try {
    for await (const block of scan.blocks()) {
      const equivalents: number[] = [];
      for (let row = 0; row < block.columns.count; row++) {
        const tested = testOf(test, block.columns, row);
        if (tested === null) continue;
        equivalents.push(chiSquareOfNegLog10P(tested.negLog10P));
        if (tested.negLog10P <= largest) continue;
        largest = tested.negLog10P;
        top = block.first + row;
      }
      await statistics.add(Float64Array.from(equivalents));
      await spool.add(block);
    }
    const tests = await summarize(statistics);
    const lines = new LineBuffer();
    lines.text(csvRow(severalTraitsHeader(test, scan.traits)));
    for await (const { first, columns } of spool.records()) {
      const markers = await panel.readMarkers(first, columns.count);
      for (let row = 0; row < columns.count; row++) {
        const tested = testOf(test, columns, row);
        if (tested === null) continue;
        lines.text(`${csvCell(markers.chromosome[row])},`);
        lines.number(markers.positionBp[row]);
        lines.text(`,${[markers.id, markers.a1, markers.a2].map((of) => csvCell(of[row])).join(',')},`);
        const { chiSquare, df, negLog10P } = tested;
        lines.numbers([
          ...[columns.frequencyA2[row], scan.individuals.length, chiSquare, df, pOf(negLog10P), negLog10P],
          tests.qOf(chiSquareOfNegLog10P(negLog10P)),
          ...effectsOf(test, columns, row),
        ]);
        lines.newLine();
      }
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

const pOf = (negLog10P: number): number => Math.max(10 ** -negLog10P, Number.MIN_VALUE);

/** An effect, its standard error and p. */
const withP = (effect: number, error: number): number[] => [effect, error, chiSquareP((effect / error) ** 2)];

function effectsOf(
  test: SeveralTraitsTest,
  { effects, errors, main, mainError }: SeveralTraitColumns,
  row: number,
): number[] {
  const ofTraits = effects.flatMap((own, t) => {
    const [effect, error] = [own[row], errors[t][row]];
    if (test === 'any') return withP(effect, error);
    // The main effect is their best combination, so its covariance with each is its variance.
    const difference = Math.sqrt(Math.max(0, error ** 2 - mainError[row] ** 2));
    return [...withP(effect, error), ...withP(effect - main[row], difference)];
  });
  return test === 'any' ? ofTraits : [...withP(main[row], mainError[row]), ...ofTraits];
}
