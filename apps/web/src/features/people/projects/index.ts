export {
  projectTraitsQuery,
  useLowTraits,
  useTraitOrder,
  useTraitSettings,
  useUpdateProjectTraits,
} from './project-traits.api.ts';
export { overviewQuery, projectQuery, projectsQuery } from './projects.api.ts';
export { useProjectCrumbs } from './use-project-crumbs.ts';
export { useMayWrite, useProjectRights } from './use-project-rights.ts';
