import type { Queryable } from './database.ts';
import { isJoined } from './joined-transaction.ts';

interface Turn<Value> {
  running: Promise<Value>;
  /** The read that begins when `running` has ended, for all who have come since it began. */
  next: Promise<Value> | undefined;
}

/**
 * A read that many requests make with the same parameters at the same moment, such as the session of a client with 32
 * connections. Who comes while it runs waits for its end, and shares the next one. So each gets what was stored when it
 * asked or later: nothing is kept, and what was taken away ends at once.
 *
 * What is returned belongs to several requests and must not be changed. Reads of a transaction are never shared.
 */
export function sharedRead<Given extends readonly unknown[], Value>(
  read: (db: Queryable, ...given: Given) => Promise<Value>,
): (db: Queryable, ...given: Given) => Promise<Value> {
  const turnsByPool = new WeakMap<Queryable, Map<string, Turn<Value>>>();
  return (db, ...given) => {
    if (db.isTransaction || isJoined()) return read(db, ...given);
    const turns = turnsByPool.get(db) ?? new Map<string, Turn<Value>>();
    turnsByPool.set(db, turns);
    const key = JSON.stringify(given);
    const begin = (): Promise<Value> => {
      const turn: Turn<Value> = { running: read(db, ...given), next: undefined };
      turns.set(key, turn);
      const end = (): void => {
        if (turn.next === undefined) turns.delete(key);
      };
      turn.running.then(end, end);
      return turn.running;
    };
    const turn = turns.get(key);
    if (turn === undefined) return begin();
    return (turn.next ??= turn.running.then(begin, begin));
  };
}
