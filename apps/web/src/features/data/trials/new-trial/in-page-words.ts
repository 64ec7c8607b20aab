/**
 * A sentence of the design for the page: it names options by the flags and codes of the command line, and the page by
 * the labels of its fields.
 */
export function inPageWords(
  text: string,
  label: (option: string) => string,
  design: (name: string) => string | undefined,
): string {
  return text
    .replaceAll(/ \(--[\w-]+\)/g, '')
    .replaceAll(/--([a-z-]+[a-z])(?: (?:NAME,…|[a-z]+,[a-z]+(?=[, ])))?/g, (_, flag: string) => {
      return `“${label(flag.replaceAll('-', '_'))}”`;
    })
    .replaceAll(/\b(choose|or) (crd|rcbd|alpha|p-rep|row-column)\b/g, (whole, word: string, name: string) =>
      design(name) === undefined ? whole : `${word} “${design(name)}”`,
    )
    .replaceAll(/”, (alpha|p-rep|rcbd)\b/g, (_, name: string) => `”, “${design(name) ?? name}”`);
}
