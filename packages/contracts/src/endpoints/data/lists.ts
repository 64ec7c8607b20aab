import { page } from '../../common.ts';
import { createListBody, listListsQuery, savedList, savedListDetail, updateListBody } from '../../data/lists.ts';
import { del, type Endpoints, get, PROJECT_MEMBER, post, put } from '../../endpoint.ts';

export const listsApi = {
  listLists: get('/projects/:project_id/lists', PROJECT_MEMBER, {
    summary: 'Lists of lines and markers, the newest first',
    query: listListsQuery,
    answer: page(savedList),
  }),
  createList: post('/projects/:project_id/lists', PROJECT_MEMBER, {
    summary: 'Keep a list of lines or markers with the project',
    body: createListBody,
    answer: savedListDetail,
    status: 201,
  }),
  getList: get('/projects/:project_id/lists/:id', PROJECT_MEMBER, {
    summary: 'One list with its names',
    answer: savedListDetail,
  }),
  updateList: put('/projects/:project_id/lists/:id', PROJECT_MEMBER, {
    summary: 'Rename a list, or change its names',
    body: updateListBody,
    answer: savedListDetail,
  }),
  deleteList: del('/projects/:project_id/lists/:id', PROJECT_MEMBER, {
    summary: 'Delete a list; runs keep the names that they used',
  }),
} as const satisfies Endpoints;
