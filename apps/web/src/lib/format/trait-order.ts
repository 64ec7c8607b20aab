/** Sorts traits, each once, as they stand in `order`; others come last, as they are given. */
export function inOrderOf(order: readonly string[]): (traits: readonly string[]) => string[] {
  const places = new Map(order.map((trait, place) => [trait, place]));
  const placeOf = (trait: string): number => places.get(trait) ?? order.length;
  return (traits) => [...new Set(traits)].sort((a, b) => placeOf(a) - placeOf(b));
}
