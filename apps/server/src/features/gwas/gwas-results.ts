import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { alignPhenotype } from '@heterosis/analysis/align-phenotype';
import { countEffectiveTests, type GwasSummary, gwasCsv, summarized, summaryOf } from '@heterosis/analysis/finish-gwas';
import type { GwasColumns, GwasState } from '@heterosis/analysis/gwas';
import type { GenotypePanel, MarkerTable } from '@heterosis/file-formats/genotype/genotype-panel';
import { blocksOf } from '@heterosis/file-formats/genotype/panel-blocks';
import type { PhenotypeTable } from '@heterosis/file-formats/tables/phenotype-table';
import { summarizeTests } from '@heterosis/statgen/association/summarize-tests';
import type { ComputeContext } from '../../platform/compute/compute.ts';
import type { StoredInputs } from '../../platform/object-storage/stored-panel.ts';
import { writeResultTable } from '../../platform/result-tables/write-result-table.ts';
import type { ErrorExtra } from '../runs/index.ts';
import type { GwasResultKind, GwasSummaryRow } from './gwas.queries.ts';
import { manhattanSvg } from './manhattan-svg.ts';
import { plotPoints, qqPoints } from './plot-points.ts';

/** What the compute processes of a GWAS are told; all read the storage themselves. */
export interface GwasComputeInput extends StoredInputs {
  renames: { from: string; to: string }[];
  /** An empty directory for what is written. */
  directory: string;
}

export interface GwasTraitOutput {
  trait: string;
  error: ErrorExtra | null;
  result: { summary: GwasSummaryRow; chromosomes: string[]; files: Record<GwasResultKind, string> } | null;
}

/** Results of the traits of one state, from the tests of all markers. `columns` has one entry a trait. */
export async function writeGwasResults(
  input: Pick<GwasComputeInput, 'directory' | 'renames'>,
  panel: GenotypePanel,
  phenotype: PhenotypeTable,
  { state, group, columns }: { state: GwasState; group: number; columns: readonly GwasColumns[] },
  context: ComputeContext,
): Promise<GwasTraitOutput[]> {
  const { markers } = panel;
  const effective = await countEffectiveTests(state, blocksOf(panel), {
    ...context,
    // The tests themselves are done: this belongs to what is written.
    onProgress: ({ done, total }) => context.onProgress({ stage: 'write', done, total }),
  });
  const outputs: GwasTraitOutput[] = [];
  for (const [place, ofTrait] of columns.entries()) {
    const { trait } = ofTrait;
    context.onProgress({ stage: 'write', done: place, total: columns.length });
    const columnsOfTrait = summarized(ofTrait);
    const tests = summarizeTests(ofTrait.statistic);
    const summary = summaryOf(columnsOfTrait, tests, state, effective);
    const q = ofTrait.statistic.map(tests.qOf);
    const chromosomes = chromosomesOf(ofTrait, markers);
    const aligned = alignPhenotype(panel.samples, phenotype, [trait], { renames: input.renames });
    const values = aligned[0]?.values ?? new Float64Array();
    const individuals = {
      positions: Array.from(state.individuals),
      values: Array.from(state.individuals, (position) => values[position] ?? Number.NaN),
    };
    const labels = { title: trait, bonferroni: summary.bonferroni, fdr: summary.fdr, lambda: summary.lambda };
    const prefix = join(input.directory, `${group}.${place}`);
    const files = await writeFiles(prefix, ofTrait, q, markers, chromosomes, individuals, labels);
    outputs.push({
      trait,
      error: null,
      result: { chromosomes, files, summary: summaryRow(summary, ofTrait, markers) },
    });
  }
  return outputs;
}

function summaryRow(summary: GwasSummary, columns: GwasColumns, markers: MarkerTable): GwasSummaryRow {
  const { n, m, lambda, h2, bonferroni, fdr, effectiveTests, hits, top, covariates, withoutCovariate } = summary;
  return {
    n,
    m,
    lambda,
    h2,
    bonferroni,
    fdr,
    effective_tests: effectiveTests === null ? null : Math.round(effectiveTests),
    hits,
    ...(covariates.length === 0 ? {} : { covariates, without_covariate: withoutCovariate }),
    top:
      top === null
        ? null
        : {
            id: markers.id[top] ?? '',
            chr: markers.chromosome[top] ?? '',
            pos: markers.positionBp[top] ?? 0,
            p: columns.p[columns.markerIndex.indexOf(top)] ?? Number.NaN,
          },
  };
}

const collator = new Intl.Collator('en', { numeric: true });

/** Chromosomes that have a result, in natural order: 1, 2, …, 10; 1A, 1B. */
function chromosomesOf(columns: GwasColumns, markers: MarkerTable): string[] {
  const seen = new Set<string>();
  for (const place of columns.markerIndex) seen.add(markers.chromosome[place] ?? '');
  return [...seen].sort(collator.compare);
}

async function writeFiles(
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
