import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { Problem } from '../problem.ts';

/**
 * Reads bodies of `application/json`: refuses broken UTF-8, which would be stored with other characters than were
 * sent, and field names that programs could take for parts of JavaScript. `empty` is what a body of nothing means;
 * undefined: it is refused.
 */
export function registerJsonBody(app: FastifyInstance, { empty }: { empty?: () => unknown } = {}): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (!isUtf8(body)) return done(new Problem('request/invalid', 'The body is not valid UTF-8.'), undefined);
    const text = body.toString();
    if (empty !== undefined && text.trim() === '') return done(null, empty());
    const read = (error: Error | null, value?: unknown) =>
      done(error !== null && isJson(text) ? forbiddenName() : error, value);
    parse(request, text, read);
  });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const forbiddenName = (): Problem =>
  new Problem('request/invalid', 'The body has a field of the name "__proto__" or "constructor.prototype".');
