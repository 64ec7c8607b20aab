import { Fragment } from 'react';

/** Words with the marks that follow them: `plot_`, `scores_`, `2026.csv`. */
const PARTS = /[^_\-,:;/|@+]*[_\-,:;/|@+]*/g;

/** A name that breaks into lines where people would part it, after `_`, `-` and the like, and only then inside a word. */
export function NameText({ name }: { name: string }) {
  const parts = name.match(PARTS) ?? [];
  return parts.map((part, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place
    <Fragment key={place}>
      {place > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
