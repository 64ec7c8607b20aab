import type { Germplasm } from '@heterosis/contracts/data/germplasm';
import { sql } from 'kysely';
import { notFound } from '../../../platform/http/problem.ts';
import { all, type Condition, inScope } from '../../data/germplasm/index.ts';
import type { Asked } from '../asked.ts';
import type { Json } from '../envelope.ts';
import { germplasmOfNames } from '../germplasm-names.ts';
import { complete, type ListEntity, type Segment } from '../list-entity.ts';
import { anyOf, type BrapiScope, projectsAsked, studiesAsked } from '../scope.ts';
import { SPECIFICATION } from '../specification.gen.ts';
import { individualsOfStudy } from './individuals.ts';

export interface GermplasmRow
  extends Pick<
    Germplasm,
    'id' | 'name' | 'collection' | 'cross_type' | 'selfing_generations' | 'attributes' | 'created_at' | 'updated_at'
  > {
  crop_name: string;
  organization_id: string;
  organization_name: string;
  maternal_id: string | null;
  maternal_name: string | null;
  paternal_id: string | null;
  paternal_name: string | null;
  synonyms: string[];
}

const COLUMNS = sql`
  g.id, g.name, g.collection, g.cross_type, g.selfing_generations, g.attributes, g.created_at, g.updated_at,
  crop.name as crop_name, g.organization_id, organization.name as organization_name,
  g.maternal_id, mother.name as maternal_name, g.paternal_id, father.name as paternal_name,
  array(select s.name from germplasm_synonyms as s where s.germplasm_id = g.id order by s.name) as synonyms`;

const JOINS = sql`
  join crops as crop on crop.id = g.crop_id
  join organizations as organization on organization.id = g.organization_id
  left join germplasm as mother on mother.id = g.maternal_id
  left join germplasm as father on father.id = g.paternal_id`;

/** Germplasm that the caller may see and that fulfils the conditions, by id. */
async function listGermplasmRows(
  { db, visibleGermplasm }: Pick<BrapiScope, 'db' | 'visibleGermplasm'>,
  conditions: readonly Condition[],
  { first, count }: { first: number; count: number },
): Promise<GermplasmRow[]> {
  const { rows } = await sql<GermplasmRow>`
    select ${COLUMNS}
    from (
      select g.id from germplasm as g where ${all([await visibleGermplasm(), ...conditions])} order by g.id limit ${count} offset ${first}
    ) as page
    join germplasm as g on g.id = page.id ${JOINS}
    order by g.id
  `.execute(db);
  return rows;
}

/** 404 for germplasm that the caller does not see. */
export async function findGermplasmRow(scope: BrapiScope, id: string): Promise<GermplasmRow> {
  const isIt = sql<boolean>`g.id::text = ${id.toLowerCase()}`;
  const [row] = await listGermplasmRows(scope, [isIt], { first: 0, count: 1 });
  if (row === undefined) throw notFound('This germplasm');
  return row;
}

async function countGermplasmRows(
  { db, visibleGermplasm }: Pick<BrapiScope, 'db' | 'visibleGermplasm'>,
  conditions: readonly Condition[],
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from germplasm as g where ${all([await visibleGermplasm(), ...conditions])}
  `.execute(db);
  return rows[0]?.count ?? 0;
}

export async function germplasmSegment(
  scope: BrapiScope,
  conditions: readonly Condition[],
): Promise<Segment<GermplasmRow>> {
  return {
    count: await countGermplasmRows(scope, conditions),
    read: (first, count) => listGermplasmRows(scope, conditions, { first, count }),
  };
}

const texts = (values: readonly string[]) => sql`${[...values]}::text[]`;
const lowered = (values: readonly string[]) => texts(values.map((value) => value.toLowerCase()));

/** What a filter of the database compares; ids are compared as text, for any text may be asked for. */
const CONDITIONS: Record<string, (values: readonly string[]) => Condition> = {
  germplasmDbId: (ids) => sql<boolean>`g.id::text = any(${lowered(ids)})`,
  germplasmName: (names) => sql<boolean>`g.name = any(${texts(names)})`,
  collection: (names) => sql<boolean>`g.collection = any(${texts(names)})`,
  synonym: (names) => sql<boolean>`exists (
    select from germplasm_synonyms as s where s.germplasm_id = g.id and s.name = any(${texts(names)})
  )`,
  programDbId: (ids) => sql<boolean>`g.organization_id::text = any(${lowered(ids)})`,
  programName: (names) =>
    sql<boolean>`g.organization_id in (select id from organizations where name = any(${texts(names)}))`,
  commonCropName: (names) => sql<boolean>`g.crop_id in (select id from crops where name = any(${texts(names)}))`,
  parentDbId: (ids) =>
    sql<boolean>`(g.maternal_id::text = any(${lowered(ids)}) or g.paternal_id::text = any(${lowered(ids)}))`,
  progenyDbId: (ids) => sql<boolean>`g.id in (
    select parent.id from germplasm as child
    cross join lateral (values (child.maternal_id), (child.paternal_id)) as parent (id)
    where child.id::text = any(${lowered(ids)}) and child.deleted_at is null
  )`,
};

/** The conditions of a request, for germplasm and pedigrees alike. */
export async function germplasmConditions(scope: BrapiScope, asked: Asked): Promise<Condition[]> {
  const conditions: Condition[] = [];
  for (const [name, conditionOf] of Object.entries(CONDITIONS)) {
    const values = asked.take(name);
    if (values !== undefined) conditions.push(conditionOf(values));
  }
  if (asked.has('studyDbId', 'studyName')) {
    const ids = new Set<string>();
    for (const study of await studiesAsked(scope, asked)) {
      const names = await individualsOfStudy(scope, study);
      for (const { id } of (await germplasmOfNames(scope.db, study.project.crop_id, names)).values()) ids.add(id);
    }
    conditions.push(sql<boolean>`g.id = any(${[...ids]}::uuid[])`);
  } else if (asked.has('trialDbId', 'trialName')) {
    const used = projectsAsked(scope, asked).flatMap(({ id, organization_id, crop_id }) =>
      crop_id === null ? [] : [all(inScope({ organizationId: organization_id, cropId: crop_id, usedIn: id }))],
    );
    conditions.push(anyOf(used));
  }
  return conditions;
}

export const germplasm: ListEntity<GermplasmRow> = {
  name: 'germplasm',
  id: 'germplasmDbId',
  hasSearch: true,
  paths: { binomialName: 'additionalInfo.binomialName', familyCode: 'additionalInfo.familyCode' },
  segments: async (scope, asked) => [await germplasmSegment(scope, await germplasmConditions(scope, asked))],
  serialize: (_scope, rows) => rows.map(germplasmEntry),
};

export const puiOf = (id: string): string => `urn:uuid:${id}`;

/** Properties that an attribute of the same name fills: `Accession number` → `accessionNumber`. */
const FILLED = Object.entries(SPECIFICATION.germplasm.properties)
  .filter(([name, empty]) => empty === null && name !== 'additionalInfo')
  .map(([name]) => name);
const folded = (text: string): string => text.toLowerCase().replaceAll(/[^a-z]/g, '');
const PROPERTY_OF_FOLD = new Map(FILLED.map((name) => [folded(name), name]));
/** Properties whose values the standard limits to a list or a format. */
const LIMITED: Readonly<Record<string, RegExp>> = {
  acquisitionDate: /^\d{4}-\d\d-\d\d$/,
  biologicalStatusOfAccessionCode: /^(?:100|110|120|130|200|300|4(?:00|1[0-6]|2[0-3])|500|600|999)$/,
  documentationURL: /^https?:\/\//,
};

function germplasmEntry(row: GermplasmRow): Json {
  const filled: Json = {};
  const others: Record<string, string> = {};
  for (const [name, value] of Object.entries(row.attributes)) {
    const property = PROPERTY_OF_FOLD.get(folded(name));
    if (property !== undefined && (LIMITED[property]?.test(value) ?? true)) filled[property] = value;
    else others[name] = value;
  }
  const { genus, species } = filled;
  return complete('germplasm', {
    ...filled,
    germplasmDbId: row.id,
    germplasmName: row.name,
    germplasmPUI: puiOf(row.id),
    defaultDisplayName: row.name,
    commonCropName: row.crop_name,
    collection: row.collection,
    pedigree: pedigreeText(row),
    breedingMethodDbId: row.cross_type,
    breedingMethodName: row.cross_type === null ? null : (METHODS[row.cross_type]?.name ?? null),
    synonyms: row.synonyms.map((synonym) => ({ synonym, type: null })),
    additionalInfo: {
      ...others,
      programDbId: row.organization_id,
      programName: row.organization_name,
      selfingGenerations: row.selfing_generations,
      ...(typeof genus === 'string' && typeof species === 'string' ? { binomialName: `${genus} ${species}` } : {}),
    },
  });
}

/** `Mother/Father`, with nothing where a parent is unknown. */
export const pedigreeText = ({
  maternal_name,
  paternal_name,
}: Pick<GermplasmRow, 'maternal_name' | 'paternal_name'>) =>
  maternal_name === null && paternal_name === null ? null : `${maternal_name ?? ''}/${paternal_name ?? ''}`;

/** How a line came to be, as breeding methods. */
export const METHODS: Record<
  NonNullable<Germplasm['cross_type']>,
  { name: string; abbreviation: string; description: string }
> = {
  BIPARENTAL: { name: 'Biparental cross', abbreviation: 'BIP', description: 'Progeny of a cross of two parents' },
  BACKCROSS: { name: 'Backcross', abbreviation: 'BC', description: 'Progeny of a cross with an earlier parent' },
  SELF: { name: 'Selfing', abbreviation: 'SELF', description: 'Selfed progeny of one parent' },
  DH: { name: 'Doubled haploid', abbreviation: 'DH', description: 'Doubled haploid of one plant' },
  CLONE: { name: 'Clone', abbreviation: 'CLONE', description: 'Vegetative copy of one plant' },
  OPEN_POLLINATED: { name: 'Open pollination', abbreviation: 'OP', description: 'Progeny of unknown pollen parents' },
};
