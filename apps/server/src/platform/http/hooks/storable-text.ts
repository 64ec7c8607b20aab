import type { FastifyInstance } from 'fastify';
import { Problem } from '../problem.ts';

/** Whether PostgreSQL can store a text: NUL is not allowed, and a lone surrogate is not valid UTF-8. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Refuses text that the database cannot store anywhere in a request, so that schemas need not check it. */
export function registerStorableText(app: FastifyInstance): void {
  app.addHook('preValidation', async (request) => {
    for (const [place, value] of [
      // Spread, because the parser's objects have a prototype of their own.
      ['query', { ...(request.query as object) }],
      ['body', request.body],
    ] as const) {
      const name = findUnstorable(place, value);
      if (name === undefined) continue;
      throw new Problem('request/invalid', `${name}: NUL and broken characters are not allowed.`, {
        invalidParams: [{ name, reason: 'NUL and broken characters are not allowed' }],
      });
    }
  });
}

/** Path of such text in a JSON value. Iterative, because the sender controls the depth. */
function findUnstorable(place: string, value: unknown): string | undefined {
  const open: { name: string; value: unknown }[] = [{ name: place, value }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { name } = next;
    if (typeof next.value === 'string' && !isStorable(next.value)) return name;
    if (!isPlain(next.value)) continue;
    for (const [key, inner] of Object.entries(next.value)) {
      if (!isStorable(key)) return name;
      // Deeper paths could be as long as the body itself.
      open.push({ name: name.length > 100 ? name : `${name}.${key}`, value: inner });
    }
  }
  return undefined;
}

/** Arrays and objects of JSON; not the stream of an upload. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || Array.isArray(value);
}
