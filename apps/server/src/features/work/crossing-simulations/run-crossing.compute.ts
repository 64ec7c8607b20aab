import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { CrossRow } from '@heterosis/analysis/crossing/cross-figures';
import { crossesCsv, progenyHeader, progenyRows } from '@heterosis/analysis/crossing/crosses-csv';
import { effectsOfModel } from '@heterosis/analysis/crossing/crossing-effects';
import { type CrossResult, evaluateCrosses, type PairRanking } from '@heterosis/analysis/crossing/evaluate-crosses';
import { matchCrosses } from '@heterosis/analysis/crossing/match-crosses';
import { readParentalHaplotypes } from '@heterosis/analysis/crossing/parental-haplotypes';
import { evaluatePolyploidCrosses, LARGEST_DOUBLE_REDUCTION } from '@heterosis/analysis/crossing/polyploids';
import { unpackRecord } from '@heterosis/analysis/results/binary-record';
import { csvRow } from '@heterosis/analysis/results/csv';
import type { CrossingParameters, CrossingReport } from '@heterosis/contracts/work/crossing-simulations';
import { ploidyOf } from '@heterosis/file-formats/genotype/panel/dosages';
import { type Cross, parentsOfCross } from '@heterosis/file-formats/tables/crossing-table/crossing-table';
import { type LinkageMap, mapOfPositions } from '@heterosis/file-formats/tables/linkage-map/linkage-map';
import type { ComputeFunction } from '../../../platform/compute/compute.ts';
import { openStorageLocation, type StorageLocation } from '../../../platform/object-storage/storage-location.ts';
import { readStoredModel } from '../../../platform/object-storage/stored-model.ts';
import {
  openStoredPanel,
  type PanelKeys,
  readingStored,
  readObject,
} from '../../../platform/object-storage/stored-panel.ts';
import { ranks } from '../../../platform/result-tables/read-table-page.ts';
import { createResultTable } from '../../../platform/result-tables/result-table-writer.ts';
import { type ResultColumn, writeResultTable } from '../../../platform/result-tables/write-result-table.ts';
import { correlationColumn, RANKED_FIGURES } from './cross-result-columns.ts';
import type { CrossingResultKind } from './crossing-simulations.queries.ts';

export interface RunCrossingInput {
  storage: StorageLocation;
  panel: PanelKeys;
  /** Key of the original genotype file, for the phase of heterozygous parents. */
  original: string;
  /** Key of the packed crossing table. */
  crosses: string;
  /** Key of the packed linkage map; null for distances from base pairs. */
  linkageMap: string | null;
  /** Keys of the model's specs, one per trait, in the order of the traits. */
  specs: string[];
  parameters: CrossingParameters;
  seed: number;
  /** An empty directory for the results. */
  directory: string;
}

export interface RunCrossingOutput {
  report: CrossingReport;
  files: Partial<Record<CrossingResultKind, string>>;
}

/** Maximum number of crosses without parents that the report names; it counts all of them. */
const MAX_NAMED = 1000;

export const compute: ComputeFunction<RunCrossingInput, RunCrossingOutput> = async (input, context) => {
  const { parameters, directory, seed } = input;
  const storage = openStorageLocation(input.storage);
  context.onProgress({ stage: 'read', done: 0, total: 1 });
  const effects = effectsOfModel(await readStoredModel(storage, input.specs));
  const table = await readPacked<Cross[]>(storage, input.crosses, 'crossing table');
  const panel = await openStoredPanel(storage, input.panel);
  const original = await storage.open(input.original);
  try {
    const { crosses, skipped } = matchCrosses(table, panel.samples, parameters.renames);
    const names = [...new Set(crosses.flatMap(parentsOfCross))];
    const map =
      input.linkageMap === null
        ? mapOfPositions(panel.markers, parameters.bp_per_cm ?? 0)
        : await readPacked<LinkageMap>(storage, input.linkageMap, 'linkage map');
    const files = { csv: join(directory, 'crosses.csv'), table: join(directory, 'crosses.parquet') };
    // Kosambi's map function defines recombination only for pairs of loci, so progeny cannot be simulated from it.
    const simulate = parameters.map_function === 'haldane';
    const progenyFiles = {
      progeny_csv: join(directory, 'progeny.csv'),
      progeny_table: join(directory, 'progeny.parquet'),
    };
    const progeny = simulate
      ? await createProgenyFiles(
          progenyFiles,
          effects.traits.map(({ name }) => name),
        )
      : null;
    try {
      const common = {
        ...{ effects, map, crosses },
        progeny: parameters.progeny,
        selection: { fraction: parameters.selected_fraction, accuracy: parameters.accuracy },
        lowTraits: parameters.low_traits,
        missingMapMarkers: parameters.missing_map_markers,
        ...{ seed, simulate },
        onProgeny: ({ name }: Cross, values: Float64Array) => progeny?.add(name, values),
      };
      const result: EvaluatedCrosses =
        ploidyOf(panel) > 2
          ? await evaluatePolyploidCrosses({ ...common, panel, original, ...pairingOf(parameters) }, context)
          : await evaluateCrosses(
              {
                ...common,
                parents: await readParentalHaplotypes({ panel, original, names }, context),
                population: parameters.population,
                mapFunction: parameters.map_function,
              },
              context,
            );
      context.onProgress({ stage: 'write', done: 0, total: 1 });
      await progeny?.finish();
      await pipeline(Readable.from(crossesCsv(result.rows)), createWriteStream(files.csv));
      const counts = crosses.map(({ progenyCount }) => progenyCount ?? parameters.progeny);
      await writeCrosses(files.table, result, counts);
      return {
        report: reportOf(result, skipped, simulate ? counts : [], parameters.low_traits),
        files: { ...files, ...(simulate ? progenyFiles : {}) },
      };
    } finally {
      await progeny?.close();
    }
  } finally {
    await original.close();
    await panel.close();
  }
};

/** Correlations of traits are not known of polyploids. */
type EvaluatedCrosses = PairRanking & Partial<Pick<CrossResult, 'correlations'>>;

/** Whether homologs are known, and shares of meioses of a chromosome. */
const pairingOf = ({
  phase = 'known',
  pairing,
  preferential = 0,
  double_reduction: reduction,
}: CrossingParameters) => ({
  ...{ phase, preferential },
  quadrivalents:
    pairing === 'quadrivalent' ? Math.min(1, (reduction ?? LARGEST_DOUBLE_REDUCTION) / LARGEST_DOUBLE_REDUCTION) : 0,
});

async function readPacked<Value>(storage: Parameters<typeof readObject>[0], key: string, what: string): Promise<Value> {
  const bytes = await readObject(storage, key);
  return readingStored(what, () => unpackRecord<Value>(bytes));
}

/** Writes the simulated values as CSV for download, and as a table for histograms and the best progeny. */
async function createProgenyFiles(files: Record<'progeny_csv' | 'progeny_table', string>, traits: readonly string[]) {
  const table = await createResultTable(files.progeny_table, [
    { name: 'place', type: 'integer' },
    { name: 'id', type: 'text' },
    { name: 'cross_place', type: 'integer' },
    { name: 'cross_name', type: 'text' },
    ...traits.map((_, t) => ({ name: `value_${t}`, type: 'double' as const })),
  ]);
  const csv = await open(files.progeny_csv, 'w');
  await csv.appendFile(csvRow(progenyHeader(traits)));
  let place = 0;
  let crosses = 0;
  return {
    /** Row by row: a cross may have two million progeny. */
    async add(cross: string, values: Float64Array): Promise<void> {
      const first = place;
      const crossPlace = crosses++;
      let text = '';
      for (const row of progenyRows(cross, values, traits.length)) {
        text += csvRow(row);
        if (text.length < TEXT_AT_ONCE) continue;
        await csv.appendFile(text);
        text = '';
      }
      await csv.appendFile(text);
      function* tableRows() {
        let i = 0;
        for (const [name, id, ...cells] of progenyRows(cross, values, traits.length))
          yield [first + i++, id ?? null, crossPlace, name ?? null, ...cells];
      }
      await table.add(tableRows());
      place += values.length / traits.length;
    },
    finish: () => table.finish(),
    async close(): Promise<void> {
      await csv.close();
      await table.close();
    },
  };
}

const TEXT_AT_ONCE = 1 << 15;

const collator = new Intl.Collator('en', { numeric: true });

/** The figures by which crosses are sorted. */
const RANKED: Record<(typeof RANKED_FIGURES)[number], (row: CrossRow) => number> = {
  mean: (row) => row.mean,
  sd: (row) => row.sd,
  usefulness: (row) => row.usefulness,
  p_transgress: (row) => row.pTransgress,
  expected_best: (row) => row.expectedBest,
};

/** One row per cross; figures in one column per trait. */
async function writeCrosses(path: string, result: EvaluatedCrosses, progeny: readonly number[]): Promise<void> {
  const { traits, rows, correlations } = result;
  const crosses = rows.filter((_, k) => k % traits.length === 0);
  const n = crosses.length;
  const text = (name: string, values: (string | null)[]): ResultColumn => ({ name, type: 'text', values });
  const columns: ResultColumn[] = [
    { name: 'place', type: 'integer', values: ranks(n, () => 0) },
    text(
      'cross_name',
      crosses.map(({ cross }) => cross),
    ),
    text(
      'parent1',
      crosses.map(({ parent1 }) => parent1),
    ),
    text(
      'parent2',
      crosses.map(({ parent2 }) => parent2),
    ),
    text(
      'parent3',
      crosses.map(({ parent3 }) => parent3),
    ),
    text(
      'parent4',
      crosses.map(({ parent4 }) => parent4),
    ),
    // The text searched.
    text(
      'names',
      crosses.map(({ cross, parent1, parent2, parent3, parent4 }) =>
        [cross, parent1, parent2, parent3 ?? '', parent4 ?? ''].join('\t'),
      ),
    ),
    text(
      'population',
      crosses.map(({ population }) => population),
    ),
    { name: 'progeny', type: 'integer', values: progeny },
    { name: 'kinship', type: 'double', values: crosses.map(({ kinship }) => kinship) },
    {
      name: 'segregating_markers',
      type: 'integer',
      values: crosses.map(({ segregatingMarkers }) => segregatingMarkers),
    },
    {
      name: 'by_name',
      type: 'integer',
      values: ranks(n, (a, b) => collator.compare(crosses[a]?.cross ?? '', crosses[b]?.cross ?? '')),
    },
  ];
  for (const t of traits.keys()) {
    const ofTrait = rows.filter((_, k) => k % traits.length === t);
    const values = (figure: (row: CrossRow) => number) => Float64Array.from(ofTrait, figure);
    const add = (name: string, figures: Float64Array) =>
      columns.push({ name: `${name}_${t}`, type: 'double', values: figures });
    for (let parent = 0; parent < 4; parent++) {
      add(
        `parent${parent + 1}_value`,
        values(({ parentValues }) => parentValues[parent] ?? Number.NaN),
      );
    }
    for (const figure of RANKED_FIGURES) {
      const figures = values(RANKED[figure]);
      add(figure, figures);
      columns.push({
        name: `rank_${figure}_${t}`,
        type: 'integer',
        values: ranks(n, (a, b) => (figures[a] ?? 0) - (figures[b] ?? 0)),
      });
    }
    add(
      'sim_mean',
      values((row) => row.simMean ?? Number.NaN),
    );
    add(
      'sim_sd',
      values((row) => Math.sqrt(row.simVariance ?? Number.NaN)),
    );
    for (let u = t + 1; u < traits.length; u++)
      columns.push({
        name: correlationColumn(t, u),
        type: 'double',
        values: crosses.map((_, place) => correlations?.[place]?.values[t * traits.length + u] ?? null),
      });
  }
  await writeResultTable(path, columns);
}

function reportOf(
  { traits, rows, report, mapReport }: EvaluatedCrosses,
  skipped: readonly Cross[],
  progeny: readonly number[],
  lowTraits: readonly string[],
): CrossingReport {
  const best: CrossingReport['best'] = {};
  for (const { cross, trait, usefulness } of rows) {
    const known = best[trait];
    const isBetter =
      known === undefined ||
      (lowTraits.includes(trait) ? usefulness < known.usefulness : usefulness > known.usefulness);
    if (isBetter) best[trait] = { cross, usefulness };
  }
  return {
    ...report,
    crosses: rows.length / traits.length,
    skipped: skipped.length,
    skipped_crosses: skipped
      .slice(0, MAX_NAMED)
      .map(({ name, female, male, line }) => ({ cross: name, female, male, line })),
    progeny: progeny.reduce((sum, count) => sum + count, 0),
    warnings: mapReport.problems
      .filter(({ severity }) => severity === 'warning')
      .map(({ code, message, suggestion }) => ({ code, message, suggestion })),
    best,
  };
}
