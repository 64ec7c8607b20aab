/** Longer lists are counted: the bundle of the run has them whole. */
const MOST_LISTED = 20;

/**
 * Parameters as rows of a table: `['Selected fraction', '0.05']`. What is in an object gets its name before it; flags
 * are said by `words`.
 */
export function parameterRows(
  parameters: Readonly<Record<string, unknown>>,
  words: {
    yes: string;
    no: string;
    entries: (count: number) => string;
    nameOf: (key: string) => string;
    /** Whether its value has names as keys, which stay as they are. */
    isByName: (key: string) => boolean;
  },
  before = '',
): [name: string, value: string][] {
  return Object.entries(parameters).flatMap(([key, value]): [string, string][] => {
    const name = `${before}${words.nameOf(key)}`;
    if (value === null || value === undefined || value === '') return [[name, '–']];
    if (typeof value === 'boolean') return [[name, value ? words.yes : words.no]];
    if (Array.isArray(value)) {
      if (value.length === 0) return [[name, '–']];
      return [[name, value.length > MOST_LISTED ? words.entries(value.length) : value.map(inWords).join(', ')]];
    }
    if (typeof value === 'object') {
      const within = words.isByName(key) ? { ...words, nameOf: (inner: string) => inner } : words;
      return parameterRows(value as Record<string, unknown>, within, `${name}: `);
    }
    return [[name, String(value)]];
  });
}

/** An entry of a list; those with names are said by them, renames as `from → to`. */
function inWords(entry: unknown): string {
  if (typeof entry !== 'object' || entry === null) return String(entry);
  return Object.values(entry).map(inWords).join(' → ');
}
