import type { MiappeFormat } from '@heterosis/contracts/data/trials';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { trialsApi } from '@heterosis/contracts/endpoints/data/trials';
import { zipChunks } from '@heterosis/file-formats/compression/zip-writer';
import { type SheetToWrite, xlsxChunks } from '@heterosis/file-formats/tables/text/xlsx-writer';
import type { DatabaseTransaction } from '../../../../platform/database/database.ts';
import type { Download, ProjectCall } from '../../../../platform/http/bind.ts';
import { Problem } from '../../../../platform/http/problem.ts';
import { findTraitSettings } from '../../../people/projects/index.ts';
import { listPlots } from '../plots.queries.ts';
import { trialTable } from '../trial-table.ts';
import { listTrialsOfProjects } from '../trials.queries.ts';
import { fileStem, isaTabFiles } from './isa-tab.ts';
import { readAttributes, readInvestigation } from './miappe.queries.ts';
import { type MiappeInput, type MiappeSection, miappeSections } from './miappe-sections.ts';

/** More plots than this are not held at once. */
const MAX_PLOTS = 200_000;

/** `GET …/trials/miappe`: the trials of a project by MIAPPE 1.1, with a table of values a trial. */
export async function exportMiappe(
  { services: { db, config }, access: { projectId } }: ProjectCall,
  { query: { format } }: InputOf<typeof trialsApi.exportMiappe>,
): Promise<Download> {
  const { input, tables } = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((trx) => readTrials(trx, { projectId, publicUrl: config.publicUrl, tableName: TABLE_NAMES[format] }));
  const sections = miappeSections(input);
  const described =
    format === 'isa-tab'
      ? isaTabFiles(sections, input.trials).map(([name, chunks]) => [name, encoded(chunks)] as const)
      : [['miappe.xlsx', xlsxChunks(sections.map(sheetOf))] as const];
  const entries = [...described, ...tables.map(([name, chunks]) => [name, encoded(chunks)] as const)];
  return { bytes: zipChunks(entries), fileName: `${input.project.name} (${FORMAT_NAMES[format]}).zip` };
}

const FORMAT_NAMES: Record<MiappeFormat, string> = { workbook: 'MIAPPE', 'isa-tab': 'ISA-Tab' };
/** Where the table of a trial lies: beside the others in ISA-Tab, whose names of files are no paths. */
const TABLE_NAMES: Record<MiappeFormat, (index: number, trial: string) => string> = {
  workbook: (index, trial) => `data/${index + 1}_${trial.replaceAll(/[^\p{L}\p{N} ._-]+/gu, '_')}.csv`,
  'isa-tab': (index, trial) => `d_${fileStem(index, trial)}.csv`,
};

function sheetOf({ name, header, rows }: MiappeSection): SheetToWrite {
  return {
    name,
    rows: (function* () {
      yield header;
      yield* rows;
    })(),
  };
}

async function readTrials(
  trx: DatabaseTransaction,
  {
    projectId,
    publicUrl,
    tableName,
  }: { projectId: string; publicUrl: string; tableName: (typeof TABLE_NAMES)[MiappeFormat] },
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
    const table = tableName(index, trial.name);
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
