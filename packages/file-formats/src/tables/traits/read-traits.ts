import { memorySource } from '../../byte-source.ts';
import { FileFormatError, ProblemCollector } from '../../problem.ts';
import { openTable } from '../text/read-table.ts';
import { brapiVariables, isTraitDictionary, oboVariables, traitDictionary } from './crop-ontology-traits.ts';
import { fieldBookJson, fieldBookTable, isFieldBookTable } from './field-book-traits.ts';
import type { LeftOutTrait, ListedTrait, TraitsReading } from './listed-trait.ts';

/**
 * Reads a list of traits: a `.trt` file of Field Book (a table or JSON), a trait dictionary of the Crop Ontology (CSV,
 * TSV or XLSX) or its OBO, or observation variables of BrAPI in JSON. Throws FileFormatError for anything else.
 */
export async function readTraits(bytes: Uint8Array, signal?: AbortSignal): Promise<TraitsReading> {
  const head = new TextDecoder().decode(bytes.subarray(0, 4096)).trimStart();
  if (/^[{[]/.test(head)) return readJson(bytes);
  if (/^(?:format-version|ontology):/m.test(head))
    return reading('OBO', oboVariables(new TextDecoder().decode(bytes)), 'variables (terms that are variable_of)');
  const problems = new ProblemCollector();
  const table = await openTable(memorySource(bytes), { problems, expected: 'a list of traits', signal });
  const damaged = (): LeftOutTrait[] =>
    problems
      .report()
      .problems.filter(({ severity }) => severity === 'error')
      .map(({ line, message }) => ({ name: `Line ${line ?? '?'}`, reason: message }));
  if (isFieldBookTable(table)) return reading('Field Book', [...(await fieldBookTable(table)), ...damaged()], 'traits');
  if (isTraitDictionary(table))
    return reading('Crop Ontology', [...(await traitDictionary(table)), ...damaged()], 'variables');
  throw unknownFormat(
    `Its first row has the columns ${table.columns
      .slice(0, 6)
      .map(({ name }) => name)
      .join(', ')}.`,
  );
}

function readJson(bytes: Uint8Array): TraitsReading {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw unknownFormat(`It is no JSON: ${error instanceof Error ? error.message : ''}.`);
  }
  const { traits, result } = json as { traits?: unknown; result?: { data?: unknown } | null };
  if (Array.isArray(traits)) return reading('Field Book', fieldBookJson(objectsIn(traits)), 'traits');
  const variables = Array.isArray(json) ? json : result?.data;
  if (Array.isArray(variables)) return reading('BrAPI', brapiVariables(objectsIn(variables)), 'variables');
  throw unknownFormat('Its JSON has neither "traits" nor "result.data".');
}

const objectsIn = (list: readonly unknown[]): object[] =>
  list.filter((one): one is object => typeof one === 'object' && one !== null);

const unknownFormat = (why: string): FileFormatError =>
  new FileFormatError('E-TYPE', {
    message: `This is no list of traits. ${why}`,
    suggestion:
      'Take a .trt file of Field Book, a trait dictionary of the Crop Ontology (CSV, XLSX, OBO) or BrAPI variables (JSON).',
  });

function reading(
  format: TraitsReading['format'],
  found: readonly (ListedTrait | LeftOutTrait)[],
  what: string,
): TraitsReading {
  if (found.length === 0) throw unknownFormat(`It has no ${what}.`);
  const names = new Set<string>();
  const traits: ListedTrait[] = [];
  const leftOut: LeftOutTrait[] = [];
  for (const trait of found) {
    if ('reason' in trait) leftOut.push(trait);
    else if (names.has(trait.name)) leftOut.push({ name: trait.name, reason: 'the file names it twice' });
    else {
      names.add(trait.name);
      traits.push(trait);
    }
  }
  return { format, traits, leftOut };
}
