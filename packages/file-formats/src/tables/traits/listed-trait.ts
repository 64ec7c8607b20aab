/** What values a trait takes, as files of traits tell it. */
export type ListedScale =
  | { kind: 'numeric' | 'integer'; min: number | null; max: number | null }
  | { kind: 'categories'; categories: { value: string; label: string | null }[] }
  | { kind: 'date' }
  | { kind: 'text' };

/** A trait of a file of traits. */
export interface ListedTrait {
  name: string;
  unit: string | null;
  /** Null where the file does not say it. */
  scale: ListedScale | null;
  details: string | null;
  ontologyId: string | null;
}

/** One that the file names and that cannot be taken. */
export interface LeftOutTrait {
  name: string;
  reason: string;
}

export interface TraitsReading {
  format: 'Field Book' | 'Crop Ontology' | 'BrAPI' | 'OBO';
  /** In the order of the file, each name once. */
  traits: ListedTrait[];
  leftOut: LeftOutTrait[];
}

/** A number of a file; null where there is none. */
export function limitOf(value: unknown): number | null {
  const text = String(value ?? '').trim();
  const number = Number(text);
  return text === '' || !Number.isFinite(number) ? null : number;
}

/** A text of a file without blanks around it; null where there is none. */
export function textOf(value: unknown): string | null {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  return text === '' ? null : text;
}

/** A category such as `3 = Low`, `3: Low` or `Red`. */
export function categoryOf(text: string): { value: string; label: string | null } | null {
  const [, value, label] = /^\s*([^=:]*?)\s*(?:[=:]\s*(.*?)\s*)?$/s.exec(text) ?? [];
  if (value === undefined || value === '') return null;
  return { value, label: label === undefined || label === '' || label === value ? null : label };
}

/** A scale of categories, each value once; null without any. */
export function categories(list: readonly ({ value: string; label: string | null } | null)[]): ListedScale | null {
  const byValue = new Map<string, { value: string; label: string | null }>();
  for (const one of list) if (one !== null && !byValue.has(one.value)) byValue.set(one.value, one);
  return byValue.size === 0 ? null : { kind: 'categories', categories: [...byValue.values()] };
}
