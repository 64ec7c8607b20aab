import { LRUCache } from 'lru-cache';
import { Problem } from '../../platform/http/problem.ts';

/** Of one person, whatever the number of assistants and addresses. */
const CALLS_PER_MINUTE = 120;
const MOST_PEOPLE = 10_000;
const MINUTE_MS = 60_000;

/** Calls of each person in the minute that began with the first of them. */
const calls = new LRUCache<string, { count: number }>({ max: MOST_PEOPLE, ttl: MINUTE_MS });

/** Counts a call of a person; throws `request/too-many` beyond the limit. */
export function countCall(userId: string): void {
  const begun = calls.get(userId);
  if (begun === undefined) calls.set(userId, { count: 1 });
  else if (++begun.count > CALLS_PER_MINUTE)
    throw new Problem('request/too-many', `An assistant may ask ${CALLS_PER_MINUTE} times a minute. Wait a minute.`, {
      headers: { 'retry-after': String(MINUTE_MS / 1000) },
    });
}
