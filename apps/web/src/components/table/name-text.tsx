import { Fragment } from 'react';

/** Words with the marks that follow them: `plot_`, `scores_`, `2026.csv`. */
const PARTS = /[^_\-,:;/|@+]*[_\-,:;/|@+]*/g;

/** Endings of a file's name: `.vcf.gz`, `.csv`. */
const ENDINGS = /^(.+?)((?:\.[A-Za-z][A-Za-z0-9]{0,7}){1,2})$/;

/**
 * A name that breaks into lines where people would part it, after `_`, `-` and the like or before `.csv`, and only then
 * inside a word.
 */
export function NameText({ name }: { name: string }) {
  const [, stem = name, ending = ''] = ENDINGS.exec(name) ?? [];
  const parts = [...(stem.match(PARTS) ?? []), ending].filter((part) => part !== '');
  return parts.map((part, place) => (
    // A part is its place.
    <Fragment key={place}>
      {place > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
