import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { get, post, put } from './endpoint.ts';
import { requestOf, toQueryString } from './endpoint-request.ts';

describe('toQueryString', () => {
  it('repeats the key of a list and leaves out what has no value', () => {
    const query = { types: ['GENOTYPE', 'PHENOTYPE'], root: true, limit: 0, cursor: undefined, folder_id: null };
    expect(toQueryString(query)).toBe('?types=GENOTYPE&types=PHENOTYPE&root=true&limit=0');
  });

  it('is empty rather than a lone question mark', () => {
    expect(toQueryString(undefined)).toBe('');
    expect(toQueryString({ search: undefined })).toBe('');
    expect(toQueryString({ types: [] })).toBe('');
  });

  it('escapes what a name of a marker or trait may hold', () => {
    expect(toQueryString({ trait: 'Yield (t/ha) & more', search: 'a=b' })).toBe(
      '?trait=Yield+%28t%2Fha%29+%26+more&search=a%3Db',
    );
  });
});

describe('requestOf', () => {
  const named = z.object({ name: z.string() });

  it('sends JSON, and an empty object with a POST that takes nothing', () => {
    const change = put('/things/:id', 'public', { summary: 'Change', body: named });
    const json = { 'content-type': 'application/json' };
    const sent = { id: 'a/b', body: { name: 'x' } };
    expect(requestOf(change, sent)).toEqual({
      method: 'PUT',
      address: '/things/a%2Fb',
      headers: json,
      body: '{"name":"x"}',
    });
    expect(requestOf(post('/stop', 'public', { summary: 'Stop' }), {})).toMatchObject({ headers: json, body: '{}' });
    expect(requestOf(get('/things', 'public', { summary: 'All' }), { query: { limit: 2 } })).toEqual({
      method: 'GET',
      address: '/things?limit=2',
      headers: {},
    });
  });

  it('sends a file with its type, and a form as its writer does', () => {
    const photo = put('/photo', 'public', { summary: 'Photo', takes: ['image/png'] });
    const body = new Blob(['x'], { type: 'image/png' });
    expect(requestOf(photo, { body })).toMatchObject({ headers: { 'content-type': 'image/png' }, body });
    const form = new FormData();
    expect(requestOf(post('/files', 'public', { summary: 'File', form: named }), { body: form })).toEqual({
      method: 'POST',
      address: '/files',
      headers: {},
      body: form,
    });
  });
});
