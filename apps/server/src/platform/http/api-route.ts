import type { FastifyRequest } from 'fastify';

/**
 * Whether a request goes to a route of the API. By the route that was found, not by the text of the address: the same route is
 * reached as `/%61pi/…` and as `http://any-name/api/…` too.
 */
export function isApiRequest(request: FastifyRequest): boolean {
  return (request.routeOptions.url ?? request.url).startsWith('/api');
}

/** Whether it goes to a signed address of the local disk. */
export function isStorageRequest(request: FastifyRequest): boolean {
  return (request.routeOptions.url ?? request.url).startsWith('/api/storage/');
}
