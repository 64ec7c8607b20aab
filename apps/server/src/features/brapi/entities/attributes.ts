import { sql } from 'kysely';
import { all, type Condition } from '../../data/germplasm/index.ts';
import type { Asked } from '../asked.ts';
import type { Json } from '../envelope.ts';
import { idOfText } from '../ids.ts';
import { complete, type ListEntity, type Segment, segmentOf } from '../list-entity.ts';
import type { BrapiScope } from '../scope.ts';
import { germplasmConditions, METHODS } from './germplasm.ts';

/** What a list of germplasm has in columns of its own: text, for nobody has said what it means. */
interface AttributeRow {
  name: string;
  crop_id: string;
  crop_name: string;
}

export const ATTRIBUTE_CATEGORY = 'Germplasm';
const TRAIT_CLASS = 'Passport';
const SCALE_ID = idOfText('scale of attributes');
const METHOD_ID = idOfText('method of attributes');

const attributeId = ({ crop_id, name }: Pick<AttributeRow, 'crop_id' | 'name'>): string =>
  idOfText('attribute', crop_id, name);
const traitId = ({ crop_id, name }: Pick<AttributeRow, 'crop_id' | 'name'>): string =>
  idOfText('trait of attribute', crop_id, name);

/** Paths of what an attribute has in its trait, scale and method. */
const PARTS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['traitDbId', 'traitName', 'traitPUI', 'traitClass'].map((name) => [name, `trait.${name}`])),
  traitAttribute: 'trait.attribute',
  traitAttributePUI: 'trait.attributePUI',
  traitEntity: 'trait.entity',
  traitEntityPUI: 'trait.entityPUI',
  ...Object.fromEntries(['scaleDbId', 'scaleName', 'scalePUI', 'dataType'].map((name) => [name, `scale.${name}`])),
  ...Object.fromEntries(['methodDbId', 'methodName', 'methodPUI'].map((name) => [name, `method.${name}`])),
  ontologyDbId: 'ontologyReference.ontologyDbId',
};

async function visible(scope: BrapiScope, asked: Asked): Promise<Condition> {
  return all([await scope.visibleGermplasm(), ...(await germplasmConditions(scope, asked))]);
}

export const attributes: ListEntity<AttributeRow> = {
  name: 'attributes',
  id: 'attributeDbId',
  hasSearch: true,
  paths: PARTS,
  async segments(scope, asked) {
    const { rows } = await sql<AttributeRow>`
      select distinct one.name, crop.id as crop_id, crop.name as crop_name
      from germplasm as g
      join crops as crop on crop.id = g.crop_id
      cross join lateral jsonb_object_keys(g.attributes) as one (name)
      where ${await visible(scope, asked)}
      order by crop.id, one.name
    `.execute(scope.db);
    return [segmentOf(rows)];
  },
  serialize: (_scope, rows) =>
    rows.map((row) =>
      complete('attributes', {
        attributeDbId: attributeId(row),
        attributeName: row.name,
        attributeCategory: ATTRIBUTE_CATEGORY,
        attributeDescription: `The column "${row.name}" of germplasm lists`,
        commonCropName: row.crop_name,
        status: 'active',
        language: 'en',
        trait: complete('traits', {
          traitDbId: traitId(row),
          traitName: row.name,
          traitClass: TRAIT_CLASS,
          attribute: row.name,
        }),
        scale: complete('scales', { scaleDbId: SCALE_ID, scaleName: 'text', dataType: 'Text' }),
        method: complete('methods', { methodDbId: METHOD_ID, methodName: 'As recorded' }),
      }),
    ),
};

interface ValueRow extends Omit<AttributeRow, 'crop_name'> {
  germplasm_id: string;
  germplasm_name: string;
  value: string;
}

const valueId = ({ germplasm_id, name }: ValueRow): string =>
  `${germplasm_id}-${idOfText('attribute value', name).slice(0, 12)}`;
const UUID_LENGTH = 36;

export const attributevalues: ListEntity<ValueRow> = {
  name: 'attributevalues',
  id: 'attributeValueDbId',
  hasSearch: true,
  paths: Object.fromEntries(
    ['traitDbId', 'traitClass', 'scaleDbId', 'methodDbId', 'dataType'].map((name) => [name, `additionalInfo.${name}`]),
  ),
  async segments(scope, asked) {
    const conditions = [await visible(scope, asked)];
    const names = asked.take('attributeName');
    if (names !== undefined) conditions.push(sql<boolean>`one.name = any(${names}::text[])`);
    const ids = asked.take('attributeValueDbId');
    if (ids !== undefined) {
      const lines = ids.map((id) => id.slice(0, UUID_LENGTH).toLowerCase());
      conditions.push(sql<boolean>`g.id::text = any(${lines}::text[])`);
      // Which attribute it is, is compared with the entries.
      asked.set('attributeValueDbId', ids);
    }
    return [await valueSegment(scope, all(conditions))];
  },
  serialize: (_scope, rows) =>
    rows.map(
      (row): Json =>
        complete('attributevalues', {
          attributeValueDbId: valueId(row),
          attributeDbId: attributeId(row),
          attributeName: row.name,
          germplasmDbId: row.germplasm_id,
          germplasmName: row.germplasm_name,
          value: row.value,
          additionalInfo: {
            traitDbId: traitId(row),
            traitClass: TRAIT_CLASS,
            scaleDbId: SCALE_ID,
            methodDbId: METHOD_ID,
            dataType: 'Text',
          },
        }),
    ),
};

async function valueSegment({ db }: BrapiScope, condition: Condition): Promise<Segment<ValueRow>> {
  const from = sql`from germplasm as g cross join lateral jsonb_each_text(g.attributes) as one (name, value) where ${condition}`;
  const counted = await sql<{ count: number }>`select count(*) as count ${from}`.execute(db);
  return {
    count: counted.rows[0]?.count ?? 0,
    read: async (first, count) =>
      (
        await sql<ValueRow>`
          select g.id as germplasm_id, g.name as germplasm_name, g.crop_id, one.name, one.value ${from}
          order by g.id, one.name limit ${count} offset ${first}
        `.execute(db)
      ).rows,
  };
}

type MethodRow = [id: string, method: (typeof METHODS)[keyof typeof METHODS]];

/** How lines come to be; the same for everybody. */
export const breedingmethods: ListEntity<MethodRow> = {
  name: 'breedingmethods',
  id: 'breedingMethodDbId',
  hasSearch: false,
  segments: async () => [segmentOf(Object.entries(METHODS))],
  serialize: (_scope, rows) =>
    rows.map(([id, { name, abbreviation, description }]) =>
      complete('breedingmethods', {
        breedingMethodDbId: id,
        breedingMethodName: name,
        abbreviation,
        description,
      }),
    ),
};
