import { describe, expect, it } from 'vitest';
import { parseSearch, safeReturnTo, stringifySearch, textParams } from './search-params.ts';

describe('search params', () => {
  it('stay text, whatever they look like', () => {
    expect(parseSearch('?code=12345&flag=true&name=a%20b')).toEqual({ code: '12345', flag: 'true', name: 'a b' });
  });

  it('keep repeated keys as a list, both ways', () => {
    expect(parseSearch('?t=a&t=b&t=c')).toEqual({ t: ['a', 'b', 'c'] });
    expect(stringifySearch({ t: ['a', 'b'], q: undefined, empty: '', n: 3 })).toBe('?t=a&t=b&n=3');
    expect(stringifySearch({})).toBe('');
  });

  it('are dropped where a schema wants one text and finds a list', () => {
    expect(textParams('a', 'b')({ a: 'x', b: ['y', 'z'], c: 'unknown' })).toEqual({ a: 'x' });
  });
});

describe('safeReturnTo', () => {
  it.each(['/projects', '/projects/1/models?tab=effects#top'])('allows %s', (address) => {
    expect(safeReturnTo(address)).toBe(address);
  });

  it.each([
    undefined,
    '',
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/',
    '/?returnTo=/',
    '/signin?code=1',
  ])('refuses %s', (address) => {
    expect(safeReturnTo(address)).toBeUndefined();
  });
});
