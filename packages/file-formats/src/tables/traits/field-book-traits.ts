import type { Table } from '../text/read-table.ts';
import { categories, type LeftOutTrait, type ListedScale, type ListedTrait, limitOf, textOf } from './listed-trait.ts';

/** Fields of a trait of Field Book, from either form of its files. */
interface FieldBookTrait {
  name: string;
  format: string;
  minimum: unknown;
  maximum: unknown;
  categories: string | null;
  details: string | null;
  unit: string | null;
  /** Places after the point; null: any. */
  decimals: number | null;
}

const SCALES: Readonly<Record<string, (trait: FieldBookTrait) => ListedScale | null>> = {
  numeric: (trait) => ({ kind: trait.decimals === 0 ? 'integer' : 'numeric', ...limitsOf(trait) }),
  percent: (trait) => {
    const { min, max } = limitsOf(trait);
    return { kind: 'numeric', min: min ?? 0, max: max ?? 100 };
  },
  counter: () => ({ kind: 'integer', min: 0, max: null }),
  angle: (trait) => ({ kind: 'numeric', ...limitsOf(trait) }),
  stopwatch: () => ({ kind: 'text' }),
  // What it stores.
  boolean: () => categories(['TRUE', 'FALSE'].map((value) => ({ value, label: null }))),
  categorical: (trait) => categories(categoriesIn(trait.categories ?? '')),
  qualitative: (trait) => categories(categoriesIn(trait.categories ?? '')),
  // Several categories with colons between them.
  multicat: () => ({ kind: 'text' }),
  date: () => ({ kind: 'date' }),
  text: () => ({ kind: 'text' }),
  barcode: () => ({ kind: 'text' }),
  // Severity and reaction: 20MR.
  'disease rating': () => ({ kind: 'text' }),
  'rust rating': () => ({ kind: 'text' }),
};

const limitsOf = ({ minimum, maximum }: FieldBookTrait) => ({ min: limitOf(minimum), max: limitOf(maximum) });

/** `a/b/c`, or the list in JSON that newer versions keep. */
function categoriesIn(text: string): { value: string; label: string | null }[] {
  if (text.startsWith('['))
    try {
      const list: unknown = JSON.parse(text);
      if (Array.isArray(list))
        return list.flatMap((one: { value?: unknown; label?: unknown } | null) => {
          const value = textOf(one?.value) ?? textOf(one?.label);
          const label = textOf(one?.label);
          return value === null ? [] : [{ value, label: label === value ? null : label }];
        });
    } catch (error) {
      // A category may begin with a bracket.
      if (!(error instanceof SyntaxError)) throw error;
    }
  return text.split('/').flatMap((part) => {
    const value = part.trim();
    return value === '' ? [] : [{ value, label: null }];
  });
}

/** Our own files have the unit in brackets at the end, because the table has no column for it. */
const UNIT_IN_DETAILS = /^(.*?)\s*\[([^[\]]{1,50})\]$/s;

function traitOf(trait: FieldBookTrait): ListedTrait | LeftOutTrait {
  const { name, format } = trait;
  const [, before, bracketed] = UNIT_IN_DETAILS.exec(trait.details ?? '') ?? [];
  const details = textOf(before ?? trait.details);
  const unit = trait.unit ?? textOf(bracketed);
  const scaleOf = SCALES[format.trim().toLowerCase()];
  if (scaleOf === undefined)
    return { name, reason: `its values are of the kind "${format}", which are files, places or measured by a device` };
  const scale = scaleOf(trait);
  if (scale === null) return { name, reason: 'it has no categories' };
  return {
    ...{ name, scale, details, ontologyId: null },
    unit: unit ?? (format.toLowerCase() === 'percent' ? '%' : null),
  };
}

export const isFieldBookTable = ({ columns }: Pick<Table, 'columns'>): boolean =>
  ['trait', 'format'].every((key) => columns.some((column) => column.key === key));

/** Traits of a `.trt` file in its form as a table. */
export async function fieldBookTable(table: Table): Promise<(ListedTrait | LeftOutTrait)[]> {
  const place = (key: string): number => table.columns.find((column) => column.key === key)?.index ?? -1;
  const found: (ListedTrait | LeftOutTrait)[] = [];
  await table.forEachRow(({ cells }) => {
    const cell = (key: string): string | null => textOf(cells[place(key)]);
    const name = cell('trait');
    if (name === null) return;
    found.push(
      traitOf({
        ...{ name, format: cell('format') ?? '', unit: null, decimals: null },
        ...{ minimum: cell('minimum'), maximum: cell('maximum') },
        ...{ categories: cell('categories'), details: cell('details') },
      }),
    );
  });
  return found;
}

interface FieldBookJson {
  name?: unknown;
  format?: unknown;
  details?: unknown;
  attributes?: Record<string, unknown> | null;
}

/** Traits of a `.trt` file in its form as JSON. */
export const fieldBookJson = (traits: readonly FieldBookJson[]): (ListedTrait | LeftOutTrait)[] =>
  traits.flatMap(({ name, format, details, attributes }) => {
    const own = textOf(name);
    if (own === null) return [];
    const of = attributes ?? {};
    const isSeveral = String(of['allowMulticat']) === 'true';
    return [
      traitOf({
        ...{ name: own, format: isSeveral ? 'multicat' : (textOf(format) ?? ''), details: textOf(details) },
        ...{ minimum: of['validValuesMin'], maximum: of['validValuesMax'], unit: textOf(of['unit']) },
        categories: textOf(of['category']),
        decimals: limitOf(of['decimalPlacesRequired']),
      }),
    ];
  });
