import {
  CompactEncrypt,
  type CryptoKey,
  calculateJwkThumbprint,
  compactDecrypt,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  type JWTPayload,
  jwtVerify,
  SignJWT,
} from 'jose';
import { deriveKey } from '../../platform/config/secrets.ts';
import type { Database } from '../../platform/database/database.ts';
import {
  insertFirstSigningKey,
  listSigningKeys,
  type NewSigningKey,
  replaceSigningKey,
  type SigningKeyRow,
} from './signing-keys.queries.ts';

const ALGORITHM = 'ES256';
/** Another process may rotate the keys: they are read anew after this long, and at once for a key id not seen before. */
const REFRESH_MS = 60_000;
/** Unknown key ids cost at most one query in this time, however many come in. */
const UNKNOWN_KEY_REFRESH_MS = 1_000;
/** Longer than anything we sign lives, and than {@link REFRESH_MS}: nobody is signed out by a rotation. */
const RETIRED_KEY_GRACE_SECONDS = 2 * 60 * 60;

export interface TokenPurpose {
  audience: string;
  /** The `typ` of the header; keeps a token made for one thing from being used for another. */
  type: string;
}

/** The keys that sign our tokens. They are in the database, sealed with SECRET_KEY, so that all processes share them. */
export interface KeyRing {
  sign(claims: JWTPayload, purpose: TokenPurpose & { expiresInSeconds: number }): Promise<string>;
  /** Throws an error of `jose` or {@link UnknownKeyError} when the token is not ours, for something else, or expired. */
  verify(token: string, purpose: TokenPurpose): Promise<JWTPayload>;
  /** The JWKS. */
  listPublicKeys(): Promise<JWK[]>;
}

export class UnknownKeyError extends Error {}

/** A key was sealed with another SECRET_KEY. */
export class UnreadableKeyError extends Error {}

interface LoadedKeys {
  loadedAt: number;
  signing: { id: string; key: CryptoKey };
  verifying: Map<string, CryptoKey>;
  published: JWK[];
  /** What was verified with these keys: a page sends the same token many times, and checking an ES256 signature costs more than the rest of a read. */
  verified: Map<string, JWTPayload>;
}

/** Tokens remembered at most; beyond that all are forgotten. */
const MAX_VERIFIED = 10_000;

export function createKeyRing(db: Database, secretKey: string): KeyRing {
  let loading: Promise<LoadedKeys> | undefined;
  let loaded: LoadedKeys | undefined;

  async function load(): Promise<LoadedKeys> {
    // One load for all requests that wait for it.
    loading ??= loadKeys(db, secretKey).finally(() => {
      loading = undefined;
    });
    loaded = await loading;
    return loaded;
  }
  async function current(maxAgeMs = REFRESH_MS): Promise<LoadedKeys> {
    return loaded !== undefined && Date.now() - loaded.loadedAt < maxAgeMs ? loaded : load();
  }
  async function findVerifyingKey(id: string | undefined): Promise<CryptoKey> {
    const known = (await current()).verifying.get(id ?? '');
    const key = known ?? (await current(UNKNOWN_KEY_REFRESH_MS)).verifying.get(id ?? '');
    if (key === undefined)
      throw new UnknownKeyError('The token is signed with a key that is not ours, or not any more.');
    return key;
  }

  return {
    async sign(claims, { audience, type, expiresInSeconds }) {
      const { signing } = await current();
      return new SignJWT(claims)
        .setProtectedHeader({ alg: ALGORITHM, kid: signing.id, typ: type })
        .setAudience(audience)
        .setIssuedAt()
        .setExpirationTime(`${expiresInSeconds} s`)
        .sign(signing.key);
    },
    async verify(token, { audience, type }) {
      const { verified } = await current();
      const id = `${type} ${audience} ${token}`;
      const known = verified.get(id);
      if (known?.exp !== undefined && known.exp * 1000 > Date.now()) return known;
      const { payload } = await jwtVerify(token, ({ kid }) => findVerifyingKey(kid), {
        algorithms: [ALGORITHM],
        audience,
        typ: type,
        requiredClaims: ['exp', 'sub'],
      });
      if (verified.size >= MAX_VERIFIED) verified.clear();
      verified.set(id, payload);
      return payload;
    },
    async listPublicKeys() {
      // Fresh, so that a key which another process signs with is not missing here.
      return (await current(UNKNOWN_KEY_REFRESH_MS)).published;
    },
  };
}

/**
 * Signs with a new key from now on; with `revokeOthers` what the old ones signed is void (within a minute on all machines).
 * Otherwise the present key must open with this SECRET_KEY: a key sealed with another one would stop every server.
 */
export async function rotateSigningKeys(db: Database, secretKey: string, revokeOthers: boolean): Promise<string> {
  const present = (await listSigningKeys(db, RETIRED_KEY_GRACE_SECONDS)).find(({ retired_at }) => retired_at === null);
  if (present !== undefined && !revokeOthers) await unseal(present, secretKey);
  const key = await makeSigningKey(secretKey);
  await replaceSigningKey(db, key, revokeOthers);
  return key.id;
}

/** A key as the operator sees it. */
export interface SigningKeyState {
  id: string;
  created_at: string;
  /** From then on it signs nothing new; null for the one that signs. */
  retired_at: string | null;
  /** Until then what it signed is accepted; null for the one that signs. */
  verifies_until: string | null;
}

/** Newest first. */
export async function listSigningKeyStates(db: Database): Promise<SigningKeyState[]> {
  const rows = await listSigningKeys(db, RETIRED_KEY_GRACE_SECONDS);
  return rows.map(({ id, created_at, retired_at }) => ({
    id,
    created_at,
    retired_at,
    verifies_until:
      retired_at === null ? null : new Date(Date.parse(retired_at) + RETIRED_KEY_GRACE_SECONDS * 1000).toISOString(),
  }));
}

async function loadKeys(db: Database, secretKey: string): Promise<LoadedKeys> {
  let rows = await listSigningKeys(db, RETIRED_KEY_GRACE_SECONDS);
  if (!rows.some(({ retired_at }) => retired_at === null)) {
    await insertFirstSigningKey(db, await makeSigningKey(secretKey));
    rows = await listSigningKeys(db, RETIRED_KEY_GRACE_SECONDS);
  }
  const newest = rows.find(({ retired_at }) => retired_at === null);
  if (newest === undefined) throw new Error('There is no signing key in the database, although one was just made.');

  const verifying = new Map<string, CryptoKey>();
  for (const row of rows) verifying.set(row.id, await importKey(row.public_jwk as JWK));
  return {
    loadedAt: Date.now(),
    signing: { id: newest.id, key: await importKey(await unseal(newest, secretKey)) },
    verifying,
    published: rows.map(({ public_jwk }) => public_jwk as JWK),
    verified: new Map(),
  };
}

async function makeSigningKey(secretKey: string): Promise<NewSigningKey> {
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const jwk = await exportJWK(publicKey);
  const id = await calculateJwkThumbprint(jwk);
  return {
    id,
    publicJwk: { ...jwk, kid: id, alg: ALGORITHM, use: 'sig' },
    privateKeySealed: await seal(await exportJWK(privateKey), secretKey),
  };
}

async function importKey(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, ALGORITHM);
  if (key instanceof Uint8Array) throw new Error('A signing key is not an elliptic-curve key.');
  return key;
}

const sealingKey = (secretKey: string): Buffer => deriveKey(secretKey, 'signing-keys');

function seal(privateJwk: JWK, secretKey: string): Promise<string> {
  return new CompactEncrypt(new TextEncoder().encode(JSON.stringify(privateJwk)))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .encrypt(sealingKey(secretKey));
}

async function unseal({ id, private_key_sealed }: SigningKeyRow, secretKey: string): Promise<JWK> {
  try {
    const { plaintext } = await compactDecrypt(private_key_sealed, sealingKey(secretKey));
    return JSON.parse(new TextDecoder().decode(plaintext)) as JWK;
  } catch (cause) {
    throw new UnreadableKeyError(
      `The signing key ${id} cannot be opened with this SECRET_KEY. Start with the SECRET_KEY it was made with, or make new keys: npm run admin -- keys rotate --revoke.`,
      { cause },
    );
  }
}
