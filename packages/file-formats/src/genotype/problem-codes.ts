import type { ProblemCode } from '../problem-subjects.ts';

/** Codes of findings about genotype files. */
export const GENOTYPE_PROBLEM_CODES: Readonly<Record<string, ProblemCode>> = {
  'E-GT-ALLELES': {
    subject: 'genotype',
    cause: 'The chosen format has no way to write the alleles of a marker.',
    cure: 'Export VCF, PLINK binary or numbers instead.',
  },
  'W-GT-ALLELES': {
    subject: 'genotype',
    cause: 'The file does not say which allele is the reference or which alleles a marker has.',
    cure: 'Add REF and ALT, or use VCF, if the panel is to be compared with others.',
  },
  'E-GT-BAD-CALL': {
    subject: 'genotype',
    cause: 'A call is not one that the format allows.',
    cure: 'Correct the call, or write it as missing.',
  },
  'E-GT-CODING': {
    subject: 'genotype',
    cause: 'The numbers fit no known coding (0/1/2, −1/0/1, 0/1), or a column holds something else than calls.',
    cure: 'Remove the column that the message names, or recode the matrix to copies of one allele: 0, 1 or 2.',
  },
  'W-GT-CODING': {
    subject: 'genotype',
    cause: 'The coding of a numeric matrix was inferred from its values.',
    cure: 'Confirm the coding, or choose another one on the file page.',
  },
  'E-GT-COLS': {
    subject: 'genotype',
    cause: 'A line has more or fewer calls than there are samples in the header.',
    cure: 'Export the file again; it was cut or edited.',
  },
  'E-GT-DUP-MARKER': {
    subject: 'genotype',
    cause: 'One marker id occurs at two positions.',
    cure: 'Give each marker its own id, or leave the ids empty.',
  },
  'E-GT-DUP-POS': {
    subject: 'genotype',
    cause: 'The same variant (chromosome, position, REF and ALT) occurs twice and its calls differ.',
    cure: 'Keep the row with the better calls.',
  },
  'W-GT-DUP-POS': {
    subject: 'genotype',
    cause: 'The same variant (chromosome, position, REF and ALT) occurs twice.',
    cure: 'Remove one of the rows if both are the same assay.',
  },
  'E-GT-DUP-SAMPLE': {
    subject: 'genotype',
    cause: 'Two samples have the same name.',
    cure: 'Rename or remove one of them.',
  },
  'W-GT-DUPLICATE-GENOTYPE': {
    subject: 'genotype',
    cause: 'Two samples have nearly identical genotypes.',
    cure: 'Check for a sample that was genotyped twice, or mixed up.',
  },
  'E-GT-GVCF': {
    subject: 'genotype',
    cause:
      'The file is a gVCF: blocks of the genome and possible variants of single samples, before genotypes are called.',
    cure: 'Call the genotypes of all samples together (GATK GenotypeGVCFs, GLnexus, bcftools call) and upload that VCF.',
  },
  'E-GT-HEADER': {
    subject: 'genotype',
    cause: 'A second header line (#CHROM) stands among the markers, and names other samples than the first.',
    cure: 'Join files of the same samples with bcftools concat, those of different samples with bcftools merge.',
  },
  'W-GT-HEADER': {
    subject: 'genotype',
    cause: 'A second header line (#CHROM) stands among the markers, and names the same samples.',
    cure: 'Nothing, if the files that were put one behind the other belong together.',
  },
  'W-GT-COMMENT': {
    subject: 'genotype',
    cause: 'Lines among the markers of a VCF begin with # and were passed over.',
    cure: 'Nothing, if they were to be left out; otherwise remove the #.',
  },
  'E-GT-NO-ALLELE': {
    subject: 'genotype',
    cause: 'REF or ALT of a line of a VCF is empty, or ALT ends with a comma.',
    cure: 'Write the allele, or "." when it is not known.',
  },
  'E-GT-SAME-ALLELES': {
    subject: 'genotype',
    cause: 'Two alleles of a marker are the same, for example REF A and ALT A.',
    cure: 'Correct the alleles. Calls cannot be counted when both have one name.',
  },
  'E-GT-MAP': {
    subject: 'genotype',
    cause: 'A Flapjack genotype file came without its map file.',
    cure: 'Pack both files into one zip.',
  },
  'E-GT-NO-GT': {
    subject: 'genotype',
    cause: 'The VCF has neither genotypes (GT) nor dosages (DS, GP).',
    cure: 'Export the VCF with the GT field.',
  },
  'E-GT-PGEN': {
    subject: 'genotype',
    cause: 'A .pgen file of PLINK 2 is damaged, or holds a form of data that is not read (its message says which).',
    cure: 'Write the files again with plink2 --make-pgen, or export a VCF with plink2 --export vcf.',
  },
  'E-GT-DART-ROWS': {
    subject: 'genotype',
    cause: 'In a DArT report with two rows a marker, a row does not stand beside the other row of its marker.',
    cure: 'Upload the report in the order in which DArT wrote it.',
  },
  'E-GT-PLOIDY': {
    subject: 'genotype',
    cause:
      'Calls have more alleles than the ploidy that was given, or than the analysis takes; or the numbers of a table run beyond 2 and nobody said the ploidy.',
    cure: 'Say the ploidy when you upload the file or check it again (`--ploidy 4`), correct it, or choose an analysis that takes polyploids.',
  },
  'E-GT-PLOIDY-MIX': {
    subject: 'genotype',
    cause:
      'Calls of one plant differ in ploidy, or have one allele where others have two; or the plants differ in ploidy, and the analysis or format takes those of one.',
    cure: 'Read only the plants of one ploidy (`--samples-of-ploidy 4`); choose to read calls of one allele as homozygous (`--haploid-calls homozygous`); call each plant with one ploidy.',
  },
  'W-GT-PLOIDY-MIX': {
    subject: 'genotype',
    cause: 'The plants of a VCF differ in ploidy. The ploidy of each is kept, for quality figures and exports.',
    cure: 'For analyses read only the plants of one ploidy (`--samples-of-ploidy 4`); to have all, read the file once for each.',
  },
  'I-GT-PLOIDY-CHOSEN': {
    subject: 'genotype',
    cause: 'The plants of a VCF differ in ploidy, and only those of one were read, as was chosen.',
    cure: 'Nothing. Upload the file once more for the others, or read all (**Read in another way…**).',
  },
  'I-GT-PLOIDY': {
    subject: 'genotype',
    cause: 'The plants have more than two copies of each chromosome; dosages run from 0 to the ploidy.',
    cure: 'Nothing.',
  },
  'I-GT-SUBGENOMES': {
    subject: 'genotype',
    cause:
      'The names of the chromosomes form subgenomes (1A 1B 1D, A01 C01), and each is taken as a set of diploid chromosomes.',
    cure: 'Nothing. Dosages summed over subgenomes are a table of numbers, read with their ploidy.',
  },
  'W-GT-NO-READS': {
    subject: 'genotype',
    cause: 'Dosages were read from the reads of each allele (AD), and some calls have none; they count as missing.',
    cure: 'Nothing, if so many plants could not be sequenced at these markers.',
  },
  'E-GT-POS': {
    subject: 'genotype',
    cause: 'A chromosome is missing, or a position is not a positive whole number.',
    cure: 'Correct the position. Write chromosome UN where the location is unknown.',
  },
  'E-GT-TRIO': {
    subject: 'genotype',
    cause: 'The files of a PLINK set are incomplete or disagree about markers or samples.',
    cure: 'Write the set again with PLINK and pack all its files into one zip.',
  },
  'E-GT-TRUNCATED': {
    subject: 'genotype',
    cause: 'The compressed file ends early.',
    cure: 'Copy or upload it again.',
  },
  'W-GT-NO-END': {
    subject: 'genotype',
    cause: 'A bgzip file lacks its closing block and may have been cut.',
    cure: 'Compare the number of markers with the original, or compress it again with bgzip.',
  },
  'W-GT-CALLRATE': {
    subject: 'genotype',
    cause: 'Samples have a call rate below 0.8.',
    cure: 'Consider leaving these samples out.',
  },
  'W-GT-CONFLICT': {
    subject: 'genotype',
    cause: 'A table of single calls gives a sample two different calls of one marker; they were read as missing.',
    cure: 'Give two plants with one name different names.',
  },
  'W-GT-STRAND': {
    subject: 'genotype',
    cause: 'Alleles of DArT are those of the sequenced tags, and some tags lie on the minus strand of the genome.',
    cure: 'Nothing within one panel; turn these alleles round before comparing with other platforms.',
  },
  'W-GT-HALF-CALL': {
    subject: 'genotype',
    cause: 'One of the two alleles of a call is missing (0/.).',
    cure: 'Write both alleles, or ./. when the call is missing. Half calls are read as missing.',
  },
  'W-GT-HAPLOID': {
    subject: 'genotype',
    cause: 'Calls have a single allele.',
    cure: 'Nothing for doubled haploids and inbred lines: the calls are read as homozygous.',
  },
  'W-GT-HET': {
    subject: 'genotype',
    cause: 'Some samples of an inbred panel are far more heterozygous than the rest.',
    cure: 'Check them for contamination or outcrossing.',
  },
  'W-GT-ID-IMPUTED': {
    subject: 'genotype',
    cause: 'Markers had no id, or shared one; ids were made from chromosome and position.',
    cure: 'Nothing, unless other files refer to these markers by id.',
  },
  'W-GT-MONO': {
    subject: 'genotype',
    cause: 'Markers do not vary in this panel.',
    cure: 'Nothing: analyses leave them out.',
  },
  'W-GT-MULTI': {
    subject: 'genotype',
    cause: 'A row has several ALT alleles and was split into one marker per ALT allele.',
    cure: 'Nothing, or split the rows yourself with bcftools norm -m-any.',
  },
  'W-GT-NO-POS': {
    subject: 'genotype',
    cause: 'Markers have no chromosome, or no position in base pairs.',
    cure: 'Add a linkage map, or pack the calls and a list of the markers into one zip, when an analysis needs positions.',
  },
  'W-GT-OTHER-ALLELE': {
    subject: 'genotype',
    cause: 'Calls carry an allele that the file does not list for the marker; they were read as missing.',
    cure: 'List all alleles of the marker if the calls are real.',
  },
  'W-GT-UNPHASED': {
    subject: 'genotype',
    cause: 'Heterozygous calls are not phased.',
    cure: 'Phase the file before simulating crosses of heterozygous parents.',
  },
  'W-GT-UNSORTED': {
    subject: 'genotype',
    cause: 'Markers were not in order of position and have been sorted.',
    cure: 'Nothing.',
  },
  'I-GT-DOSAGE': {
    subject: 'genotype',
    cause: 'Calls have fractional dosages; they are kept to 1/16384 of a copy.',
    cure: 'Nothing.',
  },
  'I-GT-DOSAGE-UNUSED': {
    subject: 'genotype',
    cause: 'A VCF has dosages or genotype probabilities (DS, GP) beside GT, and GT was read.',
    cure: 'Choose to read the dosages on the page of the file, or import with `--dosages`.',
  },
  'W-GT-DOSAGE-LOST': {
    subject: 'genotype',
    cause: 'The format that was exported holds only whole numbers of copies.',
    cure: 'Export VCF or numbers to keep fractional dosages.',
  },
  'I-GT-CONTROLS': {
    subject: 'genotype',
    cause: 'Rows of controls without DNA (NTC) and of empty wells were passed over.',
    cure: 'Nothing.',
  },
  'I-GT-ALLELE-NAMES': {
    subject: 'genotype',
    cause: 'Calls of a Flapjack file are no bases; they are read as names of alleles.',
    cure: 'Nothing, if they are no numbers of copies.',
  },
  'I-GT-CALLED': {
    subject: 'genotype',
    cause: 'Whole dosages were called from reads; the message says by which model, and how many were not certain.',
    cure: 'Nothing where depths are high; else call them by a program that models overdispersion and bias of reads.',
  },
  'I-GT-DART': {
    subject: 'genotype',
    cause: 'The message says which of its reports DArT delivered, and how its numbers were read.',
    cure: 'Nothing.',
  },
  'I-GT-PROBABILITIES': {
    subject: 'genotype',
    cause: 'Calls were read from genotype probabilities as the mean number of copies, without their uncertainty.',
    cure: 'Nothing.',
  },
  'I-GT-PHASE': {
    subject: 'genotype',
    cause: 'A .pgen has phased calls, and phase is read from VCF only.',
    cure: 'Upload a VCF when heterozygous parents are to be crossed.',
  },
  'I-GT-LAB-ID': {
    subject: 'genotype',
    cause: 'A grid of Intertek names its samples with the id of the laboratory behind a point.',
    cure: 'Nothing, if the names without it are those of your lines.',
  },
  'I-GT-COUNTED': {
    subject: 'genotype',
    cause: 'The message names the allele that is counted.',
    cure: 'Nothing; effects and frequencies refer to that allele.',
  },
};
