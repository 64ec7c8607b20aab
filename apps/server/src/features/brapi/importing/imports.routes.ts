import { brapiImportsApi } from '@heterosis/contracts/endpoints/data/brapi-imports';
import { bind, type Http } from '../../../platform/http/bind.ts';
import * as imports from './imports.service.ts';

/** Aborts when the client has left. */
function whenGone({ reply }: Http): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  return gone.signal;
}

/** Taking data from other BrAPI servers into a project. */
export const brapiImportRoutes = bind(brapiImportsApi, {
  ...imports,
  look: (call, input, http) => imports.look({ ...call, gone: whenGone(http) }, input),
  startImport: (call, input, http) => imports.startImport({ ...call, gone: whenGone(http) }, input),
});
