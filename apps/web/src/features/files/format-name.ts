import type { TFunction } from 'i18next';

/** Formats that the check of a file tells; for a phenotype file, its shape. */
const FORMATS = [
  'vcf',
  'hapmap',
  'plink-binary',
  'plink-text',
  'flapjack',
  'numeric-matrix',
  'letter-matrix',
  'wide',
  'wide-design',
  'long',
  'linkage-map',
  'crossing-table',
] as const;

/** The format of a file in words; a format that this page does not know as the server names it. */
export function formatName(format: string, t: TFunction): string {
  const known = FORMATS.find((one) => one === format);
  return known === undefined ? format : t(`files.formatName.${known}`);
}
