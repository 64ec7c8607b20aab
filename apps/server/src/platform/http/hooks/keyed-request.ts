import { randomUUID } from 'node:crypto';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type Database, joinedTransaction, type Queryable } from '../../database/database.ts';
import type { JoinedTransaction } from '../../database/joined-transaction.ts';
import { Problem } from '../problem.ts';

/** A try that has not ended after this long was lost with its process. If it was not, it can no longer commit. */
const ABANDONED_SECONDS = 60;
/** A key may be reused after this long. */
const KEPT_HOURS = 24;

const isOld = sql<SqlBool>`idempotency_keys.created_at < now() - make_interval(hours => ${KEPT_HOURS})`;

export interface KeptAnswer {
  status: number;
  /** Null for an answer that is not kept. */
  body: string | null;
  contentType: string | null;
}

interface Sender {
  userId: string;
  key: string;
  /** SHA-256 of the request. */
  fingerprint: Buffer;
}

/**
 * The one try at a request with an Idempotency-Key that is under way. What it writes and its answer are committed
 * together, so that the answer is kept if and only if there is something to be answered for.
 */
export class KeyedRequest {
  readonly transaction: JoinedTransaction;
  readonly #db: Database;
  readonly #sender: Sender;
  readonly #claim: string;
  #point: string | null;

  private constructor(db: Database, sender: Sender, claim: string, point: string | null) {
    this.transaction = joinedTransaction(db);
    this.#db = db;
    this.#sender = sender;
    this.#claim = claim;
    this.#point = point;
  }

  /** The try that may begin, or the answer of an earlier one. Refuses a key that is in use, or of another request. */
  static async begin(db: Database, sender: Sender): Promise<KeyedRequest | KeptAnswer> {
    const { userId, key, fingerprint } = sender;
    const claim = randomUUID();
    const claimed = await db
      .insertInto('idempotency_keys')
      .values({ user_id: userId, key, fingerprint, claim })
      .onConflict((conflict) =>
        conflict
          .columns(['user_id', 'key'])
          .doUpdateSet({
            ...{ fingerprint, claim, status: null, body: null, content_type: null, created_at: sql<string>`now()` },
            point: sql<string | null>`case when ${isOld} then null else idempotency_keys.point end`,
          })
          .where(
            sql<SqlBool>`${isOld} or idempotency_keys.status is null and idempotency_keys.fingerprint = ${fingerprint}
              and (idempotency_keys.claim is null
                or idempotency_keys.created_at < now() - make_interval(secs => ${ABANDONED_SECONDS}))`,
          ),
      )
      .returning('point')
      .executeTakeFirst();
    if (claimed !== undefined) return new KeyedRequest(db, sender, claim, claimed.point);

    const earlier = await db
      .selectFrom('idempotency_keys')
      .select(['fingerprint', 'status', 'body', 'content_type as contentType'])
      .where('user_id', '=', userId)
      .where('key', '=', key)
      .executeTakeFirst();
    if (earlier !== undefined && !earlier.fingerprint.equals(fingerprint))
      throw new Problem('request/idempotency-mismatch', 'Use a new Idempotency-Key for a new request.');
    if (earlier?.status == null)
      throw new Problem('request/conflict', 'The first request with this Idempotency-Key is still running.', {
        headers: { 'retry-after': '1' },
      });
    const { status, body, contentType } = earlier;
    return { status, body, contentType };
  }

  /**
   * A part that has to be committed before the request can be answered, because a worker goes on with it. Its result
   * is kept in the same commit, and a later try begins with it.
   */
  async firstPart(work: () => Promise<string>): Promise<string> {
    if (this.#point !== null) return this.#point;
    const point = await work();
    await this.#write({ point });
    await this.transaction.commit();
    this.#point = point;
    return point;
  }

  /** Commits everything with its answer; throws if nothing of it was kept. */
  async keep({ status, body, contentType }: KeptAnswer): Promise<void> {
    await this.#write({ status, body, content_type: contentType });
    await this.transaction.commit();
    await this.transaction.end();
  }

  /**
   * Takes back what was not committed and lets the next try begin. If it is unknown whether the commit came through,
   * the row tells: an answer in it stays.
   */
  async giveUp(): Promise<void> {
    await this.transaction.end();
    if (this.#point === null) await this.#db.deleteFrom('idempotency_keys').where(this.#own).execute();
    else await this.#db.updateTable('idempotency_keys').set({ claim: null }).where(this.#own).execute();
  }

  async #write(values: { point: string } | { status: number; body: string | null; content_type: string | null }) {
    const { numUpdatedRows } = await this.transaction.run(() =>
      this.#db.updateTable('idempotency_keys').set(values).where(this.#own).executeTakeFirstOrThrow(),
    );
    if (numUpdatedRows === 0n)
      throw new Problem('request/conflict', 'This request took so long that it was begun again. Repeat it.', {
        headers: { 'retry-after': '1' },
      });
  }

  /** Its row, as long as no other try has taken it over and it is not answered. */
  get #own(): RawBuilder<SqlBool> {
    const { userId, key } = this.#sender;
    return sql<SqlBool>`user_id = ${userId} and key = ${key} and claim = ${this.#claim} and status is null`;
  }
}

/** Deletes answers that are too old to be given again. */
export async function sweepIdempotencyKeys(db: Queryable): Promise<void> {
  await db.deleteFrom('idempotency_keys').where(isOld).execute();
}
