/** Formats in which a panel can be written, in the order in which they are offered. */
export const PANEL_FORMATS = [
  'vcf',
  'hapmap',
  'plink',
  'plink_text',
  'flapjack',
  'numeric',
  'numeric_by_marker',
  'letters',
  'long_dosages',
] as const;
export type PanelFormat = (typeof PANEL_FORMATS)[number];

/** Formats that hold fractional dosages; the others round them to whole copies. */
export const DOSAGE_FORMATS: readonly PanelFormat[] = ['vcf', 'numeric', 'numeric_by_marker', 'long_dosages'];

/** Formats that hold polyploids; the others have two alleles a call. */
export const POLYPLOID_FORMATS: readonly PanelFormat[] = [...DOSAGE_FORMATS, 'letters'];

/** Formats that tell the ploidy of each plant. */
export const MIXED_FORMATS: readonly PanelFormat[] = ['vcf'];

/** One file of a format; some formats consist of several files. */
export interface PanelFile {
  /** Ending of the file's name, with its dot. */
  ending: string;
  chunks: AsyncGenerator<Uint8Array>;
}
