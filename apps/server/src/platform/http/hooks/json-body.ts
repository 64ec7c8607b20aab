import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { Problem } from '../problem.ts';

/** More than any body of ours nests; a parser takes a third of a second for the 400,000 that a body could have. */
const MOST_LEVELS = 100;

/**
 * Reads bodies of `application/json`: refuses broken UTF-8, which would be stored with other characters than were
 * sent, lists and objects nested too deep, and field names that programs could take for parts of JavaScript. `empty`
 * is what a body of nothing means; undefined: it is refused.
 */
export function registerJsonBody(app: FastifyInstance, { empty }: { empty?: () => unknown } = {}): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (!isUtf8(body)) return done(new Problem('request/invalid', 'The body is not valid UTF-8.'), undefined);
    if (isDeeperThan(MOST_LEVELS, body)) {
      const message = `The body has lists or objects nested in more than ${MOST_LEVELS} levels.`;
      return done(new Problem('request/invalid', message), undefined);
    }
    const text = body.toString();
    if (empty !== undefined && text.trim() === '') return done(null, empty());
    const read = (error: Error | null, value?: unknown) =>
      done(error !== null && isJson(text) ? forbiddenName() : error, value);
    parse(request, text, read);
  });
}

const [QUOTE, BACKSLASH, LIST, LIST_END, OBJECT, OBJECT_END] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];

/** Whether brackets outside of texts nest deeper. */
function isDeeperThan(levels: number, json: Buffer): boolean {
  let depth = 0;
  let isText = false;
  for (let i = 0; i < json.length; i++) {
    const byte = json[i] ?? 0;
    if (isText) {
      if (byte === BACKSLASH) i++;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === LIST || byte === OBJECT) {
      if (++depth > levels) return true;
    } else if (byte === LIST_END || byte === OBJECT_END) depth--;
  }
  return false;
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
