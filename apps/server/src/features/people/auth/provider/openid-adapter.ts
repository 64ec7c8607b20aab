import type { Adapter, AdapterPayload } from 'oidc-provider';
import * as z from 'zod';
import type { Database } from '../../../../platform/database/database.ts';
import { findUser } from '../../accounts/index.ts';
import { revokeAccessToken } from '../access-tokens.queries.ts';
import { storeAccessToken } from '../access-tokens.service.ts';
import { hashSecret } from '../secret-text.ts';
import { nameOfApp } from './apps.ts';
import {
  consumeRecord,
  deleteRecord,
  deleteRecordsOfGrant,
  findRecord,
  type RecordKey,
  upsertRecord,
} from './openid-records.queries.ts';

/** An access token that an app receives lasts this long, as long as the default of those made by hand. */
export const APP_TOKEN_DAYS = 90;

/** What a person allowed an app to do. It is kept beside the grant, under the same id. */
export const allowance = z.object({
  scopes: z.array(z.enum(['read', 'write'])),
  projectIds: z.array(z.string()).nullable(),
});
export type Allowance = z.output<typeof allowance>;
export const ALLOWANCE = 'Allowance';

/** Whoever knows the id of such a record can use it: only a hash is stored. */
const SECRETS = new Set(['AccessToken', 'AuthorizationCode']);

const storedAccessToken = z.object({ userId: z.string(), tokenId: z.string() });

/** Keeps the records of the OpenID provider in the database; its access tokens become personal access tokens. */
export class OpenidAdapter implements Adapter {
  readonly #db: Database;
  readonly #model: string;

  constructor(db: Database, model: string) {
    this.#db = db;
    this.#model = model;
  }

  #key(id: string): RecordKey {
    return { model: this.#model, id: SECRETS.has(this.#model) ? hashSecret(id).toString('base64url') : id };
  }

  async upsert(id: string, { jti, ...payload }: AdapterPayload, lifetimeSeconds: number): Promise<void> {
    const record = { ...this.#key(id), grantId: payload.grantId, lifetimeSeconds };
    if (this.#model === 'AccessToken') await this.#storeAccessToken(id, payload, record);
    else await upsertRecord(this.#db, { ...record, payload });
  }

  async #storeAccessToken(
    token: string,
    { accountId = '', clientId, grantId = '' }: AdapterPayload,
    record: RecordKey & { grantId: string | undefined; lifetimeSeconds: number },
  ): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const [user, allowed] = [
        await findUser(trx, accountId),
        allowance.safeParse(await findRecord(trx, { model: ALLOWANCE, id: grantId })),
      ];
      if (user === undefined || !allowed.success) throw new Error('An app was given no access that it could use.');
      const principal = { userId: user.id, email: user.email };
      const { id } = await storeAccessToken(trx, principal, token, {
        name: nameOfApp(clientId),
        scopes: allowed.data.scopes,
        projectIds: allowed.data.projectIds,
        expiresInDays: APP_TOKEN_DAYS,
      });
      await upsertRecord(trx, { ...record, payload: { userId: user.id, tokenId: id } });
    });
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const payload = await findRecord(this.#db, this.#key(id));
    return payload === undefined ? undefined : { ...payload, jti: id };
  }

  /** Sessions of the provider live for one request only, and no app asks a person to type a code. */
  async findByUid(): Promise<undefined> {}
  async findByUserCode(): Promise<undefined> {}

  async consume(id: string): Promise<void> {
    if (!(await consumeRecord(this.#db, this.#key(id)))) throw new Error('A code was used twice at the same time.');
  }

  destroy(id: string): Promise<void> {
    return deleteRecord(this.#db, this.#key(id));
  }

  /** A code that is used twice may be stolen: what was issued for it is taken back. */
  async revokeByGrantId(grantId: string): Promise<void> {
    const payloads = await deleteRecordsOfGrant(this.#db, this.#model, grantId);
    for (const payload of payloads) {
      const { data } = storedAccessToken.safeParse(payload);
      if (data !== undefined) await revokeAccessToken(this.#db, data.userId, data.tokenId);
    }
  }
}
