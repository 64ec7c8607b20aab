import { del, type Endpoints, get, PROJECT_MEMBER, post, put } from '../../endpoint.ts';
import { createViewBody, tableView, tableViews, updateViewBody } from '../../people/table-views.ts';

/** Members who may only read keep views of their own; what is shared is refused to them by the service. */
const OWN_VIEW = { readersMayCall: true } as const;

export const tableViewsApi = {
  listTableViews: get('/projects/:project_id/table_views', PROJECT_MEMBER, {
    summary: 'Saved views of tables: mine, and those that are shared with the project',
    answer: tableViews,
  }),
  createTableView: post('/projects/:project_id/table_views', PROJECT_MEMBER, {
    summary: 'Save columns, order, sort and filters of a table under a name',
    body: createViewBody,
    answer: tableView,
    status: 201,
    ...OWN_VIEW,
  }),
  updateTableView: put('/projects/:project_id/table_views/:id', PROJECT_MEMBER, {
    summary: 'Rename or share a view, make it the default, or change what it shows',
    body: updateViewBody,
    answer: tableView,
    ...OWN_VIEW,
  }),
  deleteTableView: del('/projects/:project_id/table_views/:id', PROJECT_MEMBER, {
    summary: 'Delete a view',
    ...OWN_VIEW,
  }),
} as const satisfies Endpoints;
