import type { TFunction } from 'i18next';

const LONGEST_NAME = 255;

/** What a repeated run is called at first: `Yield 2026 (again)`, a long name cut so that the server takes it. */
export function againName(name: string, t: TFunction): string {
  const added = t('runs.again', { name: '' }).length;
  return t('runs.again', { name: name.slice(0, LONGEST_NAME - added) });
}
