import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFirebaseVerifier, type FirebaseVerifier } from './firebase-tokens.ts';

const PROJECT = 'heterosis-test';
const CONFIG = { projectId: PROJECT, apiKey: 'key', authDomain: 'auth.example', emulatorHost: undefined };

let server: Server;
let ours: CryptoKey;
let foreign: CryptoKey;
let verify: FirebaseVerifier;
let url: string;
beforeAll(async () => {
  const pair = await generateKeyPair('RS256');
  ours = pair.privateKey;
  foreign = (await generateKeyPair('RS256')).privateKey;
  const jwks = { keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }] };
  // Google's key server, on this machine.
  server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(jwks));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwk`;
  verify = createFirebaseVerifier(CONFIG, url)!;
});
afterAll(() => {
  server.close();
});

const claims = (): JWTPayload => ({
  iss: `https://securetoken.google.com/${PROJECT}`,
  aud: PROJECT,
  sub: 'uid',
  auth_time: Math.floor(Date.now() / 1000),
  email: 'ann@example.org',
  email_verified: true,
  name: 'Ann',
});
const signed = (change: JWTPayload = {}, { key = ours, expires = '1 h', kid = 'one' } = {}): Promise<string> =>
  new SignJWT({ ...claims(), ...change })
    .setProtectedHeader({ alg: 'RS256', kid })
    .setIssuedAt()
    .setExpirationTime(expires)
    .sign(key);

test('an ID token of the project says who signed in, and whether the address is verified', async () => {
  expect(await verify(await signed())).toEqual({ email: 'ann@example.org', emailVerified: true, name: 'Ann' });
  expect((await verify(await signed({ email_verified: false }))).emailVerified).toBe(false);
});

describe('refused is a token', () => {
  test.each<[string, () => string | Promise<string>]>([
    ['signed by somebody else', () => signed({}, { key: foreign })],
    ['of an unknown key', () => signed({}, { kid: 'two' })],
    ['of another project', () => signed({ aud: 'other', iss: 'https://securetoken.google.com/other' })],
    ['of another issuer', () => signed({ iss: 'https://accounts.google.com' })],
    ['for another audience', () => signed({ aud: 'other' })],
    ['that has expired', () => signed({}, { expires: '-1 s' })],
    ['without a subject', () => signed({ sub: undefined } as unknown as JWTPayload)],
    ['that nobody signed', () => new UnsecuredJWT(claims()).setIssuedAt().setExpirationTime('1 h').encode()],
    ['signed with the public key as a shared secret', () => hs256()],
    ['that is none', () => 'abc'],
  ])('%s', async (_, make) => {
    await expect(verify(await make())).rejects.toMatchObject({ code: 'auth/invalid-id-token' });
  });
});

const hs256 = async (): Promise<string> =>
  new SignJWT(claims())
    .setProtectedHeader({ alg: 'HS256', kid: 'one' })
    .setIssuedAt()
    .setExpirationTime('1 h')
    .sign(new TextEncoder().encode(await (await fetch(url)).text()));

test('while the keys cannot be read nobody is let in, and the reason is said', async () => {
  const away = createFirebaseVerifier(CONFIG, 'http://127.0.0.1:9/jwk')!;
  await expect(away(await signed())).rejects.toMatchObject({ code: 'auth/network-request-failed' });
});
