import type { FileType } from '@heterosis/contracts/data/files';
import { RUN_KINDS, type RunPath } from '@heterosis/contracts/work/run-kinds';
import { inputError, type OptionTable } from '../command.ts';
import type { Connection } from './connection.ts';

export interface Named {
  id: string;
  name: string;
}

export const PROJECT_OPTION = {
  project: { kind: 'name', required: true, placeholder: 'PROJECT', help: 'Name or id of the project.' },
} as const satisfies OptionTable;

/** Path of a project in the API. */
export async function findProject(connection: Connection, project: string): Promise<string> {
  return `/projects/${(await oneOf(connection, '/projects', project, 'project')).id}`;
}

export const findFile = (connection: Connection, project: string, file: string, type: FileType): Promise<Named> =>
  oneOf(connection, `${project}/files?file_type=${type}`, file, 'file');

export const findRun = (connection: Connection, project: string, path: RunPath, run: string): Promise<Named> =>
  oneOf(connection, `${project}/${path}`, run, nounOf(path));

export const nounOf = (path: RunPath): string =>
  Object.values(RUN_KINDS).find((kind) => kind.path === path)?.noun ?? 'run';

/** By id, else by name. */
async function oneOf(connection: Connection, path: string, wanted: string, noun: string): Promise<Named> {
  const named: Named[] = [];
  for await (const row of connection.rows<Named>(path)) {
    if (row.id === wanted) return row;
    if (row.name === wanted) named.push(row);
  }
  const [one, another] = named;
  if (one === undefined) throw inputError('E-CLI-SERVER', `There is no ${noun} "${wanted}" on ${connection.server}.`);
  if (another === undefined) return one;
  throw inputError('E-CLI-SERVER', `Several ${noun}s are called "${wanted}".`, 'Give the id of the one that you mean.');
}
