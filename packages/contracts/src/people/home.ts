import * as z from 'zod';
import { id, reference, timestamp } from '../common.ts';
import { runKinds } from '../work/run-kinds.ts';
import { keyFigure } from '../work/runs.ts';
import { project } from './projects.ts';

/** What has a page of its own, or a place on one, to come back to. */
export const itemKind = z.enum(['project', 'file', ...runKinds, 'list', 'trial', 'decision']);
export type ItemKind = z.infer<typeof itemKind>;

/** An item that a person comes back to. */
export const personalItem = z
  .object({
    kind: itemKind,
    id,
    name: z.string(),
    project: reference,
    at: timestamp.describe('When it was last opened or made by you; of favourites, when it was made one.'),
  })
  .meta({ id: 'PersonalItem' });
export type PersonalItem = z.infer<typeof personalItem>;

const lastResult = z.object({
  kind: z.enum(runKinds),
  id,
  name: z.string(),
  key_figure: keyFigure,
  finished_at: timestamp,
});

/** A project as a card: what it found last, and how much is under way. */
export const projectCard = project.extend({
  running: z.number().int().describe('Runs and checks that have not ended.'),
  last_result: lastResult.nullable().describe('The newest run that has ended with a result.'),
});
export type ProjectCard = z.infer<typeof projectCard>;

/** Cards of the home page; the list of projects has all of them. */
export const HOME_PROJECTS = 24;
export const HOME_RECENT = 8;
/** Most favourites of a person. */
export const MAX_FAVOURITES = 200;

/** `GET /home`: where a person left off. */
export const home = z
  .object({
    projects: z.array(projectCard).describe('Those with the latest activity first.'),
    projects_total: z.number().int(),
    recent: z
      .array(personalItem)
      .describe('Files, runs, lists, trials and decisions that you opened or made, the latest first.'),
  })
  .meta({ id: 'Home' });
export type Home = z.infer<typeof home>;

/** `GET /favourites`: the newest first, of projects that you still have a part in. */
export const favourites = z.object({ data: z.array(personalItem) }).meta({ id: 'Favourites' });
export type Favourites = z.infer<typeof favourites>;

export const markFavouriteBody = z.object({
  kind: itemKind,
  item_id: id,
  is_favourite: z.boolean().describe('False: no longer one.'),
});
export const recordVisitBody = z.object({ kind: itemKind, item_id: id });
