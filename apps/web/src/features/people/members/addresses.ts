import { email } from '@heterosis/contracts/people/auth';

export interface Addresses {
  /** In the order given, each once, whatever its case. */
  valid: string[];
  /** As typed. */
  invalid: string[];
}

/**
 * Reads e-mail addresses typed or pasted from a mail program or a column of a table: divided by spaces, lines, tabs,
 * commas or semicolons, with or without names (`Ada Lindqvist <ada@example.org>`).
 */
export function parseAddresses(text: string): Addresses {
  const words = text
    .replaceAll(/"[^"\n]*"/g, ' ')
    .replaceAll(/[^\n\t,;<>]*<([^<>\n]*)>/g, '\n$1\n')
    .split(/[\s,;]+/)
    .filter((word) => word !== '');
  const valid = new Map<string, string>();
  const invalid = new Set<string>();
  for (const word of words) {
    const address = email.safeParse(word);
    if (!address.success) invalid.add(word);
    else if (!valid.has(word.toLowerCase())) valid.set(word.toLowerCase(), address.data);
  }
  return { valid: [...valid.values()], invalid: [...invalid] };
}
