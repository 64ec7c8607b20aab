/** `1,234`, as sentences have whole numbers. */
export const grouped = (value: number): string => String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');

/** `a, b and c`. */
export const enumeration = (items: readonly string[]): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
