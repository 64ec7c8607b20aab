import * as z from 'zod';
import { requirePrincipal } from '../../../platform/http/access.ts';
import { notFound, Problem } from '../../../platform/http/problem.ts';
import { changeTrialIn } from '../../data/trials/index.ts';
import { read, readChanges, WRITING } from '../collecting/collected.ts';
import { requireWriting } from '../collecting/write-access.ts';
import { locations } from '../entities/core.ts';
import { envelope, type Json } from '../envelope.ts';
import { type BrapiContext, findEntry, idIn, scopeOf } from '../list.routes.ts';
import type { ListEntity } from '../list-entity.ts';
import { type BrapiScope, mayWrite } from '../scope.ts';
import { isPhenotype } from '../studies.ts';
import { filled } from './study-bodies.ts';

const WHERE = 'send {"type": "Feature", "geometry": {"type": "Point", "coordinates": [longitude, latitude]}}';

/** What a place of trials has; a height is left out with a warning. */
const changedLocation = z.object({
  locationName: z.string().trim().max(255).nullish(),
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

/** Fields of the standard for which a place of trials has no room. */
const NOT_HELD = [
  ...['abbreviation', 'coordinateUncertainty', 'countryCode', 'countryName', 'documentationURL', 'instituteAddress'],
  ...['instituteName', 'parentLocationDbId', 'parentLocationName', 'siteStatus', 'coordinateDescription', 'slope'],
  ...['exposure', 'environmentType', 'topography', 'externalReferences'],
];

/** `PUT /locations/{locationDbId}`: says where a place is, for all trials there that the caller may change. */
export function registerLocationWrites(context: BrapiContext): void {
  const { app, calls } = context;
  const entity = locations as ListEntity;
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

async function change(
  { services }: BrapiContext,
  scope: BrapiScope,
  { id, name, body }: { id: string; name: string; body: Json },
): Promise<string[]> {
  const notHeld = filled(body, NOT_HELD);
  if (notHeld !== undefined)
    throw refused(`body.${notHeld}`, 'a place has its name and its coordinates here. Leave out the rest');
  const { locationName, coordinates } = read(changedLocation, body);
  if (locationName != null && locationName !== name)
    throw refused('body.locationName', `a place is called as its trials call it. Change that with PUT /studies`);
  if (coordinates === undefined) return [];
  const [longitude = null, latitude = null, height] = coordinates?.geometry.coordinates ?? [];
  if (Math.abs(longitude ?? 0) > 180 || Math.abs(latitude ?? 0) > 90)
    throw refused(
      'body.coordinates',
      `a place lies between −180 and 180 degrees east and −90 and 90 degrees north, in this order: longitude, latitude`,
    );
  const trials = (await scope.listStudies())
    .filter(isPhenotype)
    .flatMap(({ location, trial, project }) => (location?.id === id && trial ? [{ trial, project }] : []));
  if (trials.length === 0) throw refused('body', `no trial is at "${name}", only files. Open a file as a trial first`);
  const accesses = new Map<string, Awaited<ReturnType<typeof requireWriting>>>();
  for (const { project } of trials)
    if (mayWrite(project) && !accesses.has(project.id))
      accesses.set(project.id, await requireWriting(services, scope.principal, project.id));
  const changed = trials.filter(({ trial, project }) => accesses.has(project.id) && trial.state !== 'CLOSED');
  if (changed.length === 0)
    throw new Problem(
      'request/not-allowed',
      `All trials at "${name}" are closed, or in projects to which you may not write. Nothing was saved.`,
    );
  await services.db.transaction().execute(async (trx) => {
    // In one order, so that two requests do not wait for each other.
    for (const { trial, project } of changed.sort((a, b) => (a.trial.id < b.trial.id ? -1 : 1))) {
      const access = accesses.get(project.id);
      if (access === undefined) throw notFound('This project');
      await changeTrialIn(trx, { access, principal: scope.principal }, trial.id, { latitude, longitude });
    }
  });
  const others = trials.length - changed.length;
  return [
    ...(height === undefined ? [] : ['A place has no height here, and the third coordinate was left out.']),
    ...(others === 0
      ? []
      : [`${others} of the trials at "${name}" are closed or not yours to change, and keep what they say.`]),
  ];
}
