/** Of the first two words of a name; an e-mail address counts as two. */
export function initials(name: string): string {
  const words = name.split(/[\s@]+/).filter(Boolean);
  return words
    .slice(0, 2)
    .map((word) => [...word][0]?.toLocaleUpperCase() ?? '')
    .join('');
}
