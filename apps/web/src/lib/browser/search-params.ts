type SearchValues = Record<string, unknown>;

/**
 * Search params as plain text, repeated keys as arrays. (The router's own reading takes every value for JSON, so that a
 * sign-in code of digits only would become a number.) Schemas of routes coerce where they want numbers.
 */
export function parseSearch(text: string): Record<string, string | string[]> {
  const values: Record<string, string | string[]> = {};
  for (const [key, value] of new URLSearchParams(text)) {
    const before = values[key];
    if (before === undefined) values[key] = value;
    else values[key] = [...(Array.isArray(before) ? before : [before]), value];
  }
  return values;
}

export function stringifySearch(values: SearchValues): string {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(values)) {
    if (value === undefined || value === null || value === '') continue;
    for (const item of Array.isArray(value) ? value : [value]) params.append(key, String(item));
  }
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}

/**
 * For `validateSearch` of a route: the named search params as text, each optional; anything else in their place is left
 * out. (No zod here: the routes load with the first page.)
 */
export function textParams<Name extends string>(
  ...names: Name[]
): (search: SearchValues) => { [Key in Name]?: string | undefined } {
  return (search) => {
    const found: { [Key in Name]?: string | undefined } = {};
    for (const name of names) {
      const value = search[name];
      if (typeof value === 'string') found[name] = value;
    }
    return found;
  };
}

/** Only an address inside this application: a link in a mail must not send people elsewhere. */
export function safeReturnTo(text: string | undefined): string | undefined {
  if (text === undefined || !text.startsWith('/') || text.startsWith('//') || text.includes('\\')) return undefined;
  const path = text.split(/[?#]/, 1)[0];
  return path === '/' || path === '/signin' ? undefined : text;
}
