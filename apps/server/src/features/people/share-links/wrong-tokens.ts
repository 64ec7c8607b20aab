import type { Database } from '../../../platform/database/database.ts';
import { Problem } from '../../../platform/http/problem.ts';

/** An institute that shares one address may open some old links; nobody opens so many. */
const MOST_WRONG = 30;
const WINDOW_MS = 10 * 60_000;
const MAX_REMEMBERED = 10_000;

/** Wrong secrets of each address, by process: guessing is hopeless, so this only keeps the noise down. */
const memories = new WeakMap<Database, Map<string, { count: number; until: number }>>();

/** Refuses, also with the right secret, whoever has tried many wrong ones: the refusal tells nothing. */
export function refuseGuesser(db: Database, address: string): void {
  const wrong = memories.get(db)?.get(address);
  if (wrong === undefined || wrong.count < MOST_WRONG || wrong.until <= Date.now()) return;
  throw new Problem('request/too-many', 'Too many links that show nothing were opened. Try again in ten minutes.', {
    headers: { 'retry-after': String(Math.ceil((wrong.until - Date.now()) / 1000)) },
  });
}

export function countWrongToken(db: Database, address: string): void {
  const memory = memories.get(db) ?? new Map<string, { count: number; until: number }>();
  memories.set(db, memory);
  const known = memory.get(address);
  if (known !== undefined && known.until > Date.now()) {
    known.count++;
    return;
  }
  if (memory.size >= MAX_REMEMBERED) memory.clear();
  memory.set(address, { count: 1, until: Date.now() + WINDOW_MS });
}
