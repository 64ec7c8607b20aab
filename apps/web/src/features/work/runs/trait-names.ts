import type { TFunction } from 'i18next';

const NAMED = 6;

/** The first traits by name, the others as a number: `Yield, Height, … and 24 more`. */
export function traitNames(traits: readonly string[], t: TFunction): string {
  const others = traits.length - NAMED;
  // One more is as short as its number.
  if (others <= 1) return traits.join(', ');
  return t('runs.andOthers', { names: traits.slice(0, NAMED).join(', '), count: others });
}
