import { stage } from '@heterosis/contracts/work/runs';
import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Product } from './product.ts';

/** Records all progress values that rows of runs have from now on. */
export async function watchProgress({ services: { db } }: Product): Promise<void> {
  await sql`create table progress_seen (id bigint generated always as identity, entity_id uuid, step text, stage text,
    done float8, total float8, state text)`.execute(db);
  await sql`create function see_progress() returns trigger language plpgsql as $$
    begin
      insert into progress_seen (entity_id, step, stage, done, total, state)
      values (new.entity_id, new.step, new.stage, new.progress_done, new.progress_total, new.state);
      return new;
    end $$`.execute(db);
  await sql`create trigger see_progress after update on runs
    for each row when (new.state in ('RUNNING', 'SUCCEEDED')) execute function see_progress()`.execute(db);
}

/** The step went forward through its stages, also within that of its parts, and ended at the end. */
export async function expectForwardProgress(
  { services: { db } }: Product,
  { entityId, step, partsStage }: { entityId: string; step: string; partsStage: string },
): Promise<{ totals: number[] }> {
  const { rows } = await sql<{ stage: string; done: number; total: number; state: string }>`
    select stage, done, total, state from progress_seen where entity_id = ${entityId} and step = ${step} order by id
  `.execute(db);
  const places = rows.map((row) => [stage.options.indexOf(row.stage as 'read'), row.done / Math.max(1, row.total)]);
  const sorted = places.toSorted(([a = 0, b = 0], [c = 0, d = 0]) => a - c || b - d);
  expect(places).toEqual(sorted);
  const ofParts = rows.filter((row) => row.stage === partsStage);
  expect(ofParts.some(({ done, total }) => done > 0 && done < total)).toBe(true);
  expect(places.at(-1)?.[1]).toBe(1);
  expect(rows.at(-1)?.state).toBe('SUCCEEDED');
  return { totals: [...new Set(ofParts.map(({ total }) => total))] };
}
