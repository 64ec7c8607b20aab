import { hasGenotypeEnding } from '@heterosis/contracts/file-formats';
import type { FileType } from '@heterosis/contracts/files';

/** Heads of the columns of crossing tables and linkage maps, without blanks and punctuation. */
const PARENT_HEADS =
  /^(ind[12]|p(arent)?[12]|(fe)?male(parent|name)?|(fe)?maleparentaccession|mother|father|dam|sire|[mp]aternal(parent)?|(seed|pollen)parent)$/;
/** The first column of a pedigree; a crossing table names crosses. */
const INDIVIDUAL_HEADS =
  /^(name|line|linename|ind|individual|id|germplasm(name)?|accession(name)?|accename|designation|progeny(name)?|entryname)$/;
/** What a pedigree says and a crossing table does not. */
const PEDIGREE_HEADS =
  /^(pedigree|purdy(pedigree|string)?|pedigreestring|generation|selfinggenerations|filialgeneration)$/;
const MAP_HEADS = /^(linkmappos|pos(ition)?cm|cm|morgan|geneticpos(ition)?|gmap|mapposition|geneticdistance)(cm|m)?$/;
const CHROMOSOME_HEADS = /^(chr|chrom|chromosome|lg|linkagegroup|linkagegroupname)$/;
/** A table of phenotypes has no more traits than this, one of markers usually has. */
const MOST_TRAITS = 1_000;
/** Fewer columns of small whole numbers could be scores of a trial. */
const FEWEST_MARKERS = 20;
const CALL = /^(-1|0|1|2|NA|)$/i;

/** How much of a file `guessFileType` looks at. */
export const HEAD_BYTES = 64_000;

/**
 * A first guess from the name and, for text, the first lines; users can correct it. The server decides from the whole
 * content.
 */
export function guessFileType(fileName: string, head = ''): FileType | null {
  if (hasGenotypeEnding(fileName)) return 'GENOTYPE';
  const base = fileName.toLowerCase();
  if (/\.gff3?(\.gz)?$/.test(base) || /^##gff-version\s+3/i.test(head)) return 'GENES';
  if (!/\.(csv|tsv|txt|xlsx)(\.gz)?$/.test(base)) return null;
  const isText = !/\.(xlsx|gz)$/.test(base);
  const seen = isText ? guessFromHead(head) : undefined;
  if (seen) return seen;
  if (/geno|snp|matrix|dosage/.test(base)) return 'GENOTYPE';
  if (/pedigree/.test(base)) return 'PEDIGREE';
  if (/cross/.test(base)) return 'CROSSING_TABLE';
  if (/linkage|genetic.?map|link.?map|(^|[^a-z])map([^a-z]|$)/.test(base)) return 'LINKAGE_MAP';
  return 'PHENOTYPE';
}

function guessFromHead(head: string): FileType | undefined {
  if (head.startsWith('##fileformat=VCF') || /^rs#?\talleles\t/i.test(head)) return 'GENOTYPE';
  const lines = head.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const [header = [], first = []] = lines.slice(0, 2).map((line) => line.split(/[,;\t]/).map((cell) => cell.trim()));
  const names = header.map((name) => name.toLowerCase().replace(/[^a-z0-9]/g, ''));
  const parents = names.filter((name) => PARENT_HEADS.test(name)).length;
  const isPedigree = parents === 2 ? INDIVIDUAL_HEADS.test(names[0] ?? '') : names.includes('parent');
  if (/heliuminput\s*=\s*pedigree/i.test(head) || isPedigree || names.some((name) => PEDIGREE_HEADS.test(name))) {
    return 'PEDIGREE';
  }
  if (parents === 2) return 'CROSSING_TABLE';
  if ([MAP_HEADS, CHROMOSOME_HEADS].every((heads) => names.some((name) => heads.test(name)))) return 'LINKAGE_MAP';
  if (names.length > MOST_TRAITS) return 'GENOTYPE';
  // The second line may be cut; its last cell is left out.
  const calls = first.slice(1, -1);
  return calls.length >= FEWEST_MARKERS && calls.every((call) => CALL.test(call)) ? 'GENOTYPE' : undefined;
}
