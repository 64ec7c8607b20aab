import type { File } from '@heterosis/contracts/data/files';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { trialsApi } from '@heterosis/contracts/endpoints/data/trials';
import type { ProjectCall } from '../../../platform/http/bind.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { findTraitSettings } from '../../people/projects/index.ts';
import { createMadeFile, getFile, insertVersion, latestVersion } from '../files/index.ts';
import { frozenTable } from './frozen-table.ts';
import { listConflictCells, listCountedValues } from './observations.queries.ts';
import { listPlots } from './plots.queries.ts';
import { insertTrialEvent } from './trial-events.queries.ts';
import { findFreezing, findFrozenFile, updateFrozen } from './trials.queries.ts';
import { requireTrial, tell } from './trials.service.ts';

/** The file of a frozen trial. */
export interface FrozenTrial {
  fileId: string;
  /** Traits with numbers. */
  traits: string[];
}

/** `POST …/trials/{id}/freeze`. */
export async function freezeTrial(call: ProjectCall, { id }: InputOf<typeof trialsApi.freezeTrial>): Promise<File> {
  const { fileId } = await freeze(call, id);
  return await getFile(call, { file_id: fileId });
}

/**
 * Makes the values that count now a version of the phenotype file of the trial; where nothing has changed since the
 * last, that one is returned. Plots with an open question have no value of that trait in it.
 */
export async function freeze(
  call: Pick<ProjectCall, 'services' | 'access' | 'principal'>,
  id: string,
): Promise<FrozenTrial> {
  const { services, access, principal } = call;
  const { db } = services;
  const { projectId, organizationId } = access;
  // Of one moment: no write of values comes between.
  const { trial, before, plots, traits, values, conflicts } = await db.transaction().execute(async (trx) => {
    const locked = await requireTrial(trx, projectId, id);
    return {
      trial: locked,
      before: await findFreezing(trx, id),
      plots: await listPlots(trx, id),
      traits: await findTraitSettings(trx, projectId, locked.traits),
      values: await listCountedValues(trx, id),
      conflicts: await listConflictCells(trx, id),
    };
  });
  const open = new Set(conflicts.map(({ plot, trait }) => `${plot} ${trait}`));
  const table = frozenTable(trial.name, plots, {
    traits,
    values: values.filter(({ plot, trait }) => !open.has(`${plot} ${trait}`)),
  });
  if (table.values === 0)
    throw new Problem('trials/no-values', `"${trial.name}" has no value yet that counts. Record some first.`);
  const known = await findFrozenFile(db, projectId, before.file_id);
  if (known !== undefined && before.filed_revision >= before.revision)
    return { fileId: known, traits: table.numericTraits };
  const version = before.file_id === null ? 0 : (await latestVersion(db, before.file_id)) + 1;
  const fileId = await createMadeFile(
    services,
    { projectId, organizationId, folderId: null, fileType: 'PHENOTYPE', createdBy: principal.userId },
    {
      defaultName: `${trial.name.slice(0, 220)} (plots${version === 0 ? '' : `, version ${version}`}).csv`,
      contentType: 'text/csv',
      description: `The values of the trial “${trial.name}”, as they counted when it was frozen.${openText(conflicts.length)}`,
      options: { measured_values: table.measured },
      bytes: encoded(table.chunks),
    },
    {
      after: async (trx, made) => {
        await requireTrial(trx, projectId, id);
        if (before.file_id !== null)
          await insertVersion(trx, { file_id: made, version_of: before.file_id, version, revision: before.revision });
        await updateFrozen(trx, id, { fileId: before.file_id ?? made, revision: before.revision });
        await insertTrialEvent(trx, id, { type: 'FROZEN', created_by: principal.userId });
        await tell(trx, access, id);
      },
    },
  );
  return { fileId, traits: table.numericTraits };
}

const openText = (conflicts: number): string =>
  conflicts === 0 ? '' : ` ${conflicts} plots with several different values of a trait have none of it in this file.`;

async function* encoded(chunks: Iterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for (const chunk of chunks) yield encoder.encode(chunk);
}
