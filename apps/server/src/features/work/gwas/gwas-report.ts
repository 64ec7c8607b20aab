import { formatPValue } from '@heterosis/charts/format';
import { thresholdsOf } from '@heterosis/charts/genome/gwas-thresholds';
import type { ManhattanThreshold } from '@heterosis/charts/genome/manhattan';
import type { GwasQq } from '@heterosis/contracts/work/gwas';
import type { Services } from '../../../platform/http/app.ts';
import { readObject } from '../../../platform/object-storage/stored-panel.ts';
import type { ReportPart } from '../runs/report/index.ts';
import type { GwasRow, GwasTraitRow } from './gwas.queries.ts';

const HEIGHT = 175;
/** Markers in the table of a trait. */
const SHOWN = 15;
/** Traits with figures and a table; the sentences name all. */
const TRAITS = 12;
/** Manhattan plot, QQ plot and strongest markers of each trait. */
export async function gwasReport(services: Services, { trait_rows }: GwasRow): Promise<ReportPart[]> {
  const parts: ReportPart[] = [];
  for (const row of trait_rows.filter(({ summary }) => summary !== null).slice(0, TRAITS)) {
    const { plot, qq, table } = row.result_keys;
    if (plot !== undefined) parts.push(await manhattanOf(services, row, plot));
    if (qq !== undefined) parts.push(await qqOf(services, qq));
    if (table !== undefined) parts.push(await strongest(services, row, table));
  }
  return parts;
}

async function manhattanOf({ storage }: Services, row: GwasTraitRow, key: string): Promise<ReportPart> {
  const { trait, summary, chromosomes } = row;
  // A copy, because the bytes may not begin at a multiple of four.
  const bytes = new Uint8Array(await readObject(storage, key));
  const { bonferroni, permutations, fdrLine, suggestive } = summary === null ? {} : thresholdsOf(summary);
  const line = (label: string, p: number | undefined): ManhattanThreshold[] =>
    p === undefined ? [] : [{ label, negLog10P: -Math.log10(p) }];
  return {
    what: 'figure',
    title: `${trait}: associations along the genome`,
    caption: 'Lines: the levels that a marker has to reach.',
    ...{ width: 'twoThirds', height: HEIGHT },
    figure: {
      chart: 'manhattan',
      given: {
        ...{ points: new Float32Array(bytes.buffer), chromosomes: chromosomes ?? [], y: '−log₁₀ p' },
        thresholds: [
          ...line('Bonferroni 5 %', bonferroni),
          ...line('Permutations 5 %', permutations?.p),
          ...line('FDR 5 %', fdrLine),
          ...line('Suggestive (1/m)', suggestive),
        ],
      },
    },
  };
}

async function qqOf({ storage }: Services, key: string): Promise<ReportPart> {
  const { points, m, lambda } = JSON.parse(new TextDecoder().decode(await readObject(storage, key))) as GwasQq;
  return {
    what: 'figure',
    title: `QQ plot, λ = ${lambda.toFixed(3)}`,
    caption: 'Above the band p-values are smaller than by chance.',
    ...{ width: 'third', height: HEIGHT },
    figure: { chart: 'qq', given: { points, m } },
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
  df?: number | null;
  f?: number | null;
  p3d_neg_log10_p?: number | null;
}

async function strongest({ tables }: Services, { trait, summary }: GwasTraitRow, key: string): Promise<ReportPart> {
  const isOfAction = summary?.gene_action !== undefined;
  const rows = await tables.query<MarkerRow>(
    key,
    (table) =>
      `select id, chr, pos, a1, a2, freq_a2, beta, sd, p ${isOfAction ? ', df, f, p3d_neg_log10_p' : ''} from ${table}
       where p is not null order by neg_log10_p desc, place limit ${SHOWN}`,
  );
  const right = 'right' as const;
  const p3d = ({ p3d_neg_log10_p: value }: MarkerRow): string => formatPValue(value == null ? null : 10 ** -value);
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
      ...(isOfAction
        ? [
            { title: 'F', align: right },
            { title: 'df', align: right },
            { title: 'p (P3D)', align: right },
          ]
        : []),
      { title: isOfAction ? 'p (exact)' : 'p', align: right },
    ],
    rows: rows.map((row) => {
      const { id, chr, pos, a1, a2, freq_a2, beta, sd, p, f, df } = row;
      return [
        ...[id, chr, pos.toLocaleString('en'), `${a1}/${a2}`, a2],
        ...[freq_a2, beta, sd],
        ...(isOfAction ? [f, String(df ?? ''), p3d(row)] : []),
        formatPValue(p),
      ];
    }),
  };
}
