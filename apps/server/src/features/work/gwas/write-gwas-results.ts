import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type ClumpedMarker,
  type ClumpingRule,
  clumpsCsv,
  createHitGatherer,
  type HitGatherer,
  type NamedClump,
} from '@heterosis/analysis/gwas/clump-hits';
import { nameMarkersOf } from '@heterosis/analysis/gwas/describe-stepwise';
import { GENE_ACTION_HEADER, writeActionRows } from '@heterosis/analysis/gwas/gene-actions/gene-action-table';
import type { GwasColumns } from '@heterosis/analysis/gwas/gwas-columns';
import type { GwasState } from '@heterosis/analysis/gwas/gwas-state';
import {
  createRowsWriter,
  gwasHeader,
  type NamedColumns,
  summarize,
  withMarkers,
} from '@heterosis/analysis/gwas/gwas-table';
import type { SeveralTraitsScan } from '@heterosis/analysis/gwas/several-traits/scan-several-traits';
import { severalTraitsHeader, writeJointRows } from '@heterosis/analysis/gwas/several-traits/several-traits-table';
import { countEffectiveTests, type GwasSummary, summaryOf } from '@heterosis/analysis/gwas/summarize-gwas';
import { alignPhenotype } from '@heterosis/analysis/inputs/align-phenotype';
import { AscendingNumbers } from '@heterosis/analysis/results/ascending-numbers';
import type { GeneAction } from '@heterosis/contracts/options/gwas';
import type { MarkerTable } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import type { ChromosomeRun, PanelBlocks } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import type { PhenotypeTable } from '@heterosis/file-formats/tables/phenotype/phenotype-table';
import { csvRow } from '@heterosis/file-formats/tables/text/csv-writer';
import { LineBuffer } from '@heterosis/file-formats/text/line-buffer';
import { chiSquareP } from '@heterosis/statgen/association/chi-square-tail';
import type { TestSummary } from '@heterosis/statgen/association/summarize-tests';
import type { ComputeContext } from '../../../platform/compute/compute.ts';
import type { KeptOfRun } from '../../../platform/object-storage/left-out.ts';
import type { StoredInputs } from '../../../platform/object-storage/stored-panel.ts';
import { createResultTable, type ResultCell } from '../../../platform/result-tables/result-table-writer.ts';
import type { ErrorExtra } from '../runs/work/index.ts';
import type { GwasSummaryRow, GwasTraitFile } from './gwas.queries.ts';
import { manhattanSvg } from './manhattan-svg.ts';
import { gatherPlot, qqPoints, qqRanks, type Span, widen } from './plot-points.ts';

/** Input of the compute processes of a GWAS, which read the storage directly. */
export interface GwasComputeInput extends StoredInputs {
  renames: { from: string; to: string }[];
  /** How hits in LD are put together; null where they are not. */
  clumping: ClumpingRule | null;
  /** An empty directory for the output. */
  directory: string;
}

export interface GwasTraitOutput {
  trait: string;
  error: ErrorExtra | null;
  result: { summary: GwasSummaryRow; chromosomes: string[]; files: TraitFiles } | null;
}

/** Those of clumps only where hits were put together. */
type ClumpFile = 'clumps' | 'clumps_csv';
type TraitFiles = Record<Exclude<GwasTraitFile, ClumpFile>, string> & Partial<Record<ClumpFile, string>>;

/** The prepared tests of a group of traits, with their results. */
interface GroupResults {
  state: GwasState;
  /** Begins the names of its files. */
  group: string | number;
  parts: GwasParts;
  /** What was left out of the genotype; null when nothing was to be. Results name places of the whole genotype. */
  found: KeptOfRun | null;
  /** Of tests on several traits together, which have the one place of a trait. */
  joint?: JointTests;
  /** Of tests of the one trait under a gene action. */
  geneAction?: ActionTests;
}

interface ActionTests {
  trait: string;
  action: GeneAction;
}

interface JointTests {
  test: 'any' | 'specific';
  scan: SeveralTraitsScan;
}

/** The results of a trait of one state (by its index among the traits) in pieces; may be read repeatedly. */
export type GwasParts = (trait: number) => AsyncIterable<GwasColumns> | Iterable<GwasColumns>;

/**
 * Writes the results of the traits of one prepared state, one trait at a time, in two passes over its parts: first the
 * summary, then the files. Only the plotted points and the steps of the q value are kept in memory.
 */
export async function writeGwasResults(
  input: Pick<GwasComputeInput, 'directory' | 'renames' | 'clumping'>,
  { panel, phenotype }: { panel: PanelBlocks; phenotype: PhenotypeTable },
  { state, group, parts, found: leftOut, joint, geneAction }: GroupResults,
  context: ComputeContext,
): Promise<GwasTraitOutput[]> {
  // The tests are done: report what follows as the writing stage.
  const writing: ComputeContext = {
    ...context,
    onProgress: ({ done, total }) => context.onProgress({ stage: 'write', done, total }),
  };
  // They are counted from correlations of copies of A2.
  const effective = geneAction === undefined ? await countEffectiveTests(state, panel, writing) : null;
  const outputs: GwasTraitOutput[] = [];
  for (const [place, trait] of state.traits.entries()) {
    context.onProgress({ stage: 'write', done: place, total: state.traits.length });
    const threshold = state.permutations?.thresholds[place]?.[state.test];
    const hits = input.clumping === null ? null : createHitGatherer(input.clumping);
    const found = await summarizeParts(parts(place), panel, threshold, hits);
    const clumps = (await hits?.finish(panel, state.individuals, writing)) ?? null;
    const { tests } = found;
    const columns = { trait, test: state.test, n: state.model.n, top: found.top, atBound: found.atBound, tests };
    const summary = summaryOf(columns, state, effective);
    const [aligned] =
      joint === undefined
        ? alignPhenotype(panel.samples, phenotype, [geneAction?.trait ?? trait], { renames: input.renames })
        : [];
    const values = aligned?.values ?? new Float64Array();
    const individuals = {
      positions: Array.from(state.individuals, (position) => placeIn(leftOut?.kept.samples, position)),
      values: Array.from(state.individuals, (position) => values[position] ?? Number.NaN),
    };
    const { bonferroni, lambda } = summary;
    const labels = { title: trait, bonferroni, fdr: fdrLine(summary), lambda };
    const { chromosomes, spans } = found;
    const files = await writeFiles(join(input.directory, `${group}.${place}`), {
      test: state.test,
      dominance: state.dominance,
      joint,
      isOfAction: geneAction !== undefined,
      results: withMarkers(parts(place), panel),
      tests,
      chromosomes,
      spans,
      individuals,
      labels,
      keptMarkers: leftOut?.kept.markers,
      clumps,
    });
    const top = found.top === null ? null : await topMarker(panel, found.top, found.largest);
    const search = state.stepwise?.[place];
    const stepwise = search === undefined ? {} : { stepwise: await nameMarkersOf(search, panel) };
    outputs.push({
      trait,
      error: null,
      result: {
        chromosomes,
        files,
        summary: summaryWith(
          {
            ...{ ...summaryRow(summary, top), ...stepwise, ...clumpsOf(clumps), ...severalOf(joint) },
            ...(geneAction === undefined
              ? {}
              : { gene_action: { ...geneAction, hits_p3d: await hitsByP3d(parts(place), bonferroni) } }),
            engine: state.engine,
          },
          leftOut,
        ),
      },
    });
  }
  return outputs;
}

/** The place in the whole genotype of a place among what is kept. */
const placeIn = (kept: Int32Array | null | undefined, place: number): number => kept?.[place] ?? place;

function severalOf(joint: JointTests | undefined): Pick<GwasSummaryRow, 'several'> {
  if (joint === undefined) return {};
  const { traits, records, figures } = joint.scan;
  const { genetic_correlation, residual_correlation, log_likelihood, converged } = figures;
  return {
    several: {
      ...{ test: joint.test, traits, records, genetic_correlation, residual_correlation, log_likelihood, converged },
    },
  };
}

/** Markers of tests under a gene action beyond the threshold at the variances of the model without marker. */
async function hitsByP3d(parts: ReturnType<GwasParts>, bonferroni: number): Promise<number> {
  let hits = 0;
  for await (const { geneAction } of parts)
    for (const value of geneAction?.p3d.negLog10P ?? []) hits += Number(value >= -Math.log10(bonferroni));
  return hits;
}

const clumpsOf = (clumps: readonly NamedClump[] | null): Pick<GwasSummaryRow, 'clumps'> =>
  clumps === null ? {} : { clumps: clumps.length };

const summaryWith = (summary: GwasSummaryRow, leftOut: KeptOfRun | null): GwasSummaryRow =>
  leftOut === null ? summary : { ...summary, left_out: leftOut.report };

interface FoundResults {
  /** Includes −log₁₀ p at the ranks of `qqRanks`. */
  tests: TestSummary;
  /** Panel index of the largest one; null without markers. */
  top: number | null;
  largest: number;
  /** Markers whose h² is at a bound. */
  atBound: number;
  /** Chromosomes with results, in natural order: 1, 2, …, 10; 1A, 1B. */
  chromosomes: string[];
  /** Indices of these in the list. */
  spans: Map<number, Span>;
}

const collator = new Intl.Collator('en', { numeric: true });

async function summarizeParts(
  parts: ReturnType<GwasParts>,
  panel: PanelBlocks,
  threshold: number | undefined,
  hits: HitGatherer | null,
): Promise<FoundResults> {
  const runs = await panel.chromosomeRuns();
  const hasResult = new Uint8Array(runs.length);
  const statistics = new AscendingNumbers();
  let largest = Number.NEGATIVE_INFINITY;
  let top = -1;
  let atBound = 0;
  let run = 0;
  let tests: TestSummary;
  try {
    for await (const part of parts) {
      for (let j = 0; j < part.markerIndex.length; j++) {
        const place = part.markerIndex[j] ?? 0;
        const value = part.statistic[j] ?? Number.NaN;
        if (value > largest) {
          largest = value;
          top = place;
        }
        while (place >= endOf(runs[run])) run++;
        hasResult[run] = 1;
        atBound += part.atBound[j] ?? 0;
      }
      hits?.add(part);
      await statistics.add(part.statistic);
    }
    tests = await summarize(statistics, qqRanks(statistics.count), threshold);
  } finally {
    await statistics.close();
  }
  const tested = runs.filter((_, place) => hasResult[place] === 1);
  const chromosomes = [...new Set(tested.map(({ chromosome }) => chromosome))].sort(collator.compare);
  const indexOf = new Map(chromosomes.map((name, index) => [name, index]));
  const spans = new Map<number, Span>();
  for (const { chromosome, firstBp, lastBp } of tested) widen(spans, indexOf.get(chromosome) ?? 0, firstBp, lastBp);
  return { tests, top: top < 0 ? null : top, largest, atBound, chromosomes, spans };
}

const endOf = (run: ChromosomeRun | undefined): number =>
  run === undefined ? Number.POSITIVE_INFINITY : run.first + run.count;

async function topMarker(panel: PanelBlocks, place: number, statistic: number): Promise<GwasSummaryRow['top']> {
  const { id, chromosome, positionBp } = await panel.readMarkers(place, 1);
  return { id: id[0] ?? '', chr: chromosome[0] ?? '', pos: positionBp[0] ?? 0, p: chiSquareP(statistic) };
}

/** Where the line of the Benjamini–Hochberg procedure is drawn: its critical value, below which all discoveries lie. */
const fdrLine = ({ fdrHits, m }: GwasSummary): number | null => (fdrHits === 0 ? null : (0.05 * fdrHits) / m);

function summaryRow(summary: GwasSummary, top: GwasSummaryRow['top']): GwasSummaryRow {
  const {
    n,
    m,
    lambda,
    h2,
    h2Se,
    kinshipPve,
    kinshipPveSe,
    chromosomesLeftOut,
    atBound,
    bonferroni,
    fdr,
    fdrHits,
    effectiveTests,
    hits,
    permutations,
    errors,
    covariates,
    conditionedOn,
    withoutCovariate,
  } = summary;
  return {
    n,
    m,
    lambda,
    h2: Number.isNaN(h2) ? null : h2,
    h2_se: h2Se,
    ...(Number.isNaN(kinshipPve) ? {} : { kinship_pve: kinshipPve }),
    kinship_pve_se: kinshipPveSe,
    ...(chromosomesLeftOut === null
      ? {}
      : {
          chromosomes_left_out: chromosomesLeftOut.map(({ kinshipPve: kinship_pve, ...rest }) => ({
            ...rest,
            kinship_pve,
          })),
        }),
    bonferroni,
    fdr,
    fdr_hits: fdrHits,
    effective_tests: effectiveTests === null ? null : Math.round(effectiveTests.tests),
    effective_tests_block: effectiveTests?.blockMarkers ?? null,
    hits,
    ...(permutations === null ? {} : { permutations }),
    ...(errors === null ? {} : { errors: { from: errors.from, residual_lines: errors.residualLines } }),
    at_bound: atBound,
    ...(covariates.length === 0 ? {} : { covariates, without_covariate: withoutCovariate }),
    ...(conditionedOn.length === 0 ? {} : { conditioned_on: conditionedOn.map(({ name, use }) => ({ name, use })) }),
    top,
  };
}

const TABLE_COLUMNS = [
  { name: 'id', type: 'text' },
  { name: 'chr', type: 'text' },
  { name: 'chr_index', type: 'integer' },
  { name: 'pos', type: 'double' },
  { name: 'place', type: 'integer' },
  { name: 'a1', type: 'text' },
  { name: 'a2', type: 'text' },
  { name: 'freq_a2', type: 'double' },
  { name: 'statistic', type: 'double' },
  { name: 'beta', type: 'double' },
  { name: 'sd', type: 'double' },
  { name: 'h2', type: 'double' },
  { name: 'p', type: 'double' },
  { name: 'neg_log10_p', type: 'double' },
  { name: 'q', type: 'double' },
] as const;

/** Only when dominance is tested. */
const DOMINANCE_COLUMNS = [
  { name: 'dom_effect', type: 'double' },
  { name: 'dom_se', type: 'double' },
  { name: 'dom_p', type: 'double' },
] as const;

/** Of tests on several traits: figures of the test, then those of each trait by its place. */
const jointColumnsOf = ({ scan }: JointTests) =>
  ['chi2', 'df', 'main', 'main_se', ...scan.traits.flatMap((_, k) => [`effect_${k}`, `effect_se_${k}`])].map(
    (name) => ({ name, type: 'double' as const }),
  );

/** Only of tests under a gene action. */
const ACTION_COLUMNS = ['df', 'df2', 'f', 'p3d_beta', 'p3d_sd', 'p3d_f', 'p3d_h2', 'p3d_neg_log10_p'].map((name) => ({
  name,
  type: 'double' as const,
}));

/** Only when hits are put together. */
const CLUMP_COLUMN = { name: 'clump', type: 'text' } as const;

interface TraitResults extends Pick<FoundResults, 'chromosomes' | 'spans'> {
  test: GwasState['test'];
  dominance: boolean;
  joint: JointTests | undefined;
  isOfAction: boolean;
  results: AsyncIterable<NamedColumns>;
  tests: TestSummary;
  individuals: { positions: number[]; values: number[] };
  labels: { title: string; bonferroni: number; fdr: number | null; lambda: number };
  keptMarkers: Int32Array | null | undefined;
  clumps: readonly NamedClump[] | null;
}

/** Names may repeat, at different places. */
const markerKey = ({ id, chr, pos }: Pick<ClumpedMarker, 'id' | 'chr' | 'pos'>): string => `${chr}\t${pos}\t${id}`;

/** The first marker of the clump of each marker that is in one. */
const clumpOfMarker = (clumps: readonly NamedClump[]): Map<string, string> =>
  new Map(clumps.flatMap((clump) => [clump, ...clump.members].map((one) => [markerKey(one), clump.id] as const)));

async function writeClumps(
  prefix: string,
  clumps: readonly NamedClump[] | null,
): Promise<Partial<Record<ClumpFile, string>>> {
  if (clumps === null) return {};
  const files = { clumps: `${prefix}.clumps.json`, clumps_csv: `${prefix}.clumps.csv` };
  await writeFile(files.clumps, JSON.stringify(clumps));
  await writeFile(files.clumps_csv, clumpsCsv(clumps));
  return files;
}

/** A cell without number is empty. */
const orNull = (value: number | undefined): number | null =>
  value === undefined || Number.isNaN(value) ? null : value;

function jointCells({ joint }: GwasColumns, j: number): ResultCell[] {
  if (joint === undefined) return [];
  const { chiSquare, df, main, mainError, effects, errors } = joint;
  return [
    ...[chiSquare[j], df[j], main[j], mainError[j]].map(orNull),
    ...effects.flatMap((own, k) => [orNull(own[j]), orNull(errors[k]?.[j])]),
  ];
}

function actionCells({ geneAction }: GwasColumns, j: number): ResultCell[] {
  if (geneAction === undefined) return [];
  const { df, df2, f, p3d } = geneAction;
  return [df, df2, f, p3d.effect, p3d.error, p3d.f, p3d.h2, p3d.negLog10P].map((own) => orNull(own[j]));
}

async function writeFiles(prefix: string, trait: TraitResults): Promise<TraitFiles> {
  const { test, dominance, joint, isOfAction, results, tests, chromosomes, spans, ...others } = trait;
  const { individuals, labels, keptMarkers, clumps } = others;
  const files = {
    csv: `${prefix}.csv`,
    table: `${prefix}.parquet`,
    plot: `${prefix}.plot`,
    qq: `${prefix}.qq.json`,
    image: `${prefix}.svg`,
    individuals: `${prefix}.individuals.json`,
    ...(await writeClumps(prefix, clumps)),
  };
  const chromosomeIndex = new Map(chromosomes.map((name, index) => [name, index]));
  const plot = gatherPlot(tests.tested, spans);
  const csv = await open(files.csv, 'w');
  const table = await createResultTable(files.table, [
    ...TABLE_COLUMNS,
    ...(dominance ? DOMINANCE_COLUMNS : []),
    ...(joint === undefined ? [] : jointColumnsOf(joint)),
    ...(isOfAction ? ACTION_COLUMNS : []),
    ...(clumps === null ? [] : [CLUMP_COLUMN]),
  ]);
  const clumpOf = clumpOfMarker(clumps ?? []);
  const writeRows = createRowsWriter(dominance);
  const lines = new LineBuffer();
  try {
    const header = isOfAction ? GENE_ACTION_HEADER : gwasHeader([test], dominance);
    lines.text(csvRow(joint === undefined ? header : severalTraitsHeader(joint.test, joint.scan.traits)));
    for await (const { columns, markers, first } of results) {
      const written = { columns, qOf: tests.qOf };
      if (joint !== undefined) writeJointRows(lines, joint.test, written, { markers, first });
      else if (isOfAction) writeActionRows(lines, written, { markers, first });
      else writeRows(lines, [written], markers, first);
      await csv.appendFile(lines.take());
      await table.add(tableRows(columns, markers, first));
    }
    // Without results the file has only its header.
    await csv.appendFile(lines.take());
    await table.finish();
  } finally {
    await table.close();
    await csv.close();
  }

  function* tableRows(columns: GwasColumns, markers: MarkerTable, first: number): Generator<ResultCell[]> {
    for (const [j, place] of columns.markerIndex.entries()) {
      const k = place - first;
      const chromosome = markers.chromosome[k] ?? '';
      const index = chromosomeIndex.get(chromosome) ?? 0;
      const position = markers.positionBp[k] ?? 0;
      const statistic = columns.statistic[j] ?? Number.NaN;
      const negLog10P = columns.negLog10P[j] ?? Number.NaN;
      plot.add(index, position, negLog10P);
      yield [
        ...[markers.id[k] ?? '', chromosome, index, position, placeIn(keptMarkers, place)],
        ...[markers.a1[k] ?? '', markers.a2[k] ?? ''],
        ...[columns.freqA2[j] ?? null, statistic],
        ...[orNull(columns.beta[j]), orNull(columns.sd[j])],
        ...[orNull(columns.h2[j]), columns.p[j] ?? null, negLog10P, tests.qOf(statistic)],
        ...(dominance ? [columns.domEffect[j] ?? null, columns.domSe[j] ?? null, columns.domP[j] ?? null] : []),
        ...jointCells(columns, j),
        ...actionCells(columns, j),
        ...(clumps === null
          ? []
          : [clumpOf.get(markerKey({ id: markers.id[k] ?? '', chr: chromosome, pos: position })) ?? null]),
      ];
    }
  }

  const points = plot.points();
  await writeFile(files.plot, new Uint8Array(points.buffer));
  const qq = qqPoints(tests.tested, tests.negLog10P);
  await writeFile(files.qq, JSON.stringify({ lambda: labels.lambda, m: tests.tested, points: qq }));
  await writeFile(files.image, manhattanSvg(points, chromosomes, labels));
  await writeFile(files.individuals, JSON.stringify(individuals));
  return files;
}
