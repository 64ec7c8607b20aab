import type { Table } from '../text/read-table.ts';
import { categories, categoryOf, type ListedScale, type ListedTrait, limitOf, textOf } from './listed-trait.ts';

/** Categories that a dictionary has columns for: ten in its template, more in some. */
const MOST_CATEGORIES = 50;

export const isTraitDictionary = ({ columns }: Pick<Table, 'columns'>): boolean =>
  ['scaleclass', 'scalename'].every((key) => columns.some((column) => column.key === key));

/** Variables of a trait dictionary of the Crop Ontology (template 5: Pietragalla et al. 2022). */
export async function traitDictionary(table: Table): Promise<ListedTrait[]> {
  const places = new Map(table.columns.map(({ key, index }) => [key, index]));
  const found: ListedTrait[] = [];
  await table.forEachRow(({ cells }) => {
    const cell = (key: string): string | null => textOf(cells[places.get(key) ?? -1]);
    const joined = [cell('traitname'), cell('methodname'), cell('scalename')].filter((part) => part !== null);
    const name = cell('variablename') ?? (joined.length === 0 ? null : joined.join(' '));
    if (name === null) return;
    const listed = Array.from({ length: MOST_CATEGORIES }, (_, k) => cell(`category${k + 1}`) ?? '').map(categoryOf);
    found.push(
      variableOf({
        ...{ name, ontologyId: cell('variableid'), scaleName: cell('scalename') },
        dataType: cell('scaleclass') ?? '',
        details: [cell('traitdescription'), cell('methoddescription')],
        ...{ min: cell('lowerlimit'), max: cell('upperlimit'), decimals: cell('decimalplaces'), listed },
      }),
    );
  });
  return found;
}

interface Variable {
  name: string;
  ontologyId: string | null;
  scaleName: string | null;
  dataType: string;
  details: (string | null)[];
  min: unknown;
  max: unknown;
  decimals: unknown;
  listed: readonly ({ value: string; label: string | null } | null)[];
}

function variableOf({ name, ontologyId, scaleName, dataType, details, ...limits }: Variable): ListedTrait {
  const scale = scaleOf(dataType, limits);
  const parts = [...new Set(details.filter((part) => part !== null))];
  return {
    ...{ name, ontologyId, scale },
    // Other scales have names such as "7 pt scale".
    unit: scale?.kind === 'numeric' || scale?.kind === 'integer' ? scaleName : null,
    details: parts.length === 0 ? null : parts.join('. ').replaceAll('..', '.'),
  };
}

/** Scale classes of the Crop Ontology are the data types of BrAPI. */
function scaleOf(
  dataType: string,
  { min, max, decimals, listed }: Pick<Variable, 'min' | 'max' | 'decimals' | 'listed'>,
) {
  switch (dataType.trim().toLowerCase()) {
    case 'numerical':
    case 'numeric':
    case 'duration':
      return { kind: limitOf(decimals) === 0 ? 'integer' : 'numeric', ...inOrder(limitOf(min), limitOf(max)) } as const;
    case 'nominal':
    case 'ordinal':
      return categories(listed);
    case 'date':
      return { kind: 'date' } as const;
    case 'text':
    case 'code':
    case 'time':
      return { kind: 'text' } as const;
    default:
      return null;
  }
}

/** Limits that are given the wrong way round are none. */
const inOrder = (min: number | null, max: number | null): { min: number | null; max: number | null } =>
  min !== null && max !== null && min > max ? { min: null, max: null } : { min, max };

interface BrapiVariable {
  observationVariableName?: unknown;
  name?: unknown;
  observationVariablePUI?: unknown;
  observationVariableDbId?: unknown;
  trait?: { traitDescription?: unknown; description?: unknown } | null;
  method?: { description?: unknown } | null;
  scale?: {
    dataType?: unknown;
    units?: unknown;
    scaleName?: unknown;
    name?: unknown;
    decimalPlaces?: unknown;
    validValues?: {
      min?: unknown;
      max?: unknown;
      minimumValue?: unknown;
      maximumValue?: unknown;
      categories?: unknown;
    } | null;
  } | null;
}

const isOntologyId = (id: string | null): id is string => id !== null && /^[A-Z][A-Za-z_]*\d*:\d+$/.test(id);

/** Observation variables of BrAPI 1.3 to 2.1, as the Crop Ontology answers them too. */
export const brapiVariables = (variables: readonly BrapiVariable[]): ListedTrait[] =>
  variables.flatMap((variable) => {
    const { trait, method, scale } = variable;
    const name = textOf(variable.observationVariableName) ?? textOf(variable.name);
    if (name === null) return [];
    const { validValues } = scale ?? {};
    const listed = Array.isArray(validValues?.categories) ? (validValues.categories as unknown[]) : [];
    const ids = [textOf(variable.observationVariablePUI), textOf(variable.observationVariableDbId)];
    return [
      variableOf({
        ...{ name, ontologyId: ids.find(isOntologyId) ?? null },
        scaleName: textOf(scale?.units) ?? textOf(scale?.scaleName) ?? textOf(scale?.name),
        dataType: textOf(scale?.dataType) ?? '',
        details: [textOf(trait?.traitDescription) ?? textOf(trait?.description), textOf(method?.description)],
        min: validValues?.minimumValue ?? validValues?.min,
        max: validValues?.maximumValue ?? validValues?.max,
        decimals: scale?.decimalPlaces,
        listed: listed.map(brapiCategory),
      }),
    ];
  });

function brapiCategory(one: unknown): { value: string; label: string | null } | null {
  if (typeof one === 'string') return categoryOf(one);
  const { value, label } = (one ?? {}) as { value?: unknown; label?: unknown };
  const [own, said] = [textOf(value) ?? textOf(label), textOf(label)];
  return own === null ? null : { value: own, label: said === own ? null : said };
}

/**
 * Variables of an ontology in OBO: terms that are `variable_of` a trait, a method and a scale. Their scale has no more
 * than a name, which is the unit unless it tells of points or classes.
 */
export function oboVariables(text: string): ListedTrait[] {
  const found: ListedTrait[] = [];
  for (const stanza of text.split(/^\[/m)) {
    if (!stanza.startsWith('Term]')) continue;
    const tags = stanza.split(/\r?\n/);
    const of = (tag: string): string[] =>
      tags.flatMap((line) => (line.startsWith(`${tag}: `) ? [line.slice(tag.length + 2).trim()] : []));
    const parts = of('relationship').filter((relation) => relation.startsWith('variable_of '));
    const [name] = of('name');
    const [id] = of('id');
    if (name === undefined || name === '' || parts.length === 0 || of('is_obsolete')[0] === 'true') continue;
    const unit = unitIn(parts);
    found.push({
      ...{ name, ontologyId: id ?? null, unit },
      scale: unit === null ? null : ({ kind: 'numeric', min: null, max: null } satisfies ListedScale),
      details: /^"((?:[^"\\]|\\.)*)"/.exec(of('def')[0] ?? '')?.[1]?.replaceAll('\\', '') || null,
    });
  }
  return found;
}

const UNITS =
  /^(?:[kmcμun]?(?:g|m|l)|t|d|days?|h|hours?|%|percent(?:age)?|ratio|number|count|°c|[kmcμun]?(?:g|m|l)[23²³]?(?:\/\S+)?|t\/ha|kg\/\S+|g\/\S+)$/i;

/** The scale is named last. */
function unitIn(parts: readonly string[]): string | null {
  const name = parts.length < 3 ? undefined : /!\s*(.+)$/.exec(parts.at(-1) ?? '')?.[1]?.trim();
  return name !== undefined && UNITS.test(name) ? name : null;
}
