import MiniSearch from 'minisearch';

export interface HelpHit {
  /** Address below /help: `formats#E-GT-POS`. */
  id: string;
  title: string;
  page: string;
}

const MOST_HITS = 12;

/** Finds sections by the beginnings of words and with one typing error; titles count three times. */
export function createHelpSearch(
  sections: readonly { id: string; page: string; title: string; text: string }[],
): (text: string) => HelpHit[] {
  const index = new MiniSearch({
    fields: ['title', 'text'],
    storeFields: ['title', 'page'],
    // Codes such as E-GT-POS are found whole and by their parts.
    tokenize: (text) =>
      text.split(/[^\p{L}\p{N}-]+/u).flatMap((word) => [word, ...(word.includes('-') ? word.split('-') : [])]),
    searchOptions: {
      prefix: true,
      fuzzy: (word) => (word.length > 4 ? 0.2 : false),
      boost: { title: 3 },
      combineWith: 'AND',
    },
  });
  index.addAll(sections);
  return (text) =>
    index
      .search(text)
      .slice(0, MOST_HITS)
      .map(({ id, title, page }) => ({ id: String(id), title: String(title), page: String(page) }));
}
