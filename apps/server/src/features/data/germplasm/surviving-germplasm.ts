import { type RawBuilder, sql } from 'kysely';

/** A germplasm that is there, and one that it is or that was merged into it. */
export interface Survivor {
  /** Id by which it was stored. */
  stored_id: string;
  id: string;
  name: string;
}

/**
 * What each of some germplasm is today, as a table: itself, or what it was merged into, over several merges. What was
 * deleted is not among them. `stored` selects their ids.
 */
export const survivorsOf = (stored: RawBuilder<unknown>): RawBuilder<Survivor> => sql<Survivor>`(
  with recursive line (stored_id, id, name, deleted_at, merged_into) as (
    select g.id, g.id, g.name, g.deleted_at, g.merged_into from germplasm as g where g.id in (${stored})
    union
    select line.stored_id, g.id, g.name, g.deleted_at, g.merged_into
    from line join germplasm as g on g.id = line.merged_into where line.deleted_at is not null
  )
  select stored_id, id, name from line where deleted_at is null
)`;
