import { describe, expect, it } from 'vitest';
import {
  asProblem,
  isWorthRetrying,
  networkProblem,
  Problem,
  problemFromResponse,
  splitInvalidParams,
} from './problem.ts';

const body = {
  type: 'about:blank',
  title: 'The request is not valid',
  status: 400,
  detail: 'The name is too long.',
  instance: '/api/projects',
  code: 'request/invalid',
  request_id: 'r-1',
  invalid_params: [
    { name: 'body.name', reason: 'A name has at most 255 characters' },
    { name: 'body.traits.3', reason: 'Unknown trait' },
    { name: 'query.cursor', reason: 'Not a cursor' },
  ],
};

describe('problemFromResponse', () => {
  it('reads a problem of our server', async () => {
    const problem = await problemFromResponse(new Response(JSON.stringify(body), { status: 400 }));
    expect(problem).toMatchObject({ code: 'request/invalid', status: 400, requestId: 'r-1', detail: body.detail });
  });

  it.each(['<html>502</html>', '', '{"error":"x"}', 'null'])('makes a problem of %j too', async (text) => {
    const problem = await problemFromResponse(new Response(text, { status: 502, statusText: 'Bad Gateway' }));
    expect(problem.code).toBe('client/unreadable-answer');
    expect(problem.detail).toContain('502 Bad Gateway');
    expect(isWorthRetrying(problem)).toBe(true);
  });
});

describe('splitInvalidParams', () => {
  it('lands each on its field, also inside a list, and keeps the rest', () => {
    const { byField, rest } = splitInvalidParams(new Problem(body), ['name', 'traits']);
    expect(byField).toEqual({ name: 'A name has at most 255 characters', traits: 'Unknown trait' });
    expect(rest).toEqual([{ name: 'query.cursor', reason: 'Not a cursor' }]);
  });
});

describe('isWorthRetrying', () => {
  it('is true when there was no answer, and false for what would fail again', () => {
    expect(isWorthRetrying(networkProblem(new TypeError('fetch failed')))).toBe(true);
    expect(isWorthRetrying(new Problem(body))).toBe(false);
    expect(isWorthRetrying(new Error('a fault of ours'))).toBe(false);
    // A page that cannot be drawn would otherwise be drawn again without end.
    expect(isWorthRetrying(asProblem(new TypeError('x is undefined')))).toBe(false);
  });
});

describe('asProblem', () => {
  it('shows a fault of ours with its message', () => {
    expect(asProblem(new TypeError('x is undefined'))).toMatchObject({ code: 'client/unexpected' });
    expect(asProblem(new TypeError('x is undefined')).detail).toContain('x is undefined');
  });
});
