import { pageQuery } from '@heterosis/contracts/common';
import { fileType } from '@heterosis/contracts/data/file-types';
import { matchBody } from '@heterosis/contracts/data/match';
import { searchQuery } from '@heterosis/contracts/data/search';
import { filesApi } from '@heterosis/contracts/endpoints/data/files';
import { passportsApi } from '@heterosis/contracts/endpoints/data/passports';
import { searchApi } from '@heterosis/contracts/endpoints/data/search';
import { projectsApi } from '@heterosis/contracts/endpoints/people/projects';
import { matchingApi } from '@heterosis/contracts/endpoints/work/matching';
import { PROBLEMS, type ProblemCode } from '@heterosis/contracts/problem';
import { PROBLEM_CODES } from '@heterosis/file-formats/problem-codes';
import * as z from 'zod';
import { defineTool, type Tool } from './tool.ts';

export const projectId = z.uuid().describe('Id of a project, as `find_projects` gives it.');
const paging = pageQuery.pick({ cursor: true }).extend({ limit: z.number().int().min(1).max(100).default(20) });

export const READING_TOOLS: readonly Tool[] = [
  defineTool({
    name: 'find_projects',
    title: 'Find projects',
    description: 'The projects that this person may see, with their ids.',
    input: paging,
    writes: false,
    async run({ call }, query) {
      const { data, address } = await call(projectsApi.listProjects, { query });
      return { data, api: [address], page: '/projects' };
    },
  }),
  defineTool({
    name: 'search_project',
    title: 'Search a project',
    description: 'Files, folders, runs, trials and germplasm of a project by words of their names, with their ids.',
    input: searchQuery.extend({ project_id: projectId }),
    writes: false,
    async run({ call }, { project_id, search }) {
      const { data, address } = await call(searchApi.searchProject, { project_id, query: { search } });
      return { data, api: [address], page: `/projects/${project_id}` };
    },
  }),
  defineTool({
    name: 'find_files',
    title: 'Find files',
    description: 'Files of a project: type, state of their check, individuals, markers and traits.',
    input: paging.extend({
      project_id: projectId,
      file_type: fileType.optional(),
      search: z.string().max(255).optional(),
    }),
    writes: false,
    async run({ call }, { project_id, ...query }) {
      const { data, address } = await call(filesApi.listFiles, { project_id, query });
      return { data, api: [address], page: `/projects/${project_id}/files` };
    },
  }),
  defineTool({
    name: 'read_file_problems',
    title: 'Read what the check of a file found',
    description: 'State of a file, and the problems that its check found: code, line, message.',
    input: paging.extend({ project_id: projectId, file_id: z.uuid() }),
    writes: false,
    async run({ call }, { project_id, file_id, ...query }) {
      const file = await call(filesApi.getFile, { project_id, file_id });
      const problems = await call(filesApi.getProblems, { project_id, file_id, query });
      return {
        data: { file: file.data, problems: problems.data },
        api: [file.address, problems.address],
        page: `/projects/${project_id}/files/${file_id}`,
      };
    },
  }),
  defineTool({
    name: 'read_line',
    title: 'Read the passport of a line',
    description:
      'All that a project knows of one line: parents, trials beside their checks, GEBVs, loci, lists, crosses.',
    input: z.object({
      project_id: projectId,
      line: z.string().trim().min(1).max(255).describe('Its name, a synonym or its id.'),
    }),
    writes: false,
    async run({ call }, { project_id, line }) {
      const { data, address } = await call(passportsApi.readPassport, { project_id, query: { line } });
      return { data, api: [address], page: `/projects/${project_id}/germplasm/${data.germplasm.id}` };
    },
  }),
  defineTool({
    name: 'preview_match',
    title: 'See how names match',
    description:
      'What a genotype file has in common with a phenotype file, a crossing table or a model, before a run is started: individuals by trait, markers after quality control, names that are alike and differ.',
    input: z.object({ project_id: projectId, inputs: matchBody }),
    writes: false,
    async run({ call }, { project_id, inputs }) {
      const { data, address } = await call(matchingApi.matchInputs, { project_id, body: inputs });
      return { data, api: [address] };
    },
  }),
  defineTool({
    name: 'explain_problem',
    title: 'Explain a problem code',
    description: 'What a code of a refused request or of the check of a file means, and what cures it.',
    input: z.object({ code: z.string().max(100).describe('As it was shown, for example E-GT-PLOIDY.') }),
    writes: false,
    async run(_call, { code }) {
      if (Object.hasOwn(PROBLEMS, code))
        return { data: { code, ...PROBLEMS[code as ProblemCode] }, page: '/help/problems' };
      const known = PROBLEM_CODES[code];
      return { data: known === undefined ? null : { code, ...known }, page: '/help/formats' };
    },
  }),
];
