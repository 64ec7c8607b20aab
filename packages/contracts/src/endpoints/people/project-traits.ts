import { type Endpoints, get, PROJECT_MEMBER, post, put } from '../../endpoint.ts';
import { projectTraits, traitsReading, updateProjectTraitsBody } from '../../people/traits.ts';

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
  readTraits: post('/projects/:project_id/traits/read', PROJECT_MEMBER, {
    summary: 'Read a file of traits, without storing them',
    description:
      'The bytes of a .trt file of Field Book, a trait dictionary of the Crop Ontology (CSV, XLSX, OBO) or BrAPI variables in JSON, at most 5 MB.',
    takes: ['application/octet-stream'],
    answer: traitsReading,
    readOnly: true,
    costly: true,
  }),
  getTraitsFile: get('/projects/:project_id/traits.trt', PROJECT_MEMBER, {
    summary: 'The traits of a project as a .trt file of Field Book',
    media: ['text/csv'],
  }),
} as const satisfies Endpoints;
