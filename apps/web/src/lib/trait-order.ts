const byName = new Intl.Collator('en', { numeric: true });

export const compareTraits = byName.compare;

/** Traits in the order in which every list has them. */
export const inOrder = (traits: readonly string[]): string[] => [...traits].sort(compareTraits);
