import { isVisible, withoutControls } from '@heterosis/contracts/common';
import * as z from 'zod';
import { requirePrincipal } from '../../../platform/http/access.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { readEntries, WRITING } from '../collecting/collected.ts';
import { seasons } from '../entities/core.ts';
import { envelope, paginationOf } from '../envelope.ts';
import { type BrapiContext, entriesOfIds, scopeOf } from '../list.routes.ts';
import type { ListEntity } from '../list-entity.ts';
import { seasonOf } from '../studies.ts';
import { announce, programsToWrite } from './announce.service.ts';
import type { AnnouncedName } from './announced.queries.ts';

/** Letters of the season of a trial. */
const LONGEST = 50;

const PLACELESS = { kind: 'SEASON', latitude: null, longitude: null } as const;

const newSeason = z.object({
  seasonDbId: z.string().max(255).nullish(),
  seasonName: z.string().trim().min(1).max(LONGEST).refine(withoutControls).refine(isVisible).nullish(),
  year: z.number().int().min(1800).max(2199).nullish(),
});
type NewSeason = z.output<typeof newSeason>;

/**
 * `POST /seasons`: makes seasons known before a study is in them, in all programs in which the caller may write. A
 * season has no more than its name, so nothing about it can be changed: it is another one then.
 */
export function registerSeasonWrites(context: BrapiContext): void {
  const { app, calls, services } = context;
  const entity = seasons as ListEntity;
  calls.add('POST', '/seasons');
  app.post('/seasons', { config: WRITING }, async (request) => {
    requirePrincipal(request);
    const scope = await scopeOf(context, request);
    const entries = readEntries(newSeason, request.body).map((entry, k) => ({
      entry,
      season: named(entry, `body.${k}`),
    }));
    const once = new Map(entries.map(({ season: { id, text } }) => [id, { key: id, name: text }]));
    const names = programsToWrite(scope).flatMap((organization_id) =>
      [...once.values()].map((name): AnnouncedName => ({ ...name, ...PLACELESS, organization_id })),
    );
    await announce(services, scope, names);
    const ids = entries.map(({ season }) => season.id);
    const data = await entriesOfIds(entity, await scopeOf(context, request), ids);
    const isRenamed = entries.some(({ entry: { seasonDbId }, season }) => (seasonDbId ?? season.id) !== season.id);
    const warnings = isRenamed ? ['Seasons got ids of this server, which the answer names in your order.'] : [];
    return envelope({ data }, warnings, paginationOf({ page: 0, size: data.length }, data.length));
  });
}

/** The season as the text that a trial has: "Spring 2018" for the term and its year. */
function named({ seasonName: name, year }: NewSeason, where: string): ReturnType<typeof seasonOf> {
  const refuse = (reason: string): Problem => new Problem('request/invalid', `${where}: ${reason}. Nothing was saved.`);
  if (name == null && year == null) throw refuse('a season needs a seasonName, a year, or both');
  const own = name == null ? undefined : seasonOf(name);
  if (own !== undefined && (year ?? own.year) === own.year) return own;
  const season = seasonOf(name == null ? String(year) : `${name} ${year}`);
  if (season.text.length > LONGEST) throw refuse(`a season with its year has at most ${LONGEST} characters`);
  if (season.year === year) return season;
  throw refuse(`the seasonName "${name}" has another year than ${year}. Leave the year out of the name`);
}
