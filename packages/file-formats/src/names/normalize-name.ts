/** Longest name of an individual, marker, trait or cross, in UTF-16 code units. */
export const MAX_NAME_LENGTH = 255;

/**
 * Normalizes a name for comparison: Unicode NFC, no surrounding blanks or zero-width characters, each inner run of
 * blanks (non-breaking ones included) as one space. Case and punctuation stay: this is the first step of matching.
 */
export function normalizeName(text: string): string {
  // Almost every name in a large file is plain ASCII without blanks; the calls below would dominate the time to read
  // it.
  if (PLAIN_NAME.test(text)) return text;
  return text
    .replace(/[\u200b\u2060\ufeff]/g, '')
    .normalize('NFC')
    .replace(/\p{Zs}+/gu, ' ')
    .trim();
}

/** A character that leaves a mark: no control, format or unassigned code, no blank, nothing that fonts leave out. */
const VISIBLE = /[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u;

const PLAIN_NAME = /^[!-~]+$/;

/**
 * Reduces a name to letters and digits in lower case: `NR 010004`, `nr-010004` and `NR010004` all become `nr010004`.
 * Two names with the same fold are the same only if no third name shares it. Empty when the name has no letter or
 * digit.
 */
export function foldName(text: string): string {
  return normalizeName(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '');
}

/** What is wrong with a name, as a sentence, or null when it can be stored. */
export function nameFault(text: string): string | null {
  const name = normalizeName(text);
  if (name === '') return 'The name is empty';
  if (!VISIBLE.test(name)) return 'The name has only invisible characters';
  if (name.length > MAX_NAME_LENGTH)
    return `The name has ${name.length} characters; at most ${MAX_NAME_LENGTH} are allowed`;
  if (/\p{Cc}/u.test(name)) return 'The name contains a control character (a tab, a line break or an invisible code)';
  return null;
}

/**
 * Removes what sequencing pipelines append to a sample name: `:digits` and `|digits` (GBS library or well),
 * `@hash.digit` (a hash of letters and digits). A name that would become empty is returned unchanged.
 */
export function stripSequencingSuffix(text: string): string {
  const stripped = text.replace(/(?::\d+|\|\d+|@[0-9a-zA-Z]+\.\d+)+$/, '');
  return stripped === '' ? text : stripped;
}
