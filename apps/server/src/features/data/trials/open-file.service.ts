import { withoutEndings } from '@heterosis/contracts/data/file-formats';
import { MAX_PLACES, MAX_PLOTS, MAX_TRIAL_TRAITS, type Trial } from '@heterosis/contracts/data/trials';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { trialsApi } from '@heterosis/contracts/endpoints/data/trials';
import { UNSET_TRAIT } from '@heterosis/contracts/people/traits';
import {
  type PhenotypeRecords,
  readPhenotypeRecords,
} from '@heterosis/file-formats/tables/phenotype/phenotype-records';
import type { ProjectCall } from '../../../platform/http/bind.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { changeTraits, knownTraits } from '../../people/projects/index.ts';
import { type FileRow, phenotypeOptionsOf, requireReadyFile } from '../files/index.ts';
import { matchEntries } from './entries.ts';
import { requirePlots, summaryOf } from './layout.ts';
import { insertObservations, raiseRevision } from './observations.queries.ts';
import { insertPlots } from './plots.queries.ts';
import { hasPlots, type TrialOfFile, trialsOfFile } from './plots-of-file.ts';
import { insertTrialEvent } from './trial-events.queries.ts';
import { insertTrial, recountCollected, updateTrial } from './trials.queries.ts';
import { getTrial, nameTaken, tell } from './trials.service.ts';

/** `POST …/trials/from_file`: a trial for each environment of a phenotype file with plots, all or none. */
export async function openFile(
  call: ProjectCall,
  { body: { file_id, season, location_name } }: InputOf<typeof trialsApi.openFile>,
): Promise<{ data: Trial[] }> {
  const { services, access, principal } = call;
  const { projectId } = access;
  const file = await requireReadyFile(services.db, projectId, file_id, 'PHENOTYPE');
  const records = await recordsOf(call, file);
  const individuals = records.units.map(({ individual }) => individual);
  const { entries } = await matchEntries(services.db, projectId, individuals);
  const found = trialsOfFile(records, entries, file.created_at);
  requireSizes(file, found);
  await addTraits(call, found);
  const base = withoutEndings(file.name) || file.name;
  const data: Trial[] = [];
  await services.db.transaction().execute(async (trx) => {
    for (const { name: environment, location, season: year, plots, observations, traits } of found) {
      requirePlots(plots, 'body.file_id');
      const name = (environment === null ? base : `${base} ${environment}`).slice(0, 255);
      const id = await nameTaken(name, () =>
        insertTrial(trx, {
          ...{ project_id: projectId, created_by: principal.userId, name, design: null, plot_name: '{plot}' },
          ...{ season: (year ?? season ?? file.created_at.slice(0, 4)).slice(0, 50), traits },
          ...{ location_name: location ?? location_name ?? environment ?? base, latitude: null, longitude: null },
          ...{ description: null, sown_on: null, harvested_on: null, plot_length_m: null, plot_width_m: null },
          ...summaryOf(plots),
          ...{ opened_file_id: file.id, opened_environment: environment },
        }),
      );
      await insertPlots(trx, id, plots);
      const planted = new Set(plots.flatMap(({ number, entry }) => (entry === null ? [] : [number])));
      await insertObservations(
        trx,
        id,
        observations.flatMap((one) => (planted.has(one.plot) ? [{ ...one, created_by: principal.userId }] : [])),
      );
      if (observations.length > 0) await updateTrial(trx, projectId, id, { state: 'SOWN' });
      await raiseRevision(trx, id, { filled: 0, traits: [] });
      await recountCollected(trx, id);
      await insertTrialEvent(trx, id, {
        ...{ type: 'CREATED', note: `From the file “${file.name}”.`, created_by: principal.userId },
      });
      await tell(trx, access, id);
      data.push(await getTrial({ services: { db: trx }, access }, { id }));
    }
  });
  return { data };
}

async function recordsOf({ services: { storage } }: ProjectCall, file: FileRow): Promise<PhenotypeRecords> {
  const source = await storage.open(file.storage_key, file.name);
  try {
    const records = await readPhenotypeRecords(source, phenotypeOptionsOf(file.meta));
    if (records !== null && hasPlots(records)) return records;
  } finally {
    await source.close();
  }
  throw new Problem(
    'trials/no-plots',
    `"${file.name}" has no column of plots, rows, columns, replicates or blocks. A trial is opened from a file with a row for each plot.`,
  );
}

function requireSizes(file: FileRow, found: readonly TrialOfFile[]): void {
  const largest = Math.max(0, ...found.map(({ plots }) => plots.length));
  const widest = Math.max(0, ...found.map(({ traits }) => traits.length));
  if (found.length <= MAX_PLACES && largest <= MAX_PLOTS && widest <= MAX_TRIAL_TRAITS) return;
  throw new Problem(
    'request/too-large',
    `"${file.name}" has ${found.length} environments with up to ${largest} plots and ${widest} traits; at most ${MAX_PLACES}, ${MAX_PLOTS} and ${MAX_TRIAL_TRAITS} are opened at once. Divide the file.`,
  );
}

/** Words are no traits of the project until somebody lists them; a trial measures them all the same. */
async function addTraits({ services, access }: ProjectCall, found: readonly TrialOfFile[]): Promise<void> {
  const names = [...new Set(found.flatMap(({ traits }) => traits))];
  const known = new Set(await knownTraits(services.db, access.projectId, names));
  const missing = names.filter((name) => !known.has(name));
  if (missing.length > 0)
    await changeTraits(
      services,
      access,
      missing.map((name) => ({ name, ...UNSET_TRAIT })),
    );
}
