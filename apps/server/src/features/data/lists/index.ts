export { listLists, listListsOfProjects } from './lists.queries.ts';
export { listRoutes } from './lists.routes.ts';
export { createLists, createListsIn, getList, updateList } from './lists.service.ts';
