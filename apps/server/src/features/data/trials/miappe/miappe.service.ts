import { zipChunks } from '@heterosis/file-formats/compression/zip-writer';
import { xlsxChunks } from '@heterosis/file-formats/tables/text/xlsx-writer';
import type { DatabaseTransaction } from '../../../../platform/database/database.ts';
import type { Download, ProjectCall } from '../../../../platform/http/bind.ts';
import { Problem } from '../../../../platform/http/problem.ts';
import { findTraitSettings } from '../../../people/projects/index.ts';
import { listPlots } from '../plots.queries.ts';
import { trialTable } from '../trial-table.ts';
import { listTrialsOfProjects } from '../trials.queries.ts';
import { readAttributes, readInvestigation } from './miappe.queries.ts';
import { type MiappeInput, miappeSheets } from './miappe-sheets.ts';

/** More plots than this are not held at once. */
const MAX_PLOTS = 200_000;

/** `GET …/trials/miappe`: the trials of a project as a workbook of MIAPPE 1.1 with a table of values a trial. */
export async function exportMiappe({
  services: { db, config },
  access: { projectId },
}: ProjectCall): Promise<Download> {
  const { input, tables } = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((trx) => readTrials(trx, projectId, config.publicUrl));
  const entries: (readonly [string, AsyncIterable<Uint8Array>])[] = [
    ['miappe.xlsx', xlsxChunks(miappeSheets(input))],
    ...tables.map(([name, chunks]) => [name, encoded(chunks)] as const),
  ];
  return { bytes: zipChunks(entries), fileName: `${input.project.name} (MIAPPE).zip` };
}

async function readTrials(
  trx: DatabaseTransaction,
  projectId: string,
  publicUrl: string,
): Promise<{ input: MiappeInput; tables: [string, Iterable<string>][] }> {
  const { organization, crop, ...project } = await readInvestigation(trx, projectId);
  const found = await listTrialsOfProjects(trx, [projectId]);
  const count = found.reduce((sum, { plots }) => sum + plots, 0);
  if (count > MAX_PLOTS)
    throw new Problem(
      'trials/layout-refused',
      `The trials have ${count} plots together; one export takes ${MAX_PLOTS}. Move trials that you do not need to the bin, or export the data package.`,
    );
  const trials: MiappeInput['trials'][number][] = [];
  const tables: [string, Iterable<string>][] = [];
  for (const [index, trial] of found.entries()) {
    const table = `data/${index + 1}_${trial.name.replaceAll(/[^\p{L}\p{N} ._-]+/gu, '_')}.csv`;
    tables.push([table, await trialTable(trx, projectId, trial)]);
    trials.push({ trial, plots: await listPlots(trx, trial.id), table });
  }
  const names = [...new Set(found.flatMap(({ traits }) => traits))];
  const input = {
    ...{ publicUrl, project, organization, crop, trials },
    traits: await findTraitSettings(trx, projectId, names),
    attributes: await readAttributes(trx, projectId),
    exportedAt: new Date().toISOString(),
  };
  return { input, tables };
}

async function* encoded(chunks: Iterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for (const chunk of chunks) yield encoder.encode(chunk);
}
