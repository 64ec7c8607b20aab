import type { Germplasm } from '@heterosis/contracts/data/germplasm';
import { csvCell, tsvCell } from '@heterosis/file-formats/text/csv-cell';
import { sql } from 'kysely';
import type { Queryable } from '../../../platform/database/database.ts';
import { listGermplasm } from './germplasm.queries.ts';
import { all, type GermplasmScope, inScope } from './germplasm-scope.ts';

/** Rows read at a time. */
const PAGE = 2_000;
/** Multi-crop passport descriptors (FAO/Bioversity 2.1) that the fixed columns give. */
const MCPD_OF_FIELDS = ['ACCENUMB', 'ACCENAME', 'CROPNAME', 'OTHERNUMB', 'ANCEST', 'REMARKS'] as const;
const MCPD_ATTRIBUTES = [
  'PUID',
  'INSTCODE',
  'COLLNUMB',
  'COLLCODE',
  'GENUS',
  'SPECIES',
  'SPAUTHOR',
  'SUBTAXA',
  'ACQDATE',
  'ORIGCTY',
  'COLLSITE',
  'DECLATITUDE',
  'DECLONGITUDE',
  'ELEVATION',
  'COLLDATE',
  'BREDCODE',
  'SAMPSTAT',
  'DONORCODE',
  'DONORNUMB',
  'COLLSRC',
  'STORAGE',
  'MLSSTAT',
] as const;

/** The list as text, page by page, so that 200,000 rows take no memory. Uploading it again changes nothing. */
export async function* exportGermplasm(
  db: Queryable,
  scope: GermplasmScope,
  format: 'csv' | 'mcpd',
): AsyncGenerator<string> {
  const attributes = format === 'csv' ? await attributeNames(db, scope) : [];
  const row = format === 'csv' ? (one: Germplasm) => csvRow(one, attributes) : mcpdRow;
  yield format === 'csv'
    ? line([...FIXED, ...attributes].map(csvCell), ',')
    : line([...MCPD_OF_FIELDS, ...MCPD_ATTRIBUTES], '\t');
  let after: [string, string] | undefined;
  for (;;) {
    const rows = await listGermplasm(db, scope, { sort: 'name', limit: PAGE, after });
    const page = rows.slice(0, PAGE);
    if (page.length > 0) yield page.map(row).join('');
    const last = page.at(-1);
    if (rows.length <= PAGE || last === undefined) return;
    after = [last.sort_key, last.id];
  }
}

const FIXED = ['name', 'collection', 'maternal', 'paternal', 'synonyms', 'cross_type', 'selfing_generations'] as const;

async function attributeNames(db: Queryable, scope: GermplasmScope): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct jsonb_object_keys(g.attributes) as name from germplasm as g where ${all(inScope(scope))} order by name
  `.execute(db);
  return rows.map(({ name }) => name).filter((name) => !(FIXED as readonly string[]).includes(name));
}

const line = (cells: readonly string[], separator: string): string => `${cells.join(separator)}\r\n`;

function csvRow(one: Germplasm, attributes: readonly string[]): string {
  const cells = [
    one.name,
    one.collection ?? '',
    one.maternal?.name ?? '',
    one.paternal?.name ?? '',
    one.synonyms.map(({ name }) => name).join(';'),
    one.cross_type ?? '',
    one.selfing_generations === null ? '' : String(one.selfing_generations),
    ...attributes.map((name) => one.attributes[name] ?? ''),
  ];
  return line(cells.map(csvCell), ',');
}

function mcpdRow(one: Germplasm): string {
  const attribute = (name: string): string =>
    Object.entries(one.attributes).find(([key]) => key.toUpperCase() === name)?.[1] ?? '';
  const parents = [one.maternal?.name, one.paternal?.name];
  const cells = [
    attribute('ACCENUMB') || one.name,
    one.name,
    one.crop.name,
    one.synonyms.map(({ name }) => name).join(';'),
    parents.some((name) => name !== undefined)
      ? parents.map((name) => name ?? 'unknown').join('/')
      : attribute('ANCEST'),
    attribute('REMARKS'),
    ...MCPD_ATTRIBUTES.map(attribute),
  ];
  return line(cells.map(tsvCell), '\t');
}
