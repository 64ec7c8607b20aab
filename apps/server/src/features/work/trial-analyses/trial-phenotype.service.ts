import type { File } from '@heterosis/contracts/data/files';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { trialAnalysesApi } from '@heterosis/contracts/endpoints/work/trial-analyses';
import { suspectNumbers } from '@heterosis/file-formats/tables/phenotype/missing-codes';
import { csvChunks } from '@heterosis/file-formats/tables/text/csv-writer';
import type { Services } from '../../../platform/http/app.ts';
import type { ProjectCall } from '../../../platform/http/bind.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { createMadeFile, getFile, requireFolder } from '../../data/files/index.ts';
import { getNamedRun } from '../runs/kind/index.ts';
import { keyOf, placeOf, stripsOf } from './read-trials.ts';
import type { ByteRange } from './stored-trials.ts';
import type { TrialAnalysisRow, TrialTraitRow } from './trial-analyses.queries.ts';
import { trialAnalyses } from './trial-analysis.kind.ts';

interface MeanOfLine extends Record<string, unknown> {
  line: string;
  mean: number | null;
  weighing_se: number | null;
}

/** Means of a trait, with the name and unit of its columns, and where their covariance is stored. */
interface MeansOfTrait {
  trait: string;
  unit: string | null;
  means: Map<string, MeanOfLine>;
  covariance: { key: string; range: ByteRange };
}

/** The column of the standard errors by which the means of a trait weigh; see `weighingErrors`. */
const errorColumn = (trait: string): string => `${trait} SE for weights`;

/**
 * `POST …/trial_analyses/{id}/phenotype`. For each trait the file has a column of means and one of the standard errors
 * by which they weigh, and brings their covariance along: models and GWAS take the one or the other (`weights`).
 */
export async function makePhenotype(
  { services, access, principal }: ProjectCall,
  {
    id,
    body: { name, folder_id: folderId = null, environment, description },
  }: InputOf<typeof trialAnalysesApi.makePhenotype>,
): Promise<File> {
  const { projectId, organizationId } = access;
  const row = await getNamedRun(trialAnalyses, services.db, projectId, id);
  const traits = await meansOfRun(services, row, environment);
  const what = environment === undefined ? 'Means over all environments' : `Means of ${environment}`;
  const covariance = await covarianceOf(services.storage, environment ?? null, traits);
  const fileId = await createMadeFile(
    services,
    { projectId, organizationId, folderId, fileType: 'PHENOTYPE', createdBy: principal.userId },
    {
      defaultName: name,
      contentType: 'text/csv',
      description:
        description ??
        `${what} with their covariance, from the trial analysis “${row.name}”. An SE for weights leaves out what all means share, such as the level of a field, and is no standard error of the mean.`,
      options: { measured_values: suspectValues(traits) },
      bytes: bytesOf(traits),
      covariance,
    },
    { before: (trx) => requireFolder(trx, projectId, folderId) },
  );
  return await getFile({ services, access }, { file_id: fileId });
}

/**
 * Values about which a check would ask whether they mean "missing": lines with equally few plots have one standard
 * error, far from that of the others. Nothing that an analysis has computed does.
 */
function suspectValues(traits: readonly MeansOfTrait[]): string[] {
  const suspects = traits.flatMap(({ means }) =>
    (['mean', 'weighing_se'] as const).flatMap((column) =>
      suspectNumbers(Float64Array.from(means.values(), (one) => one[column] ?? Number.NaN)),
    ),
  );
  return [...new Set(suspects.map(({ code }) => String(code)))];
}

/** The stored covariances behind one another: they are copied, and outlive the run. */
async function covarianceOf(
  storage: Services['storage'],
  environment: string | null,
  traits: readonly MeansOfTrait[],
): Promise<NonNullable<Parameters<typeof createMadeFile>[2]['covariance']>> {
  const pieces: { key: string; offset: number; length: number }[] = [];
  for (const { covariance } of traits) {
    const { key, range } = covariance;
    const length = range?.length ?? (await storage.find(key))?.sizeBytes ?? 0;
    pieces.push({ key, offset: range?.offset ?? 0, length });
  }
  let offset = 0;
  const placed = traits.map(({ trait, means }, place) => {
    const { length = 0 } = pieces[place] ?? {};
    const one = { trait, lines: means.size, standard_errors: errorColumn(trait), offset, length };
    offset += length;
    return one;
  });
  return { what: { environment, traits: placed }, bytes: copied(storage, pieces) };
}

/** Bytes in memory at once. */
const PIECE_BYTES = 4 * 1024 * 1024;

async function* copied(
  storage: Services['storage'],
  pieces: readonly { key: string; offset: number; length: number }[],
): AsyncGenerator<Uint8Array> {
  for (const { key, offset, length } of pieces) {
    const source = await storage.open(key);
    try {
      for (let done = 0; done < length; done += PIECE_BYTES)
        yield await source.read(offset + done, Math.min(PIECE_BYTES, length - done));
    } finally {
      await source.close();
    }
  }
}

/** The traits that have means; refuses a run without any. */
async function meansOfRun(
  services: Services,
  row: TrialAnalysisRow,
  environment: string | undefined,
): Promise<MeansOfTrait[]> {
  const reasons: string[] = [];
  const found: MeansOfTrait[] = [];
  for (const one of row.trait_rows) {
    if (one.status !== 'SUCCESS') continue;
    const { unit, data, notJoined, covariances } = await stripsOf(services, one);
    if (environment === undefined && notJoined !== null) reasons.push(notJoined);
    else {
      const place = environment === undefined ? null : placeOf(data, environment);
      const means = await readMeans(services, one, place);
      const covariance = {
        key: keyOf(one, place === null ? 'joined_covariance' : 'covariances'),
        range: place === null ? null : (covariances[place] ?? null),
      };
      if (means.length > 0)
        found.push({ trait: one.trait, unit, means: new Map(means.map((mean) => [mean.line, mean])), covariance });
    }
  }
  if (found.length > 0) return found;
  throw new Problem('runs/no-result', reasons[0] ?? `"${row.name}" has no means of which a file could be made.`);
}

/** Those of one environment, by its place among the strips, or of all. */
async function readMeans(services: Services, row: TrialTraitRow, place: number | null): Promise<MeanOfLine[]> {
  const key = keyOf(row, place === null ? 'joined_table' : 'means_table');
  const where = place === null ? '' : `and environment_place = ${place} order by place`;
  return await services.tables.query<MeanOfLine>(
    key,
    (table) => `select line, mean, weighing_se from ${table} where mean is not null ${where}`,
  );
}

async function* bytesOf(traits: readonly MeansOfTrait[]): AsyncGenerator<Uint8Array> {
  const lines = [...new Set(traits.flatMap(({ means }) => [...means.keys()]))];
  const inUnit = (name: string, unit: string | null): string => (unit === null ? name : `${name} (${unit})`);
  const header = [
    'line',
    ...traits.flatMap(({ trait, unit }) => [inUnit(trait, unit), inUnit(errorColumn(trait), unit)]),
  ];
  const rows = lines.map((line) => [
    line,
    ...traits.flatMap(({ means }) => [means.get(line)?.mean ?? null, means.get(line)?.weighing_se ?? null]),
  ]);
  const encoder = new TextEncoder();
  for (const chunk of csvChunks(header, rows)) yield encoder.encode(chunk);
}
