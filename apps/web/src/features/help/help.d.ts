declare module 'virtual:help/contents' {
  /** Pages of the help in the order of the contents. */
  const contents: {
    slug: string;
    group: 'guide' | 'reference';
    title: string;
    headings: { id: string; title: string; depth: number }[];
    /** The page as HTML of our own making. */
    load: () => Promise<{ default: string }>;
  }[];
  export default contents;
}

declare module 'virtual:help/sections' {
  /** What the search goes through: a heading, or a row of a table that has a code. `id` is the address below /help. */
  const sections: { id: string; page: string; title: string; text: string }[];
  export default sections;
}
