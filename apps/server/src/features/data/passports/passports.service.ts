import { unpackRecord } from '@heterosis/analysis/results/binary-record';
import {
  type Passport,
  type PassportCross,
  type PassportLocus,
  PHOTOS_OF_LINE,
} from '@heterosis/contracts/data/passports';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { passportsApi } from '@heterosis/contracts/endpoints/data/passports';
import { normalizeName } from '@heterosis/file-formats/names/normalize-name';
import { type Cross, parentsOfCross } from '@heterosis/file-formats/tables/crossing-table/crossing-table';
import type { Services } from '../../../platform/http/app.ts';
import type { ProjectCall } from '../../../platform/http/bind.ts';
import { readObject } from '../../../platform/object-storage/stored-panel.ts';
import { readStages } from '../../work/decisions/index.ts';
import { findNamedRun, type RunKindDefinition } from '../../work/runs/kind/index.ts';
import { derivedKey, findFile } from '../files/index.ts';
import { getLine, type OccurrencesOfLine } from '../germplasm/index.ts';
import { readPhotosOfLine } from '../trials/index.ts';
import { readChosen } from './chosen-loci.service.ts';
import { type LineOf, listListsNaming, listTrialsWith, readParents } from './passports.queries.ts';

/** What the wiring supplies. */
interface WithKinds {
  kinds: readonly RunKindDefinition[];
}

/** Files and runs whose values are shown at once. */
const SOURCES = 50;
/** Runs that are asked for loci, the newest. */
const LOCUS_RUNS = 50;
/** Crossing tables that are read, the newest. */
const CROSSING_TABLES = 10;
const MOST_CROSSES = 200;

/** `GET /projects/{p}/passport`. */
export async function readPassport(
  call: ProjectCall & WithKinds,
  { query }: InputOf<typeof passportsApi.readPassport>,
): Promise<Passport> {
  const { services, access } = call;
  const { db } = services;
  const line = await getLine(call, query.line);
  const { germplasm, progenyCount, occurrences } = line;
  const names = [germplasm.name, ...germplasm.synonyms.map((one) => one.name)];
  const { projectId } = access;
  const of: LineOf = { projectId, id: germplasm.id, names };
  const [stages, parents, trials, lists, values, loci, crosses, chosen, photos] = await Promise.all([
    readStages(db, projectId, [germplasm.id]),
    readParents(db, access.organizationId, germplasm.id),
    listTrialsWith(db, of),
    listListsNaming(db, of),
    line.values(SOURCES),
    readLoci(call, projectId, occurrences),
    readCrosses(services, projectId, occurrences),
    readChosen(call, projectId, occurrences),
    readPhotosOfLine(db, of, PHOTOS_OF_LINE),
  ]);
  return {
    ...{ germplasm, ...parents, progeny_count: progenyCount },
    stages: stages.map(({ stage, decision_id: id, decision: name, set_by, set_at }) => ({
      ...{ stage, decision: id === null || name === null ? null : { id, name }, set_by, set_at },
    })),
    ...{ trials, values, loci, lists, crosses, chosen, ...photos },
  };
}

/** Of each trait the loci of the newest run that has any. */
async function readLoci(
  { services, kinds }: Pick<ProjectCall, 'services'> & WithKinds,
  projectId: string,
  { runs, writtenIn }: OccurrencesOfLine,
): Promise<PassportLocus[]> {
  const finding = new Map(kinds.flatMap((one) => (one.lociOf === undefined ? [] : [[one.kind, one]])));
  const asked = runs.filter(({ kind }) => finding.has(kind)).slice(0, LOCUS_RUNS);
  const byRun = await Promise.all(
    asked.map(async ({ id, name, kind, files }) => {
      const definition = finding.get(kind);
      const row = definition && (await findNamedRun(definition, services.db, projectId, id));
      if (row === undefined) return [];
      const names = [...new Set(files.flatMap((file) => writtenIn.get(file) ?? []))];
      const found = (await definition?.lociOf?.(services, row, names)) ?? [];
      return found.map(({ individual: _individual, ...locus }) => ({ run: { id, name }, ...locus }));
    }),
  );
  const newest = new Map<string, string>();
  for (const { trait, run } of byRun.flat()) if (!newest.has(trait)) newest.set(trait, run.id);
  return byRun.flat().filter(({ trait, run }) => newest.get(trait) === run.id);
}

async function readCrosses(
  { db, storage }: Pick<Services, 'db' | 'storage'>,
  projectId: string,
  { files }: OccurrencesOfLine,
): Promise<PassportCross[]> {
  const crosses: PassportCross[] = [];
  const tables = files.filter(({ kind }) => kind === 'CROSSING_TABLE').slice(0, CROSSING_TABLES);
  for (const { id, name, written } of tables) {
    const file = await findFile(db, projectId, id);
    // Deleted, or being checked again, since the list was made.
    if (file?.meta.keys?.table === undefined) continue;
    const meant = new Set(written);
    for (const cross of unpackRecord<Cross[]>(await readObject(storage, derivedKey(file, 'table')))) {
      const parents = parentsOfCross(cross);
      if (parents.some((parent) => meant.has(normalizeName(parent))))
        crosses.push({ file: { id, name }, name: cross.name, parents, progeny: cross.progenyCount });
    }
  }
  return crosses.slice(0, MOST_CROSSES);
}
