import type { MarkerTable } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import type { PanelBlocks } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import { csvRow } from '@heterosis/file-formats/tables/text/csv-writer';
import { csvCell } from '@heterosis/file-formats/text/csv-cell';
import { LineBuffer } from '@heterosis/file-formats/text/line-buffer';
import { chiSquareOfNegLog10P } from '@heterosis/statgen/association/chi-square-tail';
import type { GeneAction } from '@heterosis/statgen/association/gene-actions/gene-actions';
import { type GeneActionTests, HIGHEST_H2 } from '@heterosis/statgen/association/gene-actions/test-gene-actions';
import type { GeneActionColumns, GwasColumns } from '../gwas-columns.ts';
import type { WrittenTest } from '../gwas-table.ts';
import type { GeneActionBlock, GeneActionScan } from './scan-gene-actions.ts';

/** What the tests of one gene action found. */
export interface GeneActionFigures {
  action: GeneAction;
  markers: number;
  /** 0.05 over the markers tested. */
  bonferroni: number;
  /** Beyond it, at the h² of each marker and at that of the model without. */
  hits: number;
  hitsP3d: number;
  /** The marker with the smallest p. */
  top: string | null;
}

const ALPHA = 0.05;
const TEST = ['effect', 'effect_se', 'F', 'h2', 'p', 'neg_log10_p'];
const HEADER = [
  ...['chr', 'pos', 'id', 'A1', 'A2', 'freqA2', 'n', 'gene_action', 'df', 'df2'],
  ...[...TEST, ...TEST.map((name) => `p3d_${name}`)],
];

/** The table with the q values and the variance explained that {@link writeActionRows} has besides. */
export const GENE_ACTION_HEADER: readonly string[] = [...HEADER, 'q', 'pve'];

/**
 * Share of the phenotypic variance that the columns of a marker explain together: as `varianceExplained`, with df·F in
 * place of (effect/se)², to which it is equal for one column.
 */
export const varianceOfAction = (df: number, f: number, n: number): number => (df * f) / (df * f + n);

/** The tests of one action in a block, as those of one trait, of this name. */
export function columnsOfAction(
  action: GeneAction,
  { tested }: GeneActionBlock,
  of: Pick<GwasColumns, 'trait' | 'test' | 'n'>,
): GwasColumns {
  const own = tested.filter((one) => one.action === action);
  const numbers = (read: (tests: GeneActionTests) => number): Float64Array =>
    Float64Array.from(own, ({ tests }) => read(tests));
  const negLog10P = numbers(({ exact }) => exact.negLog10P);
  const none = new Float64Array(0);
  return {
    ...of,
    markerIndex: Int32Array.from(own, ({ marker }) => marker),
    freqA2: Float64Array.from(own, ({ freqA2 }) => freqA2),
    // So that they rank, and inflate, as tests with one degree of freedom.
    statistic: negLog10P.map(chiSquareOfNegLog10P),
    beta: numbers(({ exact }) => exact.effect),
    sd: numbers(({ exact }) => exact.standardError),
    h2: numbers(({ exact }) => exact.h2),
    p: negLog10P.map(pOf),
    negLog10P,
    atBound: Uint8Array.from(own, ({ tests: { exact } }) => Number(exact.h2 === 0 || exact.h2 === HIGHEST_H2)),
    ...{ domEffect: none, domSe: none, domP: none },
    geneAction: {
      action,
      df: Uint8Array.from(own, ({ tests }) => tests.df),
      df2: Int32Array.from(own, ({ tests }) => tests.df2),
      f: numbers(({ exact }) => exact.f),
      p3d: {
        effect: numbers(({ p3d }) => p3d.effect),
        error: numbers(({ p3d }) => p3d.standardError),
        f: numbers(({ p3d }) => p3d.f),
        h2: numbers(({ p3d }) => p3d.h2),
        negLog10P: numbers(({ p3d }) => p3d.negLog10P),
      },
    },
  };
}

/**
 * Writes the rows of {@link GENE_ACTION_HEADER}.
 *
 * @param first panel index of the first of `markers`
 */
export function writeActionRows(
  lines: LineBuffer,
  { columns, qOf }: WrittenTest,
  { markers, first }: { markers: MarkerTable; first: number },
): void {
  const { geneAction, markerIndex, freqA2, n, beta, sd, h2, negLog10P, statistic } = columns;
  if (geneAction === undefined) throw new TypeError('these are no tests under a gene action');
  const { action, df, df2, f, p3d } = geneAction;
  for (const [j, marker] of markerIndex.entries()) {
    writeMarker(lines, markers, marker - first, { freqA2: freqA2[j], n, action });
    lines.numbers([
      ...[df[j], df2[j], beta[j], sd[j], f[j], h2[j], pOf(negLog10P[j]), negLog10P[j]],
      ...p3dOf(p3d, j),
      ...[qOf(statistic[j]), varianceOfAction(df[j], f[j], n)],
    ]);
    lines.newLine();
  }
}

const p3dOf = ({ effect, error, f, h2, negLog10P }: GeneActionColumns['p3d'], j: number): number[] => [
  ...[effect[j], error[j], f[j], h2[j], pOf(negLog10P[j]), negLog10P[j]],
];

/** Tests all markers and yields the table as CSV, a row for each marker and gene action; at its end, what was found. */
export async function* streamGeneActionCsv(
  scan: GeneActionScan,
  actions: readonly GeneAction[],
  panel: PanelBlocks,
): AsyncGenerator<Uint8Array, GeneActionFigures[]> {
  const lines = new LineBuffer();
  lines.text(csvRow(HEADER));
  const n = scan.individuals.length;
  const found = actions.map((action) => ({ action, exact: [] as number[], p3d: [] as number[], top: '', best: -1 }));
  for await (const { first, count, tested } of scan.blocks()) {
    const markers = await panel.readMarkers(first, count);
    for (const { marker, freqA2, action, tests } of tested) {
      const { df, df2, exact, p3d } = tests;
      const of = found[actions.indexOf(action)];
      of.exact.push(exact.negLog10P);
      of.p3d.push(p3d.negLog10P);
      if (exact.negLog10P > of.best) {
        of.best = exact.negLog10P;
        of.top = markers.id[marker - first];
      }
      writeMarker(lines, markers, marker - first, { freqA2, n, action });
      lines.numbers([df, df2, ...figuresOf(exact), ...figuresOf(p3d)]);
      lines.newLine();
    }
    if (lines.length > 0) yield lines.take();
  }
  return found.map(({ action, exact, p3d, top }) => {
    const bonferroni = ALPHA / Math.max(1, exact.length);
    const beyond = (values: number[]): number => values.filter((value) => value >= -Math.log10(bonferroni)).length;
    return { action, markers: exact.length, bonferroni, hits: beyond(exact), hitsP3d: beyond(p3d), top: top || null };
  });
}

/** The cells up to the gene action, and the comma behind it. */
function writeMarker(
  lines: LineBuffer,
  markers: MarkerTable,
  at: number,
  { freqA2, n, action }: { freqA2: number; n: number; action: GeneAction },
): void {
  lines.text(`${csvCell(markers.chromosome[at])},`);
  if (markers.positionBp[at] > 0) lines.integer(markers.positionBp[at]);
  lines.text(`,${[markers.id, markers.a1, markers.a2].map((of) => csvCell(of[at])).join(',')},`);
  lines.number(freqA2);
  lines.text(`,${n},${action},`);
}

const pOf = (negLog10P: number): number => Math.max(10 ** -negLog10P, Number.MIN_VALUE);

const figuresOf = ({ effect, standardError, f, h2, negLog10P }: GeneActionTests['exact']): number[] => [
  ...[effect, standardError, f, h2, pOf(negLog10P), negLog10P],
];
