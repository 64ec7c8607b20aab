import type { FileType } from '@heterosis/contracts/files';

const GENOTYPE_ENDINGS = /\.(vcf|hmp|hapmap|ped|bed)(\.txt)?(\.gz|\.bgz)?$|\.vcf\.bgz$|\.hmp\.txt(\.gz)?$|\.zip$/i;

/** A first guess from the name, for people to correct; what a file is gets decided by its content on the server. */
export function guessFileType(fileName: string): FileType | null {
  if (GENOTYPE_ENDINGS.test(fileName)) return 'GENOTYPE';
  const base = fileName.toLowerCase();
  if (!/\.(csv|tsv|txt|xlsx)(\.gz)?$/.test(base)) return null;
  if (/geno|snp|marker_?matrix|dosage/.test(base)) return 'GENOTYPE';
  if (/cross/.test(base)) return 'CROSSING_TABLE';
  if (/linkage|genetic.?map|link.?map|(^|[_-])map\b/.test(base)) return 'LINKAGE_MAP';
  return 'PHENOTYPE';
}
