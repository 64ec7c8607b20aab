import type { ExistingRule, GermplasmChange, GermplasmContent } from './germplasm-table.ts';

/** The content alone of a row or an entry. */
export function contentOf({
  collection,
  maternal,
  paternal,
  synonyms,
  crossType,
  selfingGenerations,
  attributes,
}: GermplasmContent): GermplasmContent {
  return { collection, maternal, paternal, synonyms, crossType, selfingGenerations, attributes };
}

export function isSameContent(a: GermplasmContent, b: GermplasmContent): boolean {
  return JSON.stringify(contentOf(a)) === JSON.stringify(contentOf(b));
}

const FIELDS = ['collection', 'maternal', 'paternal', 'crossType', 'selfingGenerations'] as const;
/** As the API names them. */
const FIELD_NAMES = {
  collection: 'collection',
  maternal: 'maternal',
  paternal: 'paternal',
  crossType: 'cross_type',
  selfingGenerations: 'selfing_generations',
} as const;

/**
 * Stored content after an upload: an empty cell never erases, and synonyms and attributes are added. `fill` takes the
 * file's value where nothing is stored, `overwrite` wherever the file has one.
 */
export function merged(stored: GermplasmContent, given: GermplasmContent, rule: ExistingRule): GermplasmContent {
  const result = { ...contentOf(stored) };
  if (rule === 'keep') return result;
  for (const field of FIELDS) {
    if (given[field] !== null && (rule === 'overwrite' || stored[field] === null))
      Object.assign(result, { [field]: given[field] });
  }
  result.synonyms = [...new Set([...stored.synonyms, ...given.synonyms])];
  result.attributes =
    rule === 'overwrite'
      ? { ...stored.attributes, ...given.attributes }
      : { ...given.attributes, ...stored.attributes };
  return result;
}

/** The differences between two contents, of which the second lacks nothing that the first has. */
export function changesOf(before: GermplasmContent, after: GermplasmContent): GermplasmChange[] {
  const changes: GermplasmChange[] = [];
  const text = (value: string | number | null): string | null => (value === null ? null : String(value));
  for (const field of FIELDS) {
    const to = text(after[field]);
    const from = text(before[field]);
    if (to !== null && from !== to) changes.push({ field: FIELD_NAMES[field], from, to });
  }
  const known = new Set(before.synonyms);
  const added = after.synonyms.filter((synonym) => !known.has(synonym));
  if (added.length > 0)
    changes.push({ field: 'synonyms', from: before.synonyms.join('; ') || null, to: added.join('; ') });
  for (const [name, to] of Object.entries(after.attributes)) {
    const from = before.attributes[name] ?? null;
    if (from !== to) changes.push({ field: name, from, to });
  }
  return changes;
}
