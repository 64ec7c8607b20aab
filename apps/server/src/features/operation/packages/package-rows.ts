/** A row as PostgreSQL writes it in JSON. */
export type PackageRow = Record<string, unknown>;

/** Calls for every text in a value, however deep. */
function eachText(value: unknown, found: (text: string) => void): void {
  if (typeof value === 'string') found(value);
  else if (Array.isArray(value)) for (const item of value) eachText(item, found);
  else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) eachText(item, found);
}

/** Storage keys that a row names; columns of these names hold them in every table. */
export function keysOf({ storage_key, result_keys, meta }: PackageRow): string[] {
  const keys: string[] = [];
  eachText([storage_key, result_keys, (meta as { keys?: unknown } | null | undefined)?.keys], (text) =>
    keys.push(text),
  );
  return keys;
}

/** The value with every text changed, however deep. */
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapTexts(item, change)]));
}
