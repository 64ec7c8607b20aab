/** The text of each code 0, 1, 2 …, in the form that {@link LineBuffer} writes. */
export interface CodeTexts {
  /** A text of up to four bytes, the first byte lowest; for a longer text, its index in `long`. */
  words: Uint32Array;
  /** Length of a text in bytes; 5 for those in `long`. */
  lengths: Uint8Array;
  long: Uint8Array[];
}

/** Longest text that is written as one word. */
export const WORD_BYTES = 4;

/** Packs texts for fast writing; hardly any call is longer than four bytes. */
export function codeTexts(texts: readonly string[]): CodeTexts {
  const words = new Uint32Array(texts.length);
  const lengths = new Uint8Array(texts.length);
  const long: Uint8Array[] = [];
  const known = new Map<string, number>();
  for (const [k, text] of texts.entries()) {
    const before = known.get(text);
    if (before !== undefined) {
      words[k] = words[before];
      lengths[k] = lengths[before];
      continue;
    }
    known.set(text, k);
    const bytes = Buffer.from(text);
    lengths[k] = Math.min(bytes.length, WORD_BYTES + 1);
    if (bytes.length <= WORD_BYTES) words[k] = bytes.reduceRight((word, byte) => (word << 8) | byte, 0);
    else words[k] = long.push(bytes) - 1;
  }
  return { words, lengths, long };
}
