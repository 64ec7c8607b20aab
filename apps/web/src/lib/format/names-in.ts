/** The names of a text, one a line; separators of a pasted row count as line ends. Each name once. */
export function namesIn(text: string): string[] {
  const names = text.split(/[\n\r\t;,]/).map((name) => name.trim());
  return [...new Set(names.filter((name) => name !== '' && !name.startsWith('#')))];
}
