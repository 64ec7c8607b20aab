import { createLocalJWKSet, errors, type JSONWebKeySet, jwtVerify } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Product, startProduct } from '../../../../testing/product.ts';
import { ensureUser } from '../../accounts/index.ts';
import { createKeyRing, makeCustomToken, rotateSigningKeys } from '../index.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct({ withWorker: false });
});
afterAll(() => product.close());

interface Tokens {
  access_token: string;
  user: { uid: string };
}

/** Signs in at a freshly started server, which knows of the rotation. */
async function signIn(email: string): Promise<Tokens> {
  const { db, config } = product.services;
  const { id } = await ensureUser(db, email);
  const token = await makeCustomToken(createKeyRing(db, config.secretKey), id);
  const answer = await product.app.inject({
    method: 'POST',
    url: '/api/auth/token',
    payload: { grant_type: 'custom_token', token },
  });
  return answer.json();
}

async function publishedKeys(): Promise<JSONWebKeySet> {
  const answer = await product.app.inject({ method: 'GET', url: '/.well-known/jwks.json' });
  expect(answer.statusCode).toBe(200);
  return answer.json();
}

/** Verifies a token as another service would, with nothing but the published keys. */
async function verify(token: string, keys: JSONWebKeySet) {
  const { payload } = await jwtVerify(token, createLocalJWKSet(keys), {
    audience: 'heterosis:api',
    typ: 'at+jwt',
    algorithms: ['ES256'],
  });
  return payload;
}

const profileStatus = async (token: string): Promise<number> =>
  (
    await product.app.inject({
      method: 'GET',
      url: '/api/users/me',
      headers: { authorization: `Bearer ${token}` },
    })
  ).statusCode;

test('the public keys are for everybody, may be cached, and hold nothing private', async () => {
  await signIn('kay@example.org');
  const answer = await product.app.inject({ method: 'GET', url: '/.well-known/jwks.json' });
  expect(answer.headers['content-type']).toContain('application/jwk-set+json');
  expect(answer.headers['cache-control']).toBe('public, max-age=300');
  const { keys } = answer.json<JSONWebKeySet>();
  expect(keys).toHaveLength(1);
  expect(Object.keys(keys[0]!).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
});

test('an access token verifies against the published keys, before and after a rotation and while it lasts', async () => {
  const { db, config } = product.services;
  const old = await signIn('kay@example.org');
  expect(await verify(old.access_token, await publishedKeys())).toMatchObject({ sub: old.user.uid });

  const newKey = await rotateSigningKeys(db, config.secretKey, false);
  await expect.poll(async () => (await publishedKeys()).keys.map(({ kid }) => kid)).toContain(newKey);
  const keys = await publishedKeys();
  expect(keys.keys).toHaveLength(2);
  const fresh = await signIn('lee@example.org');
  expect(fresh.access_token.split('.')[0]).toBe(
    Buffer.from(JSON.stringify({ alg: 'ES256', kid: newKey, typ: 'at+jwt' })).toString('base64url'),
  );
  for (const { access_token, user } of [old, fresh]) {
    expect(await verify(access_token, keys)).toMatchObject({ sub: user.uid });
    expect(await profileStatus(access_token)).toBe(200);
  }
});

test('a rotation that revokes takes the old keys away, and what they signed is refused', async () => {
  const { db, config } = product.services;
  const old = await signIn('kay@example.org');
  const newKey = await rotateSigningKeys(db, config.secretKey, true);
  await expect.poll(async () => (await publishedKeys()).keys.map(({ kid }) => kid)).toEqual([newKey]);
  await expect(verify(old.access_token, await publishedKeys())).rejects.toThrow(errors.JWKSNoMatchingKey);
  expect(await profileStatus(old.access_token)).toBe(401);
});
