import type { Germplasm } from '@heterosis/contracts/data/germplasm';
import { foldName } from '@heterosis/file-formats/names/normalize-name';
import { type RawBuilder, sql } from 'kysely';
import { containing } from '../../people/projects/index.ts';

/** What a caller may see: the germplasm of an organization, of one of its crops, or what a project uses. */
export interface GermplasmScope {
  organizationId: string;
  /** Undefined: all crops. */
  cropId: string | undefined;
  /** Only what this project uploaded or has in its files. */
  usedIn: string | undefined;
}

export type Condition = RawBuilder<boolean>;

export const all = (conditions: readonly Condition[]): Condition =>
  sql<boolean>`${sql.join([...conditions], sql` and `)}`;

/** A germplasm (`g`) as the API gives it; needs {@link JOINS}. */
export const COLUMNS: RawBuilder<Germplasm> = sql<Germplasm>`
  g.id, g.name, jsonb_build_object('id', crop.id, 'name', crop.name) as crop, g.collection, g.maternal_id, g.paternal_id,
  case when mother.id is not null then jsonb_build_object('id', mother.id, 'name', mother.name) end as maternal,
  case when father.id is not null then jsonb_build_object('id', father.id, 'name', father.name) end as paternal,
  (
    select coalesce(jsonb_agg(jsonb_build_object(
      'name', s.name, 'crop_id', s.crop_id, 'germplasm_id', s.germplasm_id, 'created_at', to_char(s.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    ) order by s.name), '[]')
    from germplasm_synonyms as s where s.germplasm_id = g.id
  ) as synonyms,
  g.cross_type, g.selfing_generations, g.attributes, g.created_at, g.updated_at`;

export const JOINS: RawBuilder<unknown> = sql`
  join crops as crop on crop.id = g.crop_id
  left join germplasm as mother on mother.id = g.maternal_id
  left join germplasm as father on father.id = g.paternal_id`;

/** Conditions on `g`: of the tenant, neither merged nor deleted, and visible. */
export function inScope({ organizationId, cropId, usedIn }: GermplasmScope): Condition[] {
  const conditions: Condition[] = [
    sql<boolean>`g.organization_id = ${organizationId}`,
    sql<boolean>`g.deleted_at is null`,
  ];
  if (cropId !== undefined) conditions.push(sql<boolean>`g.crop_id = ${cropId}`);
  if (usedIn !== undefined) conditions.push(isUsedIn(usedIn));
  return conditions;
}

/** Uploaded through the project, or in one of its files under its name or a synonym. */
const isUsedIn = (projectId: string): Condition => sql<boolean>`g.id in (
  select germplasm_id from project_germplasm where project_id = ${projectId}
  union all
  select named.id from germplasm as named
  join projects as place on place.id = ${projectId} and place.crop_id = named.crop_id
  where named.folded_name in (${foldedNamesIn(projectId)})
  union all
  select synonym.germplasm_id from germplasm_synonyms as synonym
  join projects as place on place.id = ${projectId} and place.crop_id = synonym.crop_id
  where synonym.folded_name in (${foldedNamesIn(projectId)})
)`;

const foldedNamesIn = (projectId: string) => sql`
  select listed.folded_name from file_individuals as listed
  join files on files.id = listed.file_id
  where files.project_id = ${projectId} and files.deleted_at is null`;

/** `A × B`, `A x B`, `A / B` or `A/B`. */
const CROSS = /^(.+?)(?:\s*[×/]\s*|\s+[xX*]\s+)(.+)$/;

/**
 * What a search finds: a part of the name, of a synonym, of the collection or of a parent's name or synonym; `A × B`
 * also finds the progeny of the two, whichever was the female.
 */
export function found(scope: GermplasmScope, search: string): Condition {
  const named = (text: string) => namedLike(scope, text);
  const [, one, other] = CROSS.exec(search) ?? [];
  const ofCross =
    one === undefined || other === undefined
      ? sql``
      : sql` or (g.maternal_id in ${named(one)} and g.paternal_id in ${named(other)})
          or (g.maternal_id in ${named(other)} and g.paternal_id in ${named(one)})`;
  return sql<boolean>`(
    g.id in ${named(search)} or g.maternal_id in ${named(search)} or g.paternal_id in ${named(search)}
    or g.collection ilike ${containing(search)}${ofCross}
  )`;
}

/** Ids of germplasm whose name or a synonym contains the text. */
function namedLike({ organizationId, cropId }: GermplasmScope, text: string): RawBuilder<unknown> {
  const fold = foldName(text);
  const fits = (table: string) =>
    fold === ''
      ? sql`${sql.ref(`${table}.name`)} ilike ${containing(text)}`
      : sql`${sql.ref(`${table}.folded_name`)} like ${containing(fold)}`;
  const ofCrop = (table: string) =>
    cropId === undefined
      ? sql`${sql.ref(`${table}.crop_id`)} in (select id from crops where organization_id = ${organizationId})`
      : sql`${sql.ref(`${table}.crop_id`)} = ${cropId}`;
  return sql`(
    select hit.id from germplasm as hit where ${ofCrop('hit')} and ${fits('hit')}
    union select other.germplasm_id from germplasm_synonyms as other where ${ofCrop('other')} and ${fits('other')}
  )`;
}
