import type { FastifyRequest } from 'fastify';

/**
 * Whether a request goes to an API route. Decided by the matched route, not by the text of the address: the same
 * route is also reached as `/%61pi/…` and `http://any-name/api/…`.
 */
export function isApiRequest(request: FastifyRequest): boolean {
  return isApiAddress(request.routeOptions.url ?? request.url);
}

/**
 * Addresses of our own API, of assistants and of BrAPI, which signs in at `/token` too; their routes declare who may
 * call them.
 */
export function isApiAddress(url: string): boolean {
  return /^\/(?:(?:api|brapi)(?:\/|$)|(?:token|mcp)$)/.test(url);
}

/** Whether it goes to a signed address of the local disk. */
export function isStorageRequest(request: FastifyRequest): boolean {
  return (request.routeOptions.url ?? request.url).startsWith('/api/storage/');
}
