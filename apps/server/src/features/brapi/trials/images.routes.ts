import { MAX_PHOTO_BYTES } from '@heterosis/contracts/data/photos';
import { requirePrincipal } from '../../../platform/http/access.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { read, readEntries, WRITING } from '../collecting/collected.ts';
import { images } from '../entities/images.ts';
import { envelope, type Json, paginationOf } from '../envelope.ts';
import { type BrapiContext, entriesOfIds, findEntry, idIn, scopeOf } from '../list.routes.ts';
import type { ListEntity } from '../list-entity.ts';
import { addImages, changeImage, newImage, setImageContent } from './write-images.service.ts';

/** Photos that clients announce and then send, for everybody who may write to their project. */
export function registerImageWrites(context: BrapiContext): void {
  const { app, calls, services } = context;
  const entity = images as ListEntity;
  const parser = { parseAs: 'buffer', bodyLimit: MAX_PHOTO_BYTES } as const;
  // Whatever a client calls it: the bytes say what it is.
  for (const type of [/^image\//, 'application/octet-stream'])
    app.addContentTypeParser(type, parser, (_request, body, done) => done(null, body));
  calls.add('POST', '/images');
  app.post('/images', { config: WRITING }, async (request) => {
    requirePrincipal(request);
    const entries = readEntries(newImage, request.body);
    const ids = await addImages(services, await scopeOf(context, request), entries);
    const data = await entriesOfIds(entity, await scopeOf(context, request), ids);
    if (data.includes(undefined)) throw new Problem('request/conflict', 'What was written was deleted meanwhile.');
    return envelope({ data }, [], paginationOf({ page: 0, size: data.length }, data.length));
  });
  calls.add('PUT', '/images/{imageDbId}');
  app.put('/images/:imageDbId', { config: WRITING }, async (request) => {
    requirePrincipal(request);
    const id = idIn(request, 'imageDbId');
    const scope = await scopeOf(context, request);
    const before = await findEntry(entity, scope, id);
    const { additionalInfo, ...change } = (request.body ?? {}) as Json;
    const given = { ...before, ...change, ...(additionalInfo === undefined ? {} : { additionalInfo }) };
    await changeImage(services, scope, id, read(newImage, withoutOwn(given), 'body'));
    return envelope(await findEntry(entity, await scopeOf(context, request), id));
  });
  calls.add('PUT', '/images/{imageDbId}/imagecontent');
  app.put('/images/:imageDbId/imagecontent', { config: WRITING }, async (request) => {
    requirePrincipal(request);
    const id = idIn(request, 'imageDbId');
    const { body } = request;
    if (!Buffer.isBuffer(body))
      throw new Problem('request/invalid', 'Send the bytes of the image, with a content type such as image/jpeg.');
    await setImageContent(services, await scopeOf(context, request), id, body);
    return envelope(await findEntry(entity, await scopeOf(context, request), id));
  });
}

/** Without what we say of the photo ourselves. */
function withoutOwn({ additionalInfo, ...given }: Json): Json {
  if (typeof additionalInfo !== 'object' || additionalInfo === null) return given;
  const { studyDbId, trialDbId, ...info } = additionalInfo as Json;
  return { ...given, additionalInfo: info };
}
