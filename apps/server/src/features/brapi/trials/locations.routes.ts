import { isVisible, withoutControls } from '@heterosis/contracts/common';
import * as z from 'zod';
import { requirePrincipal } from '../../../platform/http/access.ts';
import { notFound, Problem } from '../../../platform/http/problem.ts';
import { changeTrialIn } from '../../data/trials/index.ts';
import { additionalInfo, read, readChanges, readEntries, WRITING } from '../collecting/collected.ts';
import { requireWriting } from '../collecting/write-access.ts';
import { locations } from '../entities/core.ts';
import { envelope, type Json, paginationOf } from '../envelope.ts';
import { type BrapiContext, entriesOfIds, findEntry, idIn, scopeOf } from '../list.routes.ts';
import type { ListEntity } from '../list-entity.ts';
import { type BrapiScope, mayWrite } from '../scope.ts';
import { announcedPlaces, isPhenotype, type Location, locationOf, placesOf } from '../studies.ts';
import { announce, programsToWrite } from './announce.service.ts';
import { type AnnouncedName, placeAnnounced } from './announced.queries.ts';
import { filled } from './study-bodies.ts';

const WHERE = 'send {"type": "Feature", "geometry": {"type": "Point", "coordinates": [longitude, latitude]}}';

const name = z.string().trim().max(255).refine(withoutControls, 'Control characters are not allowed');

/** What a place of trials has; a height is left out with a warning. */
const changedLocation = z.object({
  locationName: name.nullish(),
  coordinates: z
    .object({
      geometry: z.object(
        {
          type: z.literal('Point', `only a point is kept: ${WHERE}`),
          coordinates: z.array(z.number(WHERE), WHERE).min(2, WHERE).max(3, WHERE),
        },
        WHERE,
      ),
    })
    .nullish(),
});

const newLocation = changedLocation.extend({
  locationName: name.min(1, 'a place needs a name').refine(isVisible, 'Only invisible characters'),
  additionalInfo,
});
type NewLocation = z.output<typeof newLocation>;

/** Fields of the standard for which a place of trials has no room. */
const NOT_HELD = [
  ...['abbreviation', 'coordinateUncertainty', 'countryCode', 'countryName', 'documentationURL', 'instituteAddress'],
  ...['instituteName', 'parentLocationDbId', 'parentLocationName', 'siteStatus', 'coordinateDescription', 'slope'],
  ...['exposure', 'environmentType', 'topography', 'externalReferences'],
];

/**
 * `POST /locations` makes places known before a trial is there. `PUT /locations/{locationDbId}` says where a place is,
 * for all trials there that the caller may change.
 */
export function registerLocationWrites(context: BrapiContext): void {
  const { app, calls } = context;
  const entity = locations as ListEntity;
  calls.add('POST', '/locations');
  app.post('/locations', { config: WRITING }, async (request) => {
    requirePrincipal(request);
    const written = readEntries(newLocation, request.body);
    const given = request.body as Json[];
    const { ids, warnings } = await addPlaces(context, await scopeOf(context, request), { written, given });
    const data = await entriesOfIds(entity, await scopeOf(context, request), ids);
    return envelope({ data }, warnings, paginationOf({ page: 0, size: data.length }, data.length));
  });
  calls.add('PUT', '/locations/{locationDbId}');
  app.put('/locations/:locationDbId', { config: WRITING }, async (request) => {
    requirePrincipal(request);
    const id = idIn(request, 'locationDbId');
    const scope = await scopeOf(context, request);
    const before = await findEntry(entity, scope, id);
    const [[, body] = ['', {} as Json]] = readChanges({ [id]: request.body });
    const warnings = await change(context, scope, { id, name: String(before['locationName']), body });
    return envelope(await findEntry(entity, await scopeOf(context, request), id), warnings);
  });
}

const refused = (where: string, reason: string): Problem =>
  new Problem('request/invalid', `${where}: ${reason}. Nothing was saved.`);

const NO_HEIGHT = 'A place has no height here, and the third coordinate was left out.';

interface Point {
  /** Absent where nothing is said of it; null where there is none. */
  at?: { latitude: number | null; longitude: number | null };
  warnings: string[];
}

/** Where a place is; refuses what a place does not have. */
function pointOf(body: Json, { coordinates }: Pick<NewLocation, 'coordinates'>, where: string): Point {
  const notHeld = filled(body, NOT_HELD);
  if (notHeld !== undefined)
    throw refused(`${where}.${notHeld}`, 'a place has its name and its coordinates here. Leave out the rest');
  if (coordinates === undefined) return { warnings: [] };
  const [longitude = null, latitude = null, height] = coordinates?.geometry.coordinates ?? [];
  if (Math.abs(longitude ?? 0) > 180 || Math.abs(latitude ?? 0) > 90)
    throw refused(
      `${where}.coordinates`,
      `a place lies between −180 and 180 degrees east and −90 and 90 degrees north, in this order: longitude, latitude`,
    );
  return { at: { latitude, longitude }, warnings: height === undefined ? [] : [NO_HEIGHT] };
}

/** A place belongs to a program: the only one in which the caller may write, or that which `additionalInfo` names. */
async function addPlaces(
  { services }: BrapiContext,
  scope: BrapiScope,
  { written, given }: { written: readonly NewLocation[]; given: readonly Json[] },
): Promise<{ ids: string[]; warnings: string[] }> {
  const studies = await scope.listStudies();
  const known = new Map(placesOf(studies, announcedPlaces(await scope.listAnnounced())).map((one) => [one.id, one]));
  const names = new Map<string, AnnouncedName>();
  const warnings = new Set<string>();
  const ids = written.map((entry, k) => {
    const where = `body.${k}`;
    const [organization_id, another] = programsToWrite(scope, entry.additionalInfo['programDbId']);
    if (organization_id === undefined || another !== undefined)
      throw refused(
        where,
        'you may write to several programs. Name the one of the place in additionalInfo.programDbId',
      );
    const point = pointOf(given[k] ?? {}, entry, where);
    const { latitude = null, longitude = null } = point.at ?? {};
    const place = locationOf({ organization_id, crop_name: null }, entry.locationName, { latitude, longitude });
    const before = known.get(place.id);
    if (before?.coordinates && place.coordinates && !isSame(before.coordinates, place.coordinates))
      throw refused(
        where,
        `there is a place "${before.name}" already, and it lies elsewhere. Move it with PUT /locations/${place.id}, or choose another name`,
      );
    for (const warning of point.warnings) warnings.add(warning);
    const merged = { ...place, coordinates: place.coordinates ?? before?.coordinates ?? null };
    known.set(place.id, merged);
    names.set(place.id, {
      ...{ organization_id, kind: 'PLACE', key: place.id, name: before?.name ?? place.name },
      ...(merged.coordinates ?? { latitude: null, longitude: null }),
    });
    return place.id;
  });
  await announce(services, scope, [...names.values()]);
  return { ids, warnings: [...warnings] };
}

type Coordinates = NonNullable<Location['coordinates']>;
const isSame = (one: Coordinates, other: Coordinates): boolean =>
  one.latitude === other.latitude && one.longitude === other.longitude;

async function change(
  { services }: BrapiContext,
  scope: BrapiScope,
  { id, name, body }: { id: string; name: string; body: Json },
): Promise<string[]> {
  const given = read(changedLocation, body);
  const { at, warnings } = pointOf(body, given, 'body');
  if (given.locationName != null && given.locationName !== name)
    throw refused('body.locationName', `a place is called as its trials call it. Change that with PUT /studies`);
  if (at === undefined) return warnings;
  const announced = (await scope.listAnnounced()).find(({ kind, key }) => kind === 'PLACE' && key === id);
  const organizationId = announced?.organization_id ?? '';
  const isAnnounced = scope.projects.some((one) => one.organization_id === organizationId && mayWrite(one));
  const trials = (await scope.listStudies())
    .filter(isPhenotype)
    .flatMap(({ location, trial, project }) => (location?.id === id && trial ? [{ trial, project }] : []));
  if (trials.length === 0 && !isAnnounced)
    throw refused('body', `no trial is at "${name}", only files. Open a file as a trial first`);
  const accesses = new Map<string, Awaited<ReturnType<typeof requireWriting>>>();
  for (const project of scope.projects)
    if (
      mayWrite(project) &&
      (project.organization_id === organizationId || trials.some((one) => one.project === project))
    )
      accesses.set(project.id, await requireWriting(services, scope.principal, project.id));
  const changed = trials.filter(({ trial, project }) => accesses.has(project.id) && trial.state !== 'CLOSED');
  if (changed.length === 0 && trials.length > 0)
    throw new Problem(
      'request/not-allowed',
      `All trials at "${name}" are closed, or in projects to which you may not write. Nothing was saved.`,
    );
  await services.db.transaction().execute(async (trx) => {
    // In one order, so that two requests do not wait for each other.
    for (const { trial, project } of changed.sort((a, b) => (a.trial.id < b.trial.id ? -1 : 1))) {
      const access = accesses.get(project.id);
      if (access === undefined) throw notFound('This project');
      await changeTrialIn(trx, { access, principal: scope.principal }, trial.id, at);
    }
    if (isAnnounced) await placeAnnounced(trx, { organizationId, key: id }, at);
  });
  const others = trials.length - changed.length;
  return [
    ...warnings,
    ...(others === 0
      ? []
      : [`${others} of the trials at "${name}" are closed or not yours to change, and keep what they say.`]),
  ];
}
