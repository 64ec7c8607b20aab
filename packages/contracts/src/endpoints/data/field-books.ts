import { fieldBookQuery, labelsQuery } from '../../data/field-books.ts';
import { type Endpoints, get, PROJECT_MEMBER } from '../../endpoint.ts';

export const fieldBooksApi = {
  getFieldBook: get('/projects/:project_id/trials/:id/field-book', PROJECT_MEMBER, {
    summary: 'Field book of a trial in the order of walking, as PDF or CSV',
    query: fieldBookQuery,
    costly: true,
    media: ['application/pdf', 'text/csv'],
    head: false,
  }),
  getLabels: get('/projects/:project_id/trials/:id/labels', PROJECT_MEMBER, {
    summary: 'Labels of the plots of a trial with QR codes, as PDF for a sheet of labels',
    query: labelsQuery,
    costly: true,
    media: ['application/pdf'],
    head: false,
  }),
} as const satisfies Endpoints;
