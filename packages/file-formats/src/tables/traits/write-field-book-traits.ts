import { csvRow } from '../text/csv-writer.ts';
import type { ListedScale, ListedTrait } from './listed-trait.ts';

const HEADER = 'trait format defaultValue minimum maximum details categories isVisible realPosition'.split(' ');

/**
 * Traits as a `.trt` file that every version of Field Book imports. A trait of which no scale is known takes any text.
 * The unit stands in brackets behind the details.
 */
export const fieldBookTraits = (traits: readonly Omit<ListedTrait, 'ontologyId'>[]): string =>
  [
    csvRow(HEADER),
    ...traits.map(({ name, unit, scale, details }, place) => {
      const { min, max } = scale?.kind === 'numeric' || scale?.kind === 'integer' ? scale : { min: null, max: null };
      const said = [...(details === null ? [] : [details]), ...(unit === null ? [] : [`[${unit}]`])].join(' ');
      return csvRow([
        ...[name, formatOf(scale), '', min, max, said],
        ...[scale?.kind === 'categories' ? categoriesOf(scale) : '', 'true', place + 1],
      ]);
    }),
  ].join('');

function formatOf(scale: ListedScale | null): string {
  switch (scale?.kind) {
    case 'numeric':
    case 'integer':
      return 'numeric';
    case 'categories':
      return 'categorical';
    case 'date':
      return 'date';
    default:
      return 'text';
  }
}

/** With slashes between them; as JSON when they have labels or slashes of their own. */
function categoriesOf({ categories }: Extract<ListedScale, { kind: 'categories' }>): string {
  const isPlain = categories.every(({ value, label }) => label === null && !value.includes('/'));
  return isPlain
    ? categories.map(({ value }) => value).join('/')
    : JSON.stringify(categories.map(({ value, label }) => ({ label: label ?? value, value })));
}
