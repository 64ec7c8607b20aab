import { type Endpoints, get, PROJECT_MEMBER, put } from '../../endpoint.ts';
import { favourites, home, markFavouriteBody, recordVisitBody } from '../../people/home.ts';

/** What a person keeps for himself changes nothing in the project: who may read may do it. */
const OWN_MARK = { readOnly: true, closedToGuests: true } as const;

export const homeApi = {
  readHome: get('/home', 'signed-in', {
    summary: 'My projects with their last results, and what I opened lately',
    answer: home,
  }),
  listFavourites: get('/favourites', 'signed-in', { summary: 'My favourites', answer: favourites }),
  markFavourite: put('/projects/:project_id/favourites', PROJECT_MEMBER, {
    summary: 'Make something of a project a favourite of mine, or no longer one',
    body: markFavouriteBody,
    ...OWN_MARK,
  }),
  recordVisit: put('/projects/:project_id/visits', PROJECT_MEMBER, {
    summary: 'Remember that I opened something of a project',
    body: recordVisitBody,
    ...OWN_MARK,
  }),
} as const satisfies Endpoints;
