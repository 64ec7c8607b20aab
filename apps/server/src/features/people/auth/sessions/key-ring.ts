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
import { deriveKey } from '../../../../platform/config/secrets.ts';
import type { Database } from '../../../../platform/database/database.ts';
import {
  insertFirstSigningKey,
  listSigningKeys,
  type NewSigningKey,
  replaceSigningKey,
  type SigningKeyRow,
} from './signing-keys.queries.ts';

const ALGORITHM = 'ES256';
/** Keys are reloaded after this long, and at once for an unknown key id, because another process may rotate them. */
const REFRESH_MS = 60_000;
/** Unknown key ids cause at most one query in this time. */
const UNKNOWN_KEY_REFRESH_MS = 1_000;
/** Longer than the life of any signed token and than {@link REFRESH_MS}, so a rotation signs nobody out. */
const RETIRED_KEY_GRACE_SECONDS = 2 * 60 * 60;

export interface TokenPurpose {
  audience: string;
  /** The `typ` header; prevents use of a token for another purpose. */
  type: string;
}

/** The keys that sign tokens. They are stored in the database, sealed with SECRET_KEY, and shared by all processes. */
export interface KeyRing {
  sign(claims: JWTPayload, purpose: TokenPurpose & { expiresInSeconds: number }): Promise<string>;
  /**
   * Throws an error of `jose` or {@link UnknownKeyError} when the token is foreign, for another purpose, or expired.
   */
  verify(token: string, purpose: TokenPurpose): Promise<JWTPayload>;
  /** The JWKS. */
  listPublicKeys(): Promise<JWK[]>;
  /** The private key that signs now, for the OpenID provider. Never send it to anybody. */
  findSigningKey(): Promise<JWK>;
}

export class UnknownKeyError extends Error {}

/** A key was sealed with another SECRET_KEY. */
export class UnreadableKeyError extends Error {}

interface LoadedKeys {
  loadedAt: number;
  signing: { id: string; key: CryptoKey; jwk: JWK };
  verifying: Map<string, CryptoKey>;
  published: JWK[];
  /**
   * Verified tokens. A page sends the same token many times, and verifying an ES256 signature costs more than the
   * rest of a read.
   */
  verified: Map<string, JWTPayload>;
}

/** Most cached tokens; the cache is cleared beyond that. */
const MAX_VERIFIED = 10_000;

export function createKeyRing(db: Database, secretKey: string): KeyRing {
  let loading: Promise<LoadedKeys> | undefined;
  let loaded: LoadedKeys | undefined;

  async function load(): Promise<LoadedKeys> {
    // All waiting requests share one load.
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
      // Reload, so that a key of another process is not missing here.
      return (await current(UNKNOWN_KEY_REFRESH_MS)).published;
    },
    async findSigningKey() {
      return (await current()).signing.jwk;
    },
  };
}

/**
 * Starts signing with a new key. With `revokeOthers`, tokens signed with the old keys become void (within a minute on
 * all machines). Otherwise the current key must open with this SECRET_KEY: a key sealed with another one would stop
 * every server.
 */
export async function rotateSigningKeys(db: Database, secretKey: string, revokeOthers: boolean): Promise<string> {
  const present = (await listSigningKeys(db, RETIRED_KEY_GRACE_SECONDS)).find(({ retired_at }) => retired_at === null);
  if (present !== undefined && !revokeOthers) await unseal(present, secretKey);
  const key = await makeSigningKey(secretKey);
  await replaceSigningKey(db, key, revokeOthers);
  return key.id;
}

/** A key as shown to the operator. */
export interface SigningKeyState {
  id: string;
  created_at: string;
  /** When it stopped signing; null for the current key. */
  retired_at: string | null;
  /** Until when its tokens are accepted; null for the current key. */
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
  const jwk = await unseal(newest, secretKey);
  return {
    loadedAt: Date.now(),
    signing: {
      id: newest.id,
      key: await importKey(jwk),
      jwk: { ...jwk, kid: newest.id, alg: ALGORITHM, use: 'sig' },
    },
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
