import { type Endpoints, get, PROJECT_MEMBER, put } from '../../endpoint.ts';
import { projectTraits, updateProjectTraitsBody } from '../../people/traits.ts';

export const projectTraitsApi = {
  getTraits: get('/projects/:project_id/traits', PROJECT_MEMBER, {
    summary: 'Direction, unit, weight and scale of the traits of a project',
    answer: projectTraits,
  }),
  updateTraits: put('/projects/:project_id/traits', PROJECT_MEMBER, {
    summary: 'Say of traits whether low values are better, their unit, weight and scale',
    description:
      'Rankings, the index of predictions and new crossing simulations follow it; observations are checked by the scale.',
    body: updateProjectTraitsBody,
    answer: projectTraits,
  }),
} as const satisfies Endpoints;
