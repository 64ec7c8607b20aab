import { page, pageQuery } from '../../common.ts';
import { del, type Endpoints, get, PROJECT_MEMBER, post, put } from '../../endpoint.ts';
import {
  createProjectBody,
  project,
  projectDetail,
  projectOverview,
  updateProjectBody,
} from '../../people/projects.ts';

export const projectsApi = {
  listProjects: get('/projects', 'signed-in', {
    summary: 'My projects',
    query: pageQuery,
    answer: page(project),
    accessTokens: 'own-projects',
  }),
  createProject: post('/projects', 'signed-in', {
    summary: 'Create a project',
    body: createProjectBody,
    answer: projectDetail,
    status: 201,
  }),
  readProject: get('/projects/:project_id', PROJECT_MEMBER, {
    summary: 'Read a project',
    answer: projectDetail,
  }),
  readOverview: get('/projects/:project_id/overview', PROJECT_MEMBER, {
    summary: 'What is in a project and what happened lately',
    answer: projectOverview,
  }),
  changeProject: put(
    '/projects/:project_id',
    { project: 'MANAGER' },
    {
      summary: 'Change a project',
      body: updateProjectBody,
      answer: projectDetail,
    },
  ),
  deleteProject: del(
    '/projects/:project_id',
    { project: 'MANAGER' },
    {
      summary: 'Delete a project',
    },
  ),
} as const satisfies Endpoints;
