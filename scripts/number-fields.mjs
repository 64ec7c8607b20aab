// Every number of the pages is typed into `NumberField`, which knows decimal commas and separators of thousands. This
// finds other fields for numbers.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FIELD = 'apps/web/src/components/form/number-field.tsx';
/** Values of traits are texts that their scale reads, with a keypad where they are numbers. */
const VALUES = 'apps/web/src/features/data/trials/values/value-input.tsx';

const OTHERS =
  /\bNumberInput\b|\bNumericFormat\b|\bvalueAsNumber\b|\btype=\W+number\b|\binputMode=\W+(?:decimal|numeric)\b/g;

export function findNumberFields(root) {
  return globSync('apps/web/src/**/*.{ts,tsx}', { cwd: root })
    .filter((path) => path !== FIELD && path !== VALUES)
    .flatMap((path) => numberFieldsIn(path, readFileSync(join(root, path), 'utf8')));
}

/** Exported for the canaries. */
export const numberFieldsIn = (path, text) =>
  [...text.matchAll(OTHERS)].map(
    ({ index, 0: found }) =>
      `${path}:${text.slice(0, index).split('\n').length}: ${found} reads numbers; use NumberField (${FIELD})`,
  );
