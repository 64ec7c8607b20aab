import { csvChunks } from '@heterosis/file-formats/tables/text/csv-writer';
import { type BrapiClient, type Json, listIn, objectIn, textIn } from './brapi-client.ts';

interface Line {
  name: string;
  collection: string;
  maternal: string;
  paternal: string;
  synonyms: string[];
  crossType: string;
  selfing: string;
  attributes: Map<string, string>;
}

const CROSS_TYPES = new Set(['BIPARENTAL', 'BACKCROSS', 'SELF', 'DH', 'CLONE', 'OPEN_POLLINATED']);

/** Passport properties of the standard that become columns. */
const PASSPORT = [
  'accessionNumber',
  'acquisitionDate',
  'biologicalStatusOfAccessionCode',
  'countryOfOriginCode',
  'genus',
  'germplasmOrigin',
  'instituteCode',
  'instituteName',
  'seedSource',
  'species',
  'speciesAuthority',
  'subtaxa',
];

/**
 * Germplasm with its pedigree as a germplasm file: that of some trials with all its ancestors, or all of the server.
 * Columns of the same name are the same attribute.
 */
export async function germplasmTable(
  client: BrapiClient,
  trialIds: readonly string[],
  onProgress: (done: number, total: number | null) => void,
): Promise<{ chunks: Iterable<string>; count: number }> {
  const hasValues = await offers(client, 'attributevalues');
  const queries = trialIds.length === 0 ? [{}] : trialIds.map((trialDbId) => ({ trialDbId }));
  const lines = new Map<string, Line>();
  for (const query of queries)
    for await (const node of client.entries(
      'pedigree',
      { ...query, includeParents: 'true', ...(trialIds.length === 0 ? {} : { includeFullTree: 'true' }) },
      onProgress,
    ))
      addNode(lines, node);
  await addPassports(client, queries, lines, { onProgress, hasValues });
  if (hasValues) await addAttributeValues(client, lines);
  const columns = [...new Set([...lines.values()].flatMap(({ attributes }) => [...attributes.keys()]))].sort();
  const header = ['name', 'collection', 'maternal', 'paternal', 'synonyms', 'cross_type', 'selfing_generations'];
  const rows = [...lines.values()].map((line) => [
    line.name,
    line.collection,
    line.maternal,
    line.paternal,
    line.synonyms.join(';'),
    line.crossType,
    line.selfing,
    ...columns.map((name) => line.attributes.get(name) ?? ''),
  ]);
  return { chunks: csvChunks([...header, ...columns], rows), count: rows.length };
}

const newLine = (name: string): Line => ({
  ...{ name, collection: '', maternal: '', paternal: '', synonyms: [], crossType: '', selfing: '' },
  attributes: new Map(),
});

function addNode(lines: Map<string, Line>, node: Json): void {
  const [id, name] = [textIn(node, 'germplasmDbId'), textIn(node, 'germplasmName')];
  if (id === null || name === null) return;
  const line = lines.get(id) ?? newLine(name);
  lines.set(id, line);
  line.crossType = crossTypeOf(node) || line.crossType;
  for (const parent of listIn(node, 'parents')) {
    const parentName = textIn(parent, 'germplasmName') ?? '';
    const type = textIn(parent, 'parentType');
    if (type === 'MALE') line.paternal = parentName;
    else if (type === 'FEMALE' || line.maternal === '') line.maternal = parentName;
  }
  // One parent that is sent as both of a selfing.
  const isOne = line.crossType === 'SELF' || line.crossType === 'DH' || line.crossType === 'CLONE';
  if (isOne && line.paternal === line.maternal) line.paternal = '';
}

function crossTypeOf(entry: Json): string {
  const method = (textIn(entry, 'breedingMethodDbId') ?? '').toUpperCase();
  return CROSS_TYPES.has(method) ? method : '';
}

async function addPassports(
  client: BrapiClient,
  queries: readonly Record<string, string>[],
  lines: Map<string, Line>,
  { onProgress, hasValues }: { onProgress: (done: number, total: number | null) => void; hasValues: boolean },
): Promise<void> {
  const known = new Set(lines.keys());
  const add = (entry: Json): void => {
    const [id, name] = [textIn(entry, 'germplasmDbId'), textIn(entry, 'germplasmName')];
    if (id === null || name === null) return;
    const line = lines.get(id) ?? newLine(name);
    lines.set(id, line);
    known.delete(id);
    line.collection = textIn(entry, 'collection') ?? '';
    line.crossType ||= crossTypeOf(entry);
    line.synonyms = synonymsOf(entry);
    const info = objectIn(entry, 'additionalInfo');
    line.selfing = textIn(info, 'selfingGenerations') ?? '';
    if (hasValues) return;
    for (const name of PASSPORT) keep(line, name, textIn(entry, name));
    for (const name of Object.keys(info)) if (!PLACES.has(name)) keep(line, name, textIn(info, name));
  };
  for (const query of queries) for await (const entry of client.entries('germplasm', query, onProgress)) add(entry);
  // Ancestors are in no trial themselves.
  for (const germplasmDbId of listsOf([...known]))
    for await (const entry of client.entries('germplasm', { germplasmDbId })) add(entry);
}

/** Columns of germplasm under the names that they have there. */
async function addAttributeValues(client: BrapiClient, lines: Map<string, Line>): Promise<void> {
  for (const germplasmDbId of listsOf([...lines.keys()]))
    for await (const entry of client.entries('attributevalues', { germplasmDbId })) {
      const line = lines.get(textIn(entry, 'germplasmDbId') ?? '');
      const name = textIn(entry, 'attributeName');
      if (line !== undefined && name !== null) keep(line, name, textIn(entry, 'value'));
    }
}

/** Ids of one request: an address may not become too long. */
const IDS = 100;

const listsOf = (ids: readonly string[]): string[] =>
  Array.from({ length: Math.ceil(ids.length / IDS) }, (_, k) => ids.slice(k * IDS, (k + 1) * IDS).join(','));

/** Whether a server says that it has a call. */
async function offers(client: BrapiClient, service: string): Promise<boolean> {
  const info = await client.result('serverinfo');
  return listIn(info, 'calls').some((call) => textIn(call, 'service')?.replace(/^\//, '') === service);
}

/** What another Heterosis says of where a line is. */
const PLACES = new Set(['programDbId', 'programName', 'binomialName', 'selfingGenerations']);

function keep(line: Line, name: string, value: string | null): void {
  if (value !== null && value.length <= 2_000) line.attributes.set(name, value);
}

function synonymsOf(entry: Json): string[] {
  const synonyms = entry['synonyms'];
  if (!Array.isArray(synonyms)) return [];
  return synonyms.flatMap((one: unknown): string[] => {
    const text =
      typeof one === 'string' ? one : typeof one === 'object' && one !== null ? textIn(one as Json, 'synonym') : null;
    return text === null || text.includes(';') ? [] : [text];
  });
}
