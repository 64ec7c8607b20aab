import type { FoundThing } from '@heterosis/contracts/data/search';
import { RUN_KINDS, runKinds } from '@heterosis/contracts/work/run-kinds';
import { foldName } from '@heterosis/file-formats/names/normalize-name';
import { type RawBuilder, sql } from 'kysely';
import type { Queryable } from '../../../platform/database/database.ts';
import { containing } from '../../people/projects/index.ts';
import { all, type Condition, type GermplasmScope, inScope } from '../germplasm/index.ts';

/** So many of each kind: who does not see it types another letter. */
const OF_EACH = 6;

/** What of a project, and of the germplasm that it may see, has a name with all words of the text. */
export async function findByName(
  db: Queryable,
  { projectId, scope }: { projectId: string; scope: GermplasmScope },
  text: string,
): Promise<FoundThing[]> {
  const words = text.split(/\s+/);
  const entries = (kind: string, table: string, note: RawBuilder<unknown> = sql`null`) =>
    best(
      text,
      sql`
        select ${sql.lit(kind)} as kind, id, name, ${note} as note, created_at from ${sql.table(table)}
        where project_id = ${projectId} and deleted_at is null and name ilike all(${words.map(containing)}::text[])`,
    );
  const { rows } = await sql<FoundThing>`
    select kind, id, name, note, created_at from (${sql.join(
      [
        ...runKinds.map((kind) => entries(kind, RUN_KINDS[kind].path)),
        entries('file', 'files', sql`file_type`),
        entries('folder', 'folders'),
        entries('trial', 'trials', sql`location_name || ', ' || season`),
        best(text, germplasm(scope, words)),
        best(text, germplasmBySynonym(scope, words)),
      ],
      sql` union all `,
    )}) as found
    order by rank, length(name), created_at desc, id desc
  `.execute(db);
  return rows;
}

/** An equal name, one that begins with the text, any other: the shorter, of which the text is more, first. */
const best = (text: string, rows: RawBuilder<unknown>) => sql`(
  select *, case
    when lower(name) = lower(${text}) then 0 when starts_with(lower(name), lower(${text})) then 1 else 2
  end as rank
  from (${rows}) as one order by rank, length(name), created_at desc, id desc limit ${OF_EACH})`;

const germplasm = (scope: GermplasmScope, words: readonly string[]) => sql`
  select 'germplasm' as kind, g.id, g.name, null as note, g.created_at
  from germplasm as g where ${all([...inScope(scope), isNamed('g', words)])}`;

/** Those whose own name says nothing of it. */
const germplasmBySynonym = (scope: GermplasmScope, words: readonly string[]) => sql`
  select 'germplasm' as kind, g.id, g.name, min(s.name) as note, g.created_at
  from germplasm_synonyms as s join germplasm as g on g.id = s.germplasm_id
  where ${all([...inScope(scope), isNamed('s', words), sql<boolean>`not ${isNamed('g', words)}`])}
  group by g.id`;

/** The name has all words, however it is written. */
function isNamed(table: 'g' | 's', words: readonly string[]): Condition {
  const folded = words.map(foldName).filter((word) => word !== '');
  // Signs alone fold to nothing.
  return folded.length === 0
    ? sql<boolean>`${sql.ref(`${table}.name`)} ilike all(${words.map(containing)}::text[])`
    : sql<boolean>`${sql.ref(`${table}.folded_name`)} like all(${folded.map(containing)}::text[])`;
}
