import * as z from 'zod';
import { id } from '../../common.ts';
import { type Endpoints, PROJECT_MEMBER, post } from '../../endpoint.ts';

export const exampleApi = {
  copyExample: post('/projects/:project_id/example', PROJECT_MEMBER, {
    summary: 'Copy the maize example into the project',
    description:
      'Genotypes, phased genotypes, phenotypes, crosses and pedigrees. Files of these names stay as they are.',
    answer: z.object({ file_ids: z.array(id) }),
    status: 201,
    perMinute: 10,
  }),
} as const satisfies Endpoints;
