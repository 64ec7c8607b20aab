import { filesApi } from '@heterosis/contracts/endpoints/data/files';
import { projectsApi } from '@heterosis/contracts/endpoints/people/projects';
import { type Command, defineCommand } from '../command.ts';
import { connect } from './connection.ts';
import { findCredentials } from './credentials.ts';
import { findProject, PROJECT_OPTION } from './places.ts';

export const projectsCommand: Command = defineCommand({
  name: 'remote projects',
  summary: 'list the projects on the server',
  description: ['The projects that the access token reaches.'],
  options: {},
  output: ['A line for each project: its id and its name, separated by a tab.'],
  examples: ['heterosis remote projects'],
  async run(_options, io) {
    const connection = connect(findCredentials(), io.context.signal);
    const projects = await connection.all(projectsApi.listProjects, {});
    return { summary: { projects }, lines: projects.map(({ id, name }) => `${id}\t${name}`) };
  },
});

export const filesCommand: Command = defineCommand({
  name: 'remote files',
  summary: 'list the files of a project on the server',
  description: ['The files of all folders.'],
  options: PROJECT_OPTION,
  output: ['A line for each file: id, type, status and name, separated by tabs.'],
  examples: ['heterosis remote files --project "Maize 2026"'],
  async run(options, io) {
    const connection = connect(findCredentials(), io.context.signal);
    const project = await findProject(connection, options.project);
    const files = await connection.all(filesApi.listFiles, project);
    return {
      summary: { files },
      lines: files.map(({ id, file_type, status, name }) => [id, file_type ?? '-', status, name].join('\t')),
    };
  },
});
