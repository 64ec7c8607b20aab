import type { FileType } from '@heterosis/contracts/data/files';
import { filesApi } from '@heterosis/contracts/endpoints/data/files';
import { projectsApi } from '@heterosis/contracts/endpoints/people/projects';
import { RUN_CONTRACTS } from '@heterosis/contracts/work/run-contracts';
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

/** Parameter of the endpoints of a project. */
export interface InProject {
  project_id: string;
}

export async function findProject(connection: Connection, project: string): Promise<InProject> {
  const { id } = await oneOf(connection, connection.rows(projectsApi.listProjects, {}), project, 'project');
  return { project_id: id };
}

export const findFile = (connection: Connection, project: InProject, file: string, type: FileType): Promise<Named> =>
  oneOf(connection, connection.rows(filesApi.listFiles, { ...project, query: { file_type: type } }), file, 'file');

export const findRun = (connection: Connection, project: InProject, path: RunPath, run: string): Promise<Named> =>
  oneOf(connection, connection.rows(RUN_CONTRACTS[path].endpoints.listRuns, project), run, nounOf(path));

export const nounOf = (path: RunPath): string =>
  Object.values(RUN_KINDS).find((kind) => kind.path === path)?.noun ?? 'run';

/** By id, else by name. */
async function oneOf({ server }: Connection, rows: AsyncIterable<Named>, wanted: string, noun: string): Promise<Named> {
  const named: Named[] = [];
  for await (const row of rows) {
    if (row.id === wanted) return row;
    if (row.name === wanted) named.push(row);
  }
  const [one, another] = named;
  if (one === undefined) throw inputError('E-CLI-SERVER', `There is no ${noun} "${wanted}" on ${server}.`);
  if (another === undefined) return one;
  throw inputError('E-CLI-SERVER', `Several ${noun}s are called "${wanted}".`, 'Give the id of the one that you mean.');
}
