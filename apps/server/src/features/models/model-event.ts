import type { ModelRow } from './models.queries.ts';

/** How the event stream names a model. */
export const eventOf = (model: Pick<ModelRow, 'id' | 'project_id' | 'organization_id'>) =>
  ({ type: 'model', id: model.id, project_id: model.project_id, organization_id: model.organization_id }) as const;
