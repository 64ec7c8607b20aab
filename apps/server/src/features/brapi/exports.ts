import type { ExportFormat } from '@heterosis/contracts/data/file-formats';

/** Formats in which a variant set is offered. QBMS and Flapjack look for `Flapjack`. */
export const EXPORTS: readonly { format: ExportFormat; dataFormat: string; fileFormat: string }[] = [
  { format: 'flapjack', dataFormat: 'Flapjack', fileFormat: 'text/tsv' },
  { format: 'vcf', dataFormat: 'VCF', fileFormat: 'application/gzip' },
  { format: 'hapmap', dataFormat: 'Hapmap', fileFormat: 'text/tsv' },
  { format: 'plink', dataFormat: 'PLINK', fileFormat: 'application/zip' },
  { format: 'numeric', dataFormat: 'tabular', fileFormat: 'text/csv' },
];

export const exportUrl = (origin: string, variantSetDbId: string, format: ExportFormat): string =>
  `${origin}/brapi/v2/variantsets/${variantSetDbId}/export/${format}`;
