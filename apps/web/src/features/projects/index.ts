export { useTraitSettings } from './project-traits.api.ts';
export { overviewQuery, projectQuery, projectsQuery } from './projects.api.ts';
export { useMayWrite } from './use-may-write.ts';
export { useProjectCrumbs } from './use-project-crumbs.ts';
