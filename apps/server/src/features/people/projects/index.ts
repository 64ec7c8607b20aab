export { createActivityRecorder } from './activity.ts';
export {
  containing,
  type EntryTable,
  lockEntry,
  updateEntry,
  updateEntryDeleted,
} from './entries.queries.ts';
export { freeName } from './free-name.ts';
export type { OverviewKind } from './overview.queries.ts';
export { requireManager, requireOwn } from './ownership.ts';
export { findProjectAccess, listVisibleScopes } from './project-access.ts';
export { listProjectMembers } from './project-members.queries.ts';
export { projectMemberRoutes } from './project-members.routes.ts';
export {
  findTraitSettings,
  inOrderOfProject,
  knownTraits,
  listProjectTraits,
  placesOfTraits,
} from './project-traits.queries.ts';
export { projectTraitRoutes } from './project-traits.routes.ts';
export { changeTraits, changeTraitsIn } from './project-traits.service.ts';
export { insertProject, listAllProjects, type ProjectRow } from './projects.queries.ts';
export { projectRoutes } from './projects.routes.ts';
export { toProject } from './projects.service.ts';
