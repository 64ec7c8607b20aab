import { createHash } from 'node:crypto';
import type { DatabaseTransaction } from '../../../platform/database/database.ts';
import { findObservations, listHeads, listPlots, recordIn } from '../../data/trials/index.ts';
import type { BrapiScope } from '../scope.ts';
import type { PhenotypeStudy } from '../studies.ts';
import type { CollectedObservation } from './collected.queries.ts';
import { requireWriting } from './write-access.ts';
import type { CollectingServices } from './write-collection.ts';

/** An observation of a plot of a trial, as a client wrote it. */
export interface TrialValue {
  study: PhenotypeStudy;
  written: CollectedObservation;
  /** Id of the observation that it changes. */
  changes?: string;
}

/**
 * Records what clients wrote to trials, all or none; returns ids in the order given. Clients make no ids: that of an
 * observation is the hash of what it says, so that a request that is sent again stores nothing twice. A change is a
 * further observation that corrects what came of the one that it names.
 */
export async function writeToTrials(
  services: CollectingServices,
  scope: BrapiScope,
  values: readonly TrialValue[],
): Promise<string[]> {
  const { principal } = scope;
  const ids: string[] = [];
  const byTrial = Map.groupBy(values, ({ study }) => study.id);
  const accesses = new Map<string, Awaited<ReturnType<typeof requireWriting>>>();
  for (const { study } of values)
    if (!accesses.has(study.project.id))
      accesses.set(study.project.id, await requireWriting(services, principal, study.project.id));
  await services.db.transaction().execute(async (trx) => {
    // In one order, so that two requests do not wait for each other.
    for (const [trialId, own] of [...byTrial].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const access = accesses.get(own[0]?.study.project.id ?? '');
      if (access === undefined) continue;
      const observations = await observationsOf(trx, trialId, own);
      for (const [k, one] of own.entries()) ids[values.indexOf(one)] = observations[k]?.id ?? '';
      await recordIn(trx, { access, principal }, trialId, { origin: 'BRAPI', observations });
    }
  });
  return ids;
}

async function observationsOf(trx: DatabaseTransaction, trialId: string, values: readonly TrialValue[]) {
  const numbers = (await listPlots(trx, trialId)).map(({ number }) => number);
  const ids = values.map((value) => idOf(trialId, value));
  const known = new Map((await findObservations(trx, trialId, ids)).map((one) => [one.id, one]));
  const now = new Date().toISOString();
  const observations = [];
  for (const [k, { written, changes }] of values.entries()) {
    const id = ids[k] ?? '';
    const { unit, trait, value, collector, external_references } = written;
    const heads = changes === undefined || known.has(id) ? [] : await listHeads(trx, trialId, changes);
    observations.push({
      ...{ id, plot: numbers[unit] ?? 0, trait: trait.name, value, collector, external_references },
      // What was sent without a time has that of its arrival, also when it arrives again.
      observed_at: written.observed_at ?? known.get(id)?.observed_at ?? now,
      corrects: heads,
    });
  }
  return observations;
}

/** A UUID (version 8) of what an observation says. */
function idOf(trialId: string, { written, changes }: TrialValue): string {
  const { unit, trait, value, observed_at, collector, external_references } = written;
  const text = JSON.stringify([trialId, unit, trait.name, value, observed_at, collector, external_references, changes]);
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
