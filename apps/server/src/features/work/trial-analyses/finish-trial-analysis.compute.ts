import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describeError } from '@heterosis/analysis/describe-error';
import type { MeanCovariance } from '@heterosis/analysis/means/mean-covariance';
import { traitsOfMeans } from '@heterosis/analysis/means/means-with-errors';
import { packRecord, unpackRecord } from '@heterosis/analysis/results/binary-record';
import type { TrialMeansWithErrors } from '@heterosis/analysis/trials/field-of-trial';
import type { trialReport } from '@heterosis/analysis/trials/trial-tables';
import type { TrialTraitSummary } from '@heterosis/contracts/work/trial-analyses';
import type { ByteSource } from '@heterosis/file-formats/byte-source';
import type { Matrix } from '@heterosis/statgen/linear-algebra';
import { weighingErrors } from '@heterosis/statgen/mixed-model/weighing-errors';
import { packErrors } from '@heterosis/statgen/mixed-model/whitening';
import { StatgenError } from '@heterosis/statgen/statgen-error';
import type { ComputeContext, ComputeFunction } from '../../../platform/compute/compute.ts';
import { openStorageLocation, type StorageLocation } from '../../../platform/object-storage/storage-location.ts';
import { type PanelKeys, readingStored, readObject } from '../../../platform/object-storage/stored-panel.ts';
import { ranks } from '../../../platform/result-tables/read-table-page.ts';
import { type ResultColumn, writeResultTable } from '../../../platform/result-tables/write-result-table.ts';
import { packErrorTriangles } from '../line-values/index.ts';
import type { ErrorExtra } from '../runs/work/index.ts';
import type { TrialRecord } from './fit-trials.compute.ts';
import type { Unmeasured } from './plots-of-run.ts';
import { type AnalysedSeries, seriesOfTrait } from './series-of-trait.ts';
import { type ByteRange, type StoredTrials, trialName } from './stored-trials.ts';
import type { TrialAnalysisParameters, TrialResultKind } from './trial-analyses.queries.ts';
import { sentenceOfTrait } from './trial-sentences.ts';

export interface FinishTrialAnalysisInput {
  storage: StorageLocation;
  /** Of the keys of everything that the attempt writes. */
  prefix: string;
  /** All trials in order. */
  trials: { environment: string; trait: string }[];
  unmeasured: Unmeasured[] | undefined;
  traits: string[];
  panel: PanelKeys | null;
  /** Key of the packed pedigree. */
  pedigree: string | null;
  parameters: TrialAnalysisParameters;
  /** An empty directory for the results. */
  directory: string;
}

/** A trait of the run: its figures and files, or why there are none. */
export interface TrialTraitOutput {
  trait: string;
  error: ErrorExtra | null;
  result: {
    summary: TrialTraitSummary;
    files: Partial<Record<TrialResultKind, string>>;
  } | null;
}

type Storage = ReturnType<typeof openStorageLocation>;
type Place = { place: number; record: TrialRecord };

/** Puts the trials of each trait together, as the command line writes them, and analyses their series. */
export const compute: ComputeFunction<FinishTrialAnalysisInput, TrialTraitOutput[]> = async (input, context) => {
  const storage = openStorageLocation(input.storage);
  const outputs: TrialTraitOutput[] = [];
  for (const trait of input.traits) {
    const places = [...input.trials.keys()].filter((place) => input.trials[place]?.trait === trait);
    const records: Place[] = [];
    for (const place of places) {
      const bytes = await readObject(storage, `${input.prefix}${trialName(place, 'record')}`);
      records.push({ place, record: readingStored('record of a trial', () => unpackRecord<TrialRecord>(bytes)) });
    }
    outputs.push(await finishTrait(trait, records, { input, storage, context }));
  }
  return outputs;
};

interface Finishing {
  input: FinishTrialAnalysisInput;
  storage: Storage;
  context: ComputeContext;
}

async function finishTrait(
  trait: string,
  records: readonly Place[],
  { input, storage, context }: Finishing,
): Promise<TrialTraitOutput> {
  const strips = records.map(({ record }) => record.strip);
  const analysed = records.filter(({ record }) => record.summary !== null);
  if (analysed.length === 0) return { trait, error: whyNone(trait, strips), result: null };
  const file = (kind: string): string => join(input.directory, `${input.traits.indexOf(trait)}-${kind}`);
  const files: Partial<Record<TrialResultKind, string>> = {};
  for (const table of ['means', 'covariance', 'plots'] as const) {
    const keys = analysed.map(({ place }) => `${input.prefix}${trialName(place, table)}`);
    files[table] = file(table);
    await pipeline(Readable.from(tablesAsOne(storage, keys)), createWriteStream(file(table)));
  }
  files.report = file('report');
  const trials = analysed.flatMap(({ record }) => record.summary ?? []);
  await writeFile(files.report, `${JSON.stringify({ trials } satisfies ReturnType<typeof trialReport>, null, 2)}\n`);
  files.means_table = file('means_table');
  await writeMeansTable(files.means_table, records);
  files.covariances = file('covariances');
  const covariances = await writeRecords(files.covariances, records, ({ record: { means } }) => {
    return means === null ? null : packRecord(covarianceOf(means.lines, omegaOf(means)));
  });
  const unit = analysed[0]?.record.unit ?? null;
  const means = analysed.flatMap(({ record }) => record.means ?? []);
  const joined = joinedMeans(means);
  if (typeof joined !== 'string') {
    files.joined_table = file('joined_table');
    await writeResultTable(files.joined_table, joined.table);
    files.joined_covariance = file('joined_covariance');
    await writeFile(files.joined_covariance, packRecord(joined.covariance));
  }
  const series = await seriesOfTrait({ ...input, trait, unit, means, storage }, context);
  const none = 'text' in series ? series : null;
  if (!('text' in series)) Object.assign(files, await writeSeries(series, file));
  const errors = 'text' in series ? records.flatMap(({ record }) => record.errors ?? [])[0] : series.errors;
  if (errors != null) {
    files.errors = file('errors');
    await writeFile(files.errors, packErrorTriangles([errors]));
  }
  files.trials = file('trials');
  files.fields = file('fields');
  const fields = await writeRecords(files.fields, records, async ({ place, record: { summary } }) =>
    summary === null ? null : await readObject(storage, `${input.prefix}${trialName(place, 'field')}`),
  );
  await writeFile(
    files.trials,
    JSON.stringify({
      trait,
      unit,
      data: strips,
      fields,
      covariances,
      notJoined: typeof joined === 'string' ? joined : null,
    } satisfies StoredTrials),
  );
  const figures: Omit<TrialTraitSummary, 'sentence'> = {
    ...{ unit, environments: strips.length, left_out: strips.length - analysed.length },
    plots: strips.reduce((sum, { plots }) => sum + plots, 0),
    lines: new Set(analysed.flatMap(({ record }) => record.rows.map(({ line }) => line))).size,
    ...(input.unmeasured === undefined ? {} : { unmeasured: environmentsOf(input.unmeasured, trait) }),
    outliers: strips.reduce((sum, { outliers }) => sum + outliers.length, 0),
    suspicions: strips.reduce((sum, { suspicions }) => sum + suspicions.length, 0),
    h2: spread(strips.flatMap(({ h2 }) => h2?.cullis ?? [])),
    structure: 'text' in series ? null : series.page.structure,
    no_series: none?.text ?? null,
    no_series_code: none?.code ?? null,
  };
  return {
    ...{ trait, error: null },
    result: {
      summary: { sentence: sentenceOfTrait(trait, strips, figures), ...figures },
      files,
    },
  };
}

const environmentsOf = (trials: readonly Unmeasured[], trait: string): string[] =>
  trials.flatMap((one) => (one.trait === trait ? [one.environment] : []));

function whyNone(trait: string, strips: readonly { reason: string | null; action: string | null }[]): ErrorExtra {
  const [first] = strips;
  if (first === undefined)
    return {
      code: 'trials/no-values',
      message: `No plot of the files has a value of ${trait}.`,
      action: 'Choose other traits or environments, or check the files.',
    };
  return { code: 'trials/not-possible', message: first.reason ?? '', action: first.action ?? '' };
}

function spread(values: number[]): TrialTraitSummary['h2'] {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const [min, max, low, high] = [0, sorted.length - 1, Math.floor(middle), Math.ceil(middle)].map((i) => sorted[i]);
  if (min === undefined || max === undefined || low === undefined || high === undefined) return null;
  return { min, median: (low + high) / 2, max };
}

interface JoinedMeans {
  table: ResultColumn[];
  covariance: MeanCovariance;
}

/** The means of all environments, joined by generalised least squares; otherwise why they cannot be. */
function joinedMeans(means: readonly TrialMeansWithErrors[]): JoinedMeans | string {
  try {
    const read = means.map((own) => ({ ...own, fileLines: new Int32Array(own.lines.length) }));
    const { table, errors } = traitsOfMeans({ means: read, from: 'covariance' }, 'full');
    const [own] = [...(errors?.traits.values() ?? [])];
    if (own === undefined || own.covariance instanceof Float64Array)
      throw new TypeError('joined means have a covariance');
    const { covariance, places } = own;
    const lines: string[] = [];
    for (const [row, place] of places.entries()) lines[place] = table.individuals[row] ?? '';
    const weighing = weighingErrors(covariance);
    const errorOf = (place: number): number => Math.sqrt(covariance.data[place * (covariance.rows + 1)] ?? Number.NaN);
    return {
      table: [
        { name: 'line', type: 'text', values: table.individuals },
        { name: 'mean', type: 'double', values: table.values[0] ?? [] },
        { name: 'se', type: 'double', values: Array.from(places, errorOf) },
        { name: 'weighing_se', type: 'double', values: Array.from(places, (place) => weighing[place] ?? Number.NaN) },
      ],
      covariance: covarianceOf(lines, covariance),
    };
  } catch (error) {
    const described = describeError(error);
    if (described === null) throw error;
    return described.message;
  }
}

const omegaOf = ({ lines, covariance }: TrialMeansWithErrors): Matrix => ({
  ...{ rows: lines.length, columns: lines.length, data: covariance },
});

const covarianceOf = (lines: string[], omega: Matrix): MeanCovariance => ({ lines, covariance: packErrors(omega) });

/** Line → what its mean weighs; none where the covariance has no inverse, with which no analysis can weigh. */
function weighingOf(means: TrialMeansWithErrors): Map<string, number> {
  try {
    const errors = weighingErrors(omegaOf(means));
    return new Map(means.lines.map((line, place) => [line, errors[place] ?? Number.NaN]));
  } catch (error) {
    if (!(error instanceof StatgenError && error.code === 'errors-not-positive-definite')) throw error;
    return new Map();
  }
}

/** Tables with the same header as one. */
async function* tablesAsOne(storage: Storage, keys: readonly string[]): AsyncGenerator<Uint8Array> {
  const NEW_LINE = 10;
  for (const [i, key] of keys.entries()) {
    const source: ByteSource & { close(): Promise<void> } = await storage.open(key);
    try {
      let isHeader = i > 0;
      for await (const chunk of source.stream()) {
        const end = isHeader ? chunk.indexOf(NEW_LINE) : -1;
        if (isHeader && end < 0) continue;
        isHeader = false;
        yield chunk.subarray(end + 1);
      }
    } finally {
      await source.close();
    }
  }
}

/** What each trial has, behind one another, so that a reader takes one of them by its range of bytes. */
async function writeRecords(
  path: string,
  records: readonly Place[],
  bytesOf: (record: Place) => Uint8Array | null | Promise<Uint8Array | null>,
): Promise<ByteRange[]> {
  const ranges: ByteRange[] = [];
  let offset = 0;
  async function* bytes(): AsyncGenerator<Uint8Array> {
    for (const record of records) {
      const own = await bytesOf(record);
      ranges.push(own === null ? null : { offset, length: own.length });
      if (own === null) continue;
      offset += own.length;
      yield own;
    }
  }
  await pipeline(Readable.from(bytes(), { objectMode: false }), createWriteStream(path));
  return ranges;
}

const collator = new Intl.Collator('en', { numeric: true });

async function writeMeansTable(path: string, records: readonly Place[]): Promise<void> {
  const analysed = records.filter(({ record }) => record.summary !== null);
  const placeOf = new Map(records.map(({ record }, place) => [record.strip, place]));
  const rows = analysed.flatMap(({ record: { rows: own, strip, means } }) => {
    const weighing = means === null ? new Map<string, number>() : weighingOf(means);
    const { environment } = strip;
    return own.map((row) => ({ ...row, weighing_se: weighing.get(row.line) ?? null, environment, of: strip }));
  });
  const number = (value: number | null): number => value ?? Number.NEGATIVE_INFINITY;
  const by = (name: string, compare: (a: (typeof rows)[number], b: (typeof rows)[number]) => number) => ({
    ...{ name, type: 'integer' as const },
    values: ranks(rows.length, (a, b) => (rows[a] && rows[b] ? compare(rows[a], rows[b]) : 0)),
  });
  await writeResultTable(path, [
    by('place', () => 0),
    by('by_line', (a, b) => collator.compare(a.line, b.line)),
    by('by_environment', (a, b) => collator.compare(a.environment, b.environment)),
    by('by_mean', (a, b) => number(a.mean) - number(b.mean)),
    by('by_blup', (a, b) => number(a.blup) - number(b.blup)),
    // Its place among the strips.
    { name: 'environment_place', type: 'integer', values: rows.map(({ of }) => placeOf.get(of) ?? -1) },
    { name: 'environment', type: 'text', values: rows.map(({ environment }) => environment) },
    { name: 'line', type: 'text', values: rows.map(({ line }) => line) },
    ...(['mean', 'se', 'weighing_se', 'blup', 'blup_se'] as const).map((name) => ({
      ...{ name, type: 'double' as const },
      values: rows.map((row) => row[name]),
    })),
    { name: 'replicates', type: 'integer', values: rows.map(({ replicates }) => replicates) },
  ]);
}

async function writeSeries(
  { csv, report, page, effects }: AnalysedSeries,
  file: (kind: string) => string,
): Promise<Partial<Record<TrialResultKind, string>>> {
  await pipeline(Readable.from(csv), createWriteStream(file('series')));
  await pipeline(Readable.from(report), createWriteStream(file('series_report')));
  await writeFile(file('series_page'), JSON.stringify(page));
  await writeResultTable(file('series_table'), effects);
  return {
    ...{ series: file('series'), series_report: file('series_report'), series_page: file('series_page') },
    series_table: file('series_table'),
  };
}
