import { LABEL_SHEETS, type LabelsQuery, MAX_LABELS, plotIdOf, walked } from '@heterosis/contracts/data/field-books';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { fieldBooksApi } from '@heterosis/contracts/endpoints/data/field-books';
import type { Download, ProjectCall } from '../../../platform/http/bind.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { aside } from '../../../platform/processes/aside.ts';
import { findTraitSettings } from '../../people/projects/index.ts';
import { getTrial, listPlots } from '../trials/index.ts';
import { bookAsCsv } from './book-csv.ts';
import type { PrintTask } from './print-task.ts';
import type { PrintedTrial } from './printed-trial.ts';

/** `GET …/trials/{id}/field-book`. */
export async function getFieldBook(
  call: ProjectCall,
  { id, query }: InputOf<typeof fieldBooksApi.getFieldBook>,
): Promise<Download> {
  const printed = await printedTrial(call, id);
  const fileName = `${printed.trial.name} field book.${query.format}`;
  if (query.format === 'csv')
    return { bytes: bookAsCsv(printed, query), contentType: 'text/csv; charset=utf-8', fileName };
  return { bytes: await print({ what: 'book', printed, query }), contentType: 'application/pdf', fileName };
}

/** `GET …/trials/{id}/labels`. */
export async function getLabels(
  call: ProjectCall,
  { id, query }: InputOf<typeof fieldBooksApi.getLabels>,
): Promise<Download> {
  const printed = await printedTrial(call, id);
  refuseImpossible(printed, query);
  return { bytes: await print({ what: 'labels', printed, query }), fileName: `${printed.trial.name} labels.pdf` };
}

function refuseImpossible({ plots }: PrintedTrial, query: LabelsQuery): void {
  const { columns, rows } = LABEL_SHEETS[query.sheet];
  if (query.start > columns * rows)
    throw new Problem(
      'request/invalid',
      `The sheet ${query.sheet} has ${columns * rows} labels: begin at one of them, not at ${query.start}.`,
    );
  const count = walked(plots, query).length * query.copies;
  if (count > MAX_LABELS)
    throw new Problem(
      'request/too-large',
      `These are ${count} labels, and one file has at most ${MAX_LABELS}. Ask for fewer copies of each.`,
    );
}

const print = (task: PrintTask): Promise<Uint8Array> => aside(new URL('./print.thread.ts', import.meta.url), task);

async function printedTrial({ services, access }: ProjectCall, id: string): Promise<PrintedTrial> {
  const trial = await getTrial({ services, access }, { id });
  const plots = (await listPlots(services.db, trial.id)).map((plot, place) => ({
    ...plot,
    id: plotIdOf(trial.id, place),
  }));
  return { trial, plots, traits: await findTraitSettings(services.db, access.projectId, trial.traits) };
}
