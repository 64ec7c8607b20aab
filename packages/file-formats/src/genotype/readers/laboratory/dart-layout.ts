import { headerKey } from '../matrix-layout.ts';

/** Columns of a report of DArT before those of its samples. */
export interface DartColumns {
  /** Number of them. */
  count: number;
  /** Places; −1 when absent. */
  id: number;
  clone: number;
  snp: number;
  chromosome: number;
  position: number;
  strand: number;
  /** Whether `position` is that of the SNP, and not that of its tag. */
  isSnpPosition: boolean;
  /** SilicoDArT: presence or absence of tags, without SNPs. */
  isSilico: boolean;
  /** DArTag: reads of haplotypes, a row each, of which those named Ref and Alt are the SNP. */
  isTag: boolean;
  /** Sequence of a haplotype, where reads of DArTag are reported. */
  sequence: number;
}

/** Names of columns of DArT's reports, as {@link headerKey} writes them. */
const KNOWN: RegExp =
  /^(?:alleleid|cloneid|allelesequence(?:ref|snp)?|trimmedsequence|snp|snpposition|callrate|oneratio(?:ref|snp)?|freqhom(?:ref|snp)|freqhets|pic(?:ref|snp)?|avgpic|avgcount(?:ref|snp)|ratioavgcount.*|repavg|reproducibility|avgreaddepth|stdevreaddepth|qpmr|chrom.*|strand.*|alncnt.*|alnevalue.*|clusterconsensus.*|clustersize|alleleseqdist|uidref|uidsnp)$/;

/** Whether the cells of a row are those above the header of a report of DArT: stars before the samples. */
export const isStarRow = (cells: readonly string[]): boolean => cells[0] === '*';

/** Columns before the samples, counted by the stars above the header. */
export const starColumns = (cells: readonly string[]): number => {
  const first = cells.findIndex((cell) => cell !== '*' && cell !== '');
  return cells.slice(0, first < 0 ? cells.length : first).lastIndexOf('*') + 1;
};

/**
 * The columns of a report of SNPs, of SilicoDArT, or of reads of DArTag (missing allele discovery counts); null for any
 * other header.
 *
 * @param stars columns before the samples as stars above the header tell it; 0 when there are none
 */
export function dartColumns(header: readonly string[], stars: number): DartColumns | null {
  let count = stars;
  const keys = header.slice(0, stars === 0 ? MAX_LEAD_COLUMNS : stars).map(headerKey);
  if (stars === 0) count = keys.findLastIndex((key) => KNOWN.test(key)) + 1;
  const lead = keys.slice(0, count);
  const chromosome = lead.findIndex((key) => /^chrom(?!pos)/.test(key));
  const genome = (lead[chromosome] ?? '').slice('chrom'.length);
  const positionOf = (name: string) => lead.indexOf(`${name}${genome}`);
  const snpPosition = positionOf('chrompossnp');
  const tagPosition = Math.max(positionOf('chrompos'), positionOf('chrompostag'));
  const columns = {
    count,
    id: lead.indexOf('alleleid'),
    clone: lead.indexOf('cloneid'),
    snp: lead.indexOf('snp'),
    chromosome,
    position: snpPosition >= 0 ? snpPosition : tagPosition,
    strand: positionOf('strand'),
    isSnpPosition: snpPosition >= 0,
    sequence: lead.indexOf('allelesequence'),
    ...{ isSilico: false, isTag: false },
  };
  if (columns.id >= 0 && columns.snp >= 0) return columns;
  if (columns.id >= 0 && columns.clone >= 0 && columns.sequence >= 0) return { ...columns, isTag: true };
  const isSilico = columns.id < 0 && columns.clone >= 0 && columns.snp < 0 && lead.includes('oneratio');
  return isSilico ? { ...columns, id: columns.clone, isSilico } : null;
}

/** More columns stand before the samples of no report. */
const MAX_LEAD_COLUMNS = 100;
