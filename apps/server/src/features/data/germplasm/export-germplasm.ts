import type { Germplasm } from '@heterosis/contracts/data/germplasm';
import { crossText } from '@heterosis/file-formats/tables/pedigree/purdy';
import { csvCell, tsvCell } from '@heterosis/file-formats/text/csv-cell';
import { sql } from 'kysely';
import type { Queryable } from '../../../platform/database/database.ts';
import { listGermplasm } from './germplasm.queries.ts';
import { all, type GermplasmScope, inScope } from './germplasm-scope.ts';

/** Rows read at a time. */
const PAGE = 2_000;
/** The multi-crop passport descriptors 2.1 (FAO and Bioversity 2015), in their order. */
const MCPD = [
  ...['PUID', 'INSTCODE', 'ACCENUMB', 'COLLNUMB', 'COLLCODE', 'COLLNAME', 'COLLINSTADDRESS', 'COLLMISSID', 'GENUS'],
  ...['SPECIES', 'SPAUTHOR', 'SUBTAXA', 'SUBTAUTHOR', 'CROPNAME', 'ACCENAME', 'ACQDATE', 'ORIGCTY', 'COLLSITE'],
  ...['DECLATITUDE', 'LATITUDE', 'DECLONGITUDE', 'LONGITUDE', 'COORDUNCERT', 'COORDDATUM', 'GEOREFMETH', 'ELEVATION'],
  ...['COLLDATE', 'BREDCODE', 'BREDNAME', 'SAMPSTAT', 'ANCEST', 'COLLSRC', 'DONORCODE', 'DONORNAME', 'DONORNUMB'],
  ...['OTHERNUMB', 'DUPLSITE', 'DUPLINSTNAME', 'STORAGE', 'MLSSTAT', 'REMARKS'],
] as const;

/** The list as text, page by page, so that 200,000 rows take no memory. Uploading it again changes nothing. */
export async function* exportGermplasm(
  db: Queryable,
  scope: GermplasmScope,
  format: 'csv' | 'mcpd',
): AsyncGenerator<string> {
  const attributes = format === 'csv' ? await attributeNames(db, scope) : [];
  const row = format === 'csv' ? (one: Germplasm) => csvRow(one, attributes) : mcpdRow;
  yield format === 'csv' ? line([...FIXED, ...attributes].map(csvCell), ',') : line(MCPD, '\t');
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

/** A missing parent beside a known one. Uploads read it as missing. */
const UNKNOWN = 'unknown';

/** Names that hold the separator of names are not written: they would be read as several. */
const inList = (name: string): boolean => !name.includes(';');

function mcpdRow(one: Germplasm): string {
  const attributes = new Map(Object.entries(one.attributes).map(([key, value]) => [key.toUpperCase(), value]));
  const parents = [one.maternal?.name, one.paternal?.name] as const;
  const known: Partial<Record<(typeof MCPD)[number], string>> = {
    ACCENUMB: attributes.get('ACCENUMB') ?? one.name,
    ACCENAME: inList(one.name)
      ? [one.name, ...one.synonyms.map(({ name }) => name).filter(inList)].join(';')
      : one.name,
    CROPNAME: one.crop.name,
    ...(parents.some((name) => name !== undefined)
      ? { ANCEST: crossText(parents[0] ?? UNKNOWN, parents[1] ?? UNKNOWN) }
      : {}),
  };
  const cells = MCPD.map((descriptor) => known[descriptor] ?? attributes.get(descriptor) ?? '');
  return line(cells.map(tsvCell), '\t');
}
