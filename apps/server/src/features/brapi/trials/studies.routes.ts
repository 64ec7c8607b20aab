import { requirePrincipal } from '../../../platform/http/access.ts';
import { notFound, Problem } from '../../../platform/http/problem.ts';
import { read, readChanges, readEntries, WRITING } from '../collecting/collected.ts';
import { studies } from '../entities/core.ts';
import { envelope, ignored, type Json, paginationOf } from '../envelope.ts';
import { type BrapiContext, entriesOfIds, findEntry, idIn, scopeOf } from '../list.routes.ts';
import type { ListEntity } from '../list-entity.ts';
import { newStudy, unknownFields } from './study-bodies.ts';
import { addStudies, changeStudy, studyWithPlots } from './write-studies.service.ts';

/** Studies that clients write are trials: for everybody who may write to their project. */
export function registerStudyWrites(context: BrapiContext): void {
  const { app, calls, services } = context;
  const entity = studies as ListEntity;
  calls.add('POST', '/studies');
  app.post('/studies', { config: WRITING }, async (request) => {
    requirePrincipal(request);
    const entries = readEntries(newStudy, request.body);
    const given = request.body as Json[];
    const ids = await addStudies(
      services,
      await scopeOf(context, request),
      entries.map((entry, k) => ({ entry, given: given[k] ?? {}, where: `body.${k}` })),
    );
    const data = await entriesOfIds(entity, await scopeOf(context, request), ids);
    if (data.includes(undefined)) throw new Problem('request/conflict', 'What was written was deleted meanwhile.');
    const warnings = ignored(unknownFields(given));
    return envelope({ data }, warnings, paginationOf({ page: 0, size: data.length }, data.length));
  });
  calls.add('PUT', '/studies/{studyDbId}');
  app.put('/studies/:studyDbId', { config: WRITING }, async (request) => {
    requirePrincipal(request);
    const id = idIn(request, 'studyDbId');
    const scope = await scopeOf(context, request);
    const study = await studyWithPlots(scope, id);
    if (study === undefined) throw notFound('This study');
    const [[, change] = ['', {}]] = readChanges({ [id]: request.body });
    // Another place needs no other id, nor another id the name of the place before.
    const before = { ...(await findEntry(entity, scope, id)) };
    if ('locationName' in change && !('locationDbId' in change)) delete before['locationDbId'];
    if ('locationDbId' in change && !('locationName' in change)) delete before['locationName'];
    // Traits that are not named stay, also such as no variable has any more.
    delete before['observationVariableDbIds'];
    const given = { ...before, ...change };
    await changeStudy(services, scope, study, { entry: read(newStudy, given), given, where: 'body' });
    return envelope(await findEntry(entity, await scopeOf(context, request), id), ignored(unknownFields([change])));
  });
}
