import { readFile, writeFile } from 'node:fs/promises';
import { alignPhenotype } from '@heterosis/analysis/align-phenotype';
import { unpackRecord } from '@heterosis/analysis/binary-record';
import { gwasCsv, runGwas } from '@heterosis/analysis/finish-gwas';
import type { GwasColumns } from '@heterosis/analysis/gwas';
import { openPanelFiles } from '@heterosis/analysis/open-panel';
import type { MarkerTable } from '@heterosis/file-formats/genotype/genotype-panel';
import type { PhenotypeTable } from '@heterosis/file-formats/tables/phenotype-table';
import type { ComputeFunction } from '../../platform/compute/compute.ts';
import { writeResultTable } from '../../platform/result-tables/write-result-table.ts';
import type { ErrorExtra } from '../runs/index.ts';
import type { GwasResultKind, GwasSummaryRow, GwasTestName } from './gwas.queries.ts';
import { manhattanSvg } from './manhattan-svg.ts';
import { plotPoints, qqPoints } from './plot-points.ts';

export interface GwasInput {
  panelPrefix: string;
  phenotypePath: string;
  outPrefix: string;
  traits: string[];
  test: GwasTestName;
  fixed: number;
  maf: number;
  callRate: number;
  renames: { from: string; to: string }[];
}

export interface GwasTraitOutput {
  trait: string;
  error: ErrorExtra | null;
  result: { summary: GwasSummaryRow; chromosomes: string[]; files: Record<GwasResultKind, string> } | null;
}

export const compute: ComputeFunction<GwasInput, GwasTraitOutput[]> = async (input, context) => {
  const panel = await openPanelFiles(input.panelPrefix);
  try {
    const phenotype = unpackRecord<PhenotypeTable>(await readFile(input.phenotypePath));
    const names = { renames: input.renames };
    const runs = await runGwas(
      {
        panel,
        phenotype,
        traits: input.traits,
        test: input.test,
        fixed: input.fixed,
        maf: input.maf,
        callRate: input.callRate,
        countEffective: true,
        ...names,
      },
      context,
    );
    const outputs: GwasTraitOutput[] = [];
    for (const [index, run] of runs.entries()) {
      context.onProgress({ stage: 'write', done: index, total: runs.length });
      if (run.result === null) {
        outputs.push({ trait: run.trait, error: run.error as ErrorExtra, result: null });
        continue;
      }
      const { columns, summary, state } = run.result;
      const prefix = `${input.outPrefix}.${index}`;
      const markers = panel.markers;
      const chromosomes = chromosomesOf(columns, markers);
      const values = alignPhenotype(panel.samples, phenotype, [run.trait], names)[0]?.values ?? new Float64Array();
      const top = summary.top;
      const files = await writeResults(
        prefix,
        columns,
        summary.q,
        markers,
        chromosomes,
        {
          positions: Array.from(state.individuals),
          values: Array.from(state.individuals, (position) => values[position] ?? Number.NaN),
        },
        { title: run.trait, bonferroni: summary.bonferroni, fdr: summary.fdr, lambda: summary.lambda },
      );
      outputs.push({
        trait: run.trait,
        error: null,
        result: {
          chromosomes,
          files,
          summary: {
            n: summary.n,
            m: summary.m,
            lambda: summary.lambda,
            h2: summary.h2,
            bonferroni: summary.bonferroni,
            fdr: summary.fdr,
            effective_tests: summary.effectiveTests === null ? null : Math.round(summary.effectiveTests),
            hits: summary.hits,
            top:
              top === null
                ? null
                : {
                    id: markers.id[top] ?? '',
                    chr: markers.chromosome[top] ?? '',
                    pos: markers.positionBp[top] ?? 0,
                    p: columns.p[columns.markerIndex.indexOf(top)] ?? Number.NaN,
                  },
          },
        },
      });
    }
    return outputs;
  } finally {
    await panel.close();
  }
};

const collator = new Intl.Collator('en', { numeric: true });

/** Chromosomes that have a result, in natural order: 1, 2, …, 10; 1A, 1B. */
function chromosomesOf(columns: GwasColumns, markers: MarkerTable): string[] {
  const seen = new Set<string>();
  for (const place of columns.markerIndex) seen.add(markers.chromosome[place] ?? '');
  return [...seen].sort(collator.compare);
}

async function writeResults(
  prefix: string,
  columns: GwasColumns,
  q: Float64Array,
  markers: MarkerTable,
  chromosomes: string[],
  individuals: { positions: number[]; values: number[] },
  labels: { title: string; bonferroni: number; fdr: number | null; lambda: number },
): Promise<Record<GwasResultKind, string>> {
  const files: Record<GwasResultKind, string> = {
    csv: `${prefix}.csv`,
    table: `${prefix}.parquet`,
    plot: `${prefix}.plot`,
    qq: `${prefix}.qq.json`,
    image: `${prefix}.svg`,
    individuals: `${prefix}.individuals.json`,
  };
  const places = columns.markerIndex;
  const chromosomeIndex = new Map(chromosomes.map((name, index) => [name, index]));
  const chromosome = Int32Array.from(places, (place) => chromosomeIndex.get(markers.chromosome[place] ?? '') ?? 0);
  const position = Float64Array.from(places, (place) => markers.positionBp[place] ?? 0);
  const isWald = columns.test === 'WALD';
  await writeFile(files.csv, [...gwasCsv(columns, markers)].join(''));
  await writeResultTable(files.table, [
    { name: 'id', type: 'text', values: Array.from(places, (place) => markers.id[place] ?? '') },
    { name: 'chr', type: 'text', values: Array.from(places, (place) => markers.chromosome[place] ?? '') },
    { name: 'chr_index', type: 'integer', values: chromosome },
    { name: 'pos', type: 'double', values: position },
    { name: 'place', type: 'integer', values: places },
    { name: 'a1', type: 'text', values: Array.from(places, (place) => markers.a1[place] ?? '') },
    { name: 'a2', type: 'text', values: Array.from(places, (place) => markers.a2[place] ?? '') },
    { name: 'freq_a2', type: 'double', values: columns.freqA2 },
    { name: 'statistic', type: 'double', values: columns.statistic },
    { name: 'beta', type: 'double', values: isWald ? columns.beta : columns.beta.map(() => Number.NaN) },
    { name: 'sd', type: 'double', values: isWald ? columns.sd : columns.sd.map(() => Number.NaN) },
    { name: 'h2', type: 'double', values: columns.h2 },
    { name: 'p', type: 'double', values: columns.p },
    { name: 'neg_log10_p', type: 'double', values: columns.negLog10P },
    { name: 'q', type: 'double', values: q },
  ]);
  const points = plotPoints(chromosome, position, columns.negLog10P);
  await writeFile(files.plot, new Uint8Array(points.buffer));
  await writeFile(
    files.qq,
    JSON.stringify({ lambda: labels.lambda, m: columns.p.length, points: qqPoints(columns.negLog10P) }),
  );
  await writeFile(files.image, manhattanSvg(points, chromosomes, labels));
  await writeFile(files.individuals, JSON.stringify(individuals));
  return files;
}
