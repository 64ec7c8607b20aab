import type { Services } from '../../../platform/http/app.ts';
import { readObject } from '../../../platform/object-storage/stored-panel.ts';
import type { PdfFigure } from '../../../platform/pdf/pdf-figure.ts';
import type { ReportPart } from '../runs/kind/index.ts';
import type { GwasRow, GwasTraitRow } from './gwas.queries.ts';

/** Markers in the table of a trait. */
const SHOWN = 15;
/** Traits with a figure and a table; the sentences name all. */
const TRAITS = 12;
/** Okabe & Ito (2008) blue, and a grey, as on the page. */
const TONES = ['#0072B2', '#6f6f6c'] as const;
const THRESHOLD = '#D55E00';
/** Between chromosomes, of the longest. */
const GAP_SHARE = 0.02;
const MOST_TICKS = 6;

/** Manhattan plot and strongest markers of each trait. */
export async function gwasReport(
  { storage, tables }: Pick<Services, 'storage' | 'tables'>,
  { trait_rows }: GwasRow,
): Promise<ReportPart[]> {
  const parts: ReportPart[] = [];
  for (const row of trait_rows.filter(({ summary }) => summary !== null).slice(0, TRAITS)) {
    const { plot, table } = row.result_keys;
    if (plot !== undefined) {
      // A copy, because the bytes may not begin at a multiple of four.
      const bytes = Uint8Array.from(await readObject(storage, plot));
      parts.push({ what: 'figure', ...manhattan(row, new Float32Array(bytes.buffer)) });
    }
    if (table !== undefined) parts.push(await strongest({ tables }, row, table));
  }
  return parts;
}

/** The points of the page: place of the chromosome, position and −log₁₀ p of each. */
export function manhattan(
  { trait, summary, chromosomes }: Pick<GwasTraitRow, 'trait' | 'summary' | 'chromosomes'>,
  points: Float32Array,
): PdfFigure {
  const names = chromosomes ?? [];
  const lengths = names.map(() => 1);
  let largest = summary === null ? 1 : -Math.log10(summary.bonferroni) + 0.5;
  for (let at = 0; at + 2 < points.length; at += 3) {
    const chromosome = points[at] ?? 0;
    lengths[chromosome] = Math.max(lengths[chromosome] ?? 1, points[at + 1] ?? 0);
    largest = Math.max(largest, points[at + 2] ?? 0);
  }
  const gap = Math.max(1, ...lengths) * GAP_SHARE;
  const offsets: number[] = [];
  let end = 0;
  for (const length of lengths) {
    offsets.push(end);
    end += length + gap;
  }
  const tones: [number, number][][] = [[], []];
  for (let at = 0; at + 2 < points.length; at += 3) {
    const chromosome = points[at] ?? 0;
    tones[chromosome % 2]?.push([(offsets[chromosome] ?? 0) + (points[at + 1] ?? 0), points[at + 2] ?? 0]);
  }
  const top = Math.ceil(largest * 1.05);
  const step = Math.max(1, Math.ceil(top / MOST_TICKS));
  const level = (p: number, name: string, dash: number) => ({ at: -Math.log10(p), name, color: THRESHOLD, dash });
  return {
    title: summary === null ? trait : `${trait}, λ = ${summary.lambda.toFixed(3)}`,
    x: {
      ...{ name: 'Chromosome', from: 0, to: Math.max(1, end - gap) },
      ticks: names.map((name, k) => ({ at: (offsets[k] ?? 0) + (lengths[k] ?? 0) / 2, name })),
    },
    y: {
      ...{ name: '−log₁₀ p', from: 0, to: top, hasGrid: true },
      ticks: Array.from({ length: Math.floor(top / step) + 1 }, (_, k) => ({ at: k * step, name: String(k * step) })),
    },
    series: tones.map((tone, k) => ({ color: TONES[k] ?? TONES[0], points: tone })),
    levels:
      summary === null
        ? []
        : [
            level(summary.bonferroni, 'Bonferroni 5 %', 4),
            ...(summary.fdr === null ? [] : [level(summary.fdr, 'FDR 5 %', 2)]),
          ],
  };
}

interface MarkerRow extends Record<string, unknown> {
  id: string;
  chr: string;
  pos: number;
  a1: string;
  a2: string;
  freq_a2: number | null;
  beta: number | null;
  sd: number | null;
  p: number | null;
}

async function strongest(
  { tables }: Pick<Services, 'tables'>,
  { trait }: GwasTraitRow,
  key: string,
): Promise<ReportPart> {
  const rows = await tables.query<MarkerRow>(
    key,
    (table) =>
      `select id, chr, pos, a1, a2, freq_a2, beta, sd, p from ${table} where p is not null
       order by neg_log10_p desc, place limit ${SHOWN}`,
  );
  const number = (value: number | null): string => (value === null ? '' : String(Number(value.toPrecision(3))));
  const right = 'right' as const;
  return {
    what: 'table',
    title: `${trait}: the ${rows.length} strongest markers`,
    columns: [
      { title: 'Marker', stretches: true },
      { title: 'Chr.' },
      { title: 'Position (bp)', align: right },
      { title: 'Alleles' },
      { title: 'Effect allele' },
      { title: 'Frequency', align: right },
      { title: 'Effect', align: right },
      { title: 'SE', align: right },
      { title: 'p', align: right },
    ],
    rows: rows.map(({ id, chr, pos, a1, a2, freq_a2, beta, sd, p }) => [
      ...[id, chr, pos.toLocaleString('en'), `${a1}/${a2}`, a2],
      ...[number(freq_a2), number(beta), number(sd), (p ?? 1) < 0.001 ? (p ?? 1).toExponential(2) : number(p)],
    ]),
  };
}
