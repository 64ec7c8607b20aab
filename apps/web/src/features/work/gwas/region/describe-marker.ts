import { escapeHtml } from '@heterosis/charts/chart-option';
import type { GwasRow } from '@heterosis/contracts/work/gwas';
import { toCsv } from '../../../../lib/format/csv.ts';
import { formatMb, formatPValue, formatStatistic } from '../../../../lib/format/format.ts';

/** Lines of a tooltip as HTML, the first one in bold type. */
const htmlOf = ([first = '', ...others]: readonly string[]): string =>
  [`<b>${escapeHtml(first)}</b>`, ...others.map(escapeHtml)].join('<br>');

interface Texts {
  chromosome: (chr: string) => string;
  effect: (allele: string) => string;
}

/** What the plot alone knows of a point, while its marker is looked up: place and p. */
export function describePoint(
  { chr, positionBp, negLog10P }: { chr: string; positionBp: number; negLog10P: number },
  texts: Texts,
): string {
  return htmlOf([`${texts.chromosome(chr)}, ${formatMb(positionBp)} Mb`, `p = ${formatPValue(10 ** -negLog10P)}`]);
}

/** Name, place, alleles, effect with its standard error where there is one, and p of a marker. */
export function describeMarker(row: GwasRow, texts: Texts): string {
  const error = row.sd === null ? '' : ` ± ${formatStatistic(row.sd)}`;
  return htmlOf([
    row.id,
    `${texts.chromosome(row.chr)}, ${formatMb(row.pos)} Mb`,
    `A1/A2: ${row.A1}/${row.A2}`,
    ...(row.beta === null ? [] : [`${texts.effect(row.A2)}: ${formatStatistic(row.beta)}${error}`]),
    `p = ${formatPValue(row.p)}`,
  ]);
}

/** Columns of the CSV of all markers that the figure is about. */
export const MARKER_HEAD: readonly string[] = [
  ...['id', 'chr', 'pos', 'A1', 'A2', 'freqA2', 'n', 'effect', 'effect_se', 'p', 'neg_log10_p', 'q', 'pve'],
];

export const markerRows = (rows: readonly GwasRow[]): (string | number | null)[][] =>
  rows.map((row) => [
    ...[row.id, row.chr, row.pos, row.A1, row.A2, row.freqA2, row.n],
    ...[row.beta, row.sd, row.p, row.neg_log10_p, row.q, row.pve],
  ]);

/** The markers of a part of the plot as CSV. */
export const markersCsv = (rows: readonly GwasRow[]): string => toCsv(MARKER_HEAD, markerRows(rows));
