/** What a problem code is about: the sections of the list that people read. */
export const PROBLEM_SUBJECTS = {
  file: 'Any file',
  name: 'Names of individuals',
  genotype: 'Genotype files',
  phenotype: 'Phenotype files',
  'linkage-map': 'Linkage maps',
  'crossing-table': 'Crossing tables',
  genes: 'Gene annotations',
  germplasm: 'Germplasm lists and pedigrees',
  kinship: 'Kinship files',
  effects: 'Marker effects',
  folds: 'Cross-validation folds',
  phasing: 'Phasing',
  gwas: 'GWAS',
  evaluation: 'Cross-validation',
  export: 'Exports',
  'command-line': 'Command line',
} as const;

export type ProblemSubject = keyof typeof PROBLEM_SUBJECTS;

export interface ProblemCode {
  subject: ProblemSubject;
  cause: string;
  cure: string;
}

/**
 * Every code that a finding may carry, with what usually causes it and what cures it. `docs/formats.md` is generated
 * from this table, and `npm run check` compares it with the codes that the sources use. The first letter is the
 * severity: E (error, blocks saving), W (warning, to be reviewed), I (information).
 */
export const PROBLEM_CODES: Readonly<Record<string, ProblemCode>> = {
  'E-EMPTY': {
    subject: 'file',
    cause: 'The file has no bytes, or a header and no rows.',
    cure: 'Export the data again and check that the rows are there.',
  },
  'E-ENCODING': {
    subject: 'file',
    cause: 'The file contains NUL bytes: it is binary or damaged, not text.',
    cure: 'Export the table as "CSV UTF-8".',
  },
  'W-ENCODING': {
    subject: 'file',
    cause: 'The text is not UTF-8 and was read as windows-1252.',
    cure: 'Check accents and umlauts, or save the file as "CSV UTF-8".',
  },
  'E-GZIP': {
    subject: 'file',
    cause: 'The compressed data are damaged.',
    cure: 'Compress the original file again and upload it again.',
  },
  'E-TOO-LARGE': {
    subject: 'file',
    cause: 'The file, one of its lines, cells or rows, or what it unpacks to, exceeds a limit.',
    cure: 'Check that it is the file you meant. If it is, split it, for example by chromosome.',
  },
  'I-HEADER-ROW': {
    subject: 'file',
    cause: 'The header is not the first row of the table, or takes two rows.',
    cure: 'Nothing, if it was found; otherwise say which row is the header.',
  },
  'I-SHEETS': {
    subject: 'file',
    cause: 'The workbook has several sheets; one of them was read.',
    cure: 'Nothing, if it is the right one; otherwise choose the sheet.',
  },
  'I-LAYOUT': {
    subject: 'file',
    cause: 'Another file of the organization had the same header, and the columns were read as those of that file.',
    cure: 'Nothing, if this is right; otherwise change what the columns hold.',
  },
  'E-SHEET': {
    subject: 'file',
    cause: 'The workbook has no sheet of the name that was chosen.',
    cure: 'Choose one of its sheets.',
  },
  'E-COL-UNKNOWN': {
    subject: 'file',
    cause: 'A column that was given a role is not in the file.',
    cure: 'Say again which row is the header and what its columns hold.',
  },
  'E-TYPE': {
    subject: 'file',
    cause: 'The content is of another type than the one chosen, for example a VCF uploaded as a phenotype file.',
    cure: 'Choose the type that the message names, or another file.',
  },
  'E-NO-HEADER': {
    subject: 'file',
    cause: 'No row with the names of the columns was found.',
    cure: 'Put the column names in the first row.',
  },
  'E-COL-MISSING': {
    subject: 'file',
    cause: 'A required column is missing, or its header was not recognised.',
    cure: 'Add the column, or rename its header to a spelling listed for this type of file.',
  },
  'E-COL-DUP': {
    subject: 'file',
    cause: 'Two columns have the same header.',
    cure: 'Rename or remove one of them.',
  },
  'W-COL-IGNORED': {
    subject: 'file',
    cause: 'A column of this type of file is not known and is not used.',
    cure: 'Nothing, unless the column was meant to be one of those listed: then rename it.',
  },
  'E-ROW-WIDTH': {
    subject: 'file',
    cause: 'A row has more or fewer cells than the header.',
    cure: 'Quote cells that contain the separator, or add the missing cells.',
  },
  'E-QUOTE': {
    subject: 'file',
    cause: 'A quoted cell is never closed.',
    cure: 'Add the missing quotation mark, or remove the stray one.',
  },
  'I-DECIMAL-COMMA': {
    subject: 'file',
    cause: 'Numbers were written with a decimal comma.',
    cure: 'Nothing if the example in the message is read correctly.',
  },
  'E-UPLOAD-DAMAGED': {
    subject: 'file',
    cause: 'The stored bytes differ from those that the browser sent.',
    cure: 'Upload the file again.',
  },
  'E-FILE-GONE': {
    subject: 'file',
    cause: 'The bytes of the file are no longer in the storage.',
    cure: 'Upload the file again.',
  },
  'E-NOT-CHECKED': {
    subject: 'file',
    cause: 'The check of the file failed for a reason that does not lie in the file.',
    cure: 'Check the file again. If it fails again, send the code and the time to your operator.',
  },

  'E-NAME-EMPTY': {
    subject: 'name',
    cause: 'A name is missing.',
    cure: 'Fill in the name, or remove the row or column.',
  },
  'E-NAME-INVALID': {
    subject: 'name',
    cause: 'A name contains control characters or is longer than 255 characters.',
    cure: 'Shorten or correct the name.',
  },
  'E-NAME-AMBIG': {
    subject: 'name',
    cause:
      'A name fits more than one individual: as a synonym of one and the name of another, or without case and punctuation.',
    cure: 'Write the exact name of the individual that you mean.',
  },
  'E-GFF-COLUMNS': {
    subject: 'genes',
    cause: 'A row does not have the nine columns of GFF3, separated by tabs.',
    cure: 'Export the annotation again; do not edit it in a spreadsheet.',
  },
  'E-GFF-POSITION': {
    subject: 'genes',
    cause: 'Start or end of a gene is not a whole number from 1, or the end is before the start.',
    cure: 'Correct the positions.',
  },
  'E-GFF-NO-GENES': {
    subject: 'genes',
    cause: 'The annotation has features, and none of them is a gene.',
    cure: 'Upload an annotation with features of the type "gene".',
  },
  'W-GFF-NO-ID': {
    subject: 'genes',
    cause: 'A gene has neither an ID nor a name; it is left out.',
    cure: 'Give it an attribute ID.',
  },
  'W-GFF-DUP-ID': {
    subject: 'genes',
    cause: 'Two genes have the same ID; both are kept.',
    cure: 'Check how the annotation was put together.',
  },
  'W-NAME-CASE': {
    subject: 'name',
    cause: 'Two names of a file differ in upper and lower case only.',
    cure: 'Write them alike if they are one individual; otherwise give one of them another name.',
  },
  'W-NAME-FOLDED': {
    subject: 'name',
    cause: 'A name was matched although case, blanks or punctuation differ (NR 010004 and nr-010004).',
    cure: 'Confirm that both are the same line, or use one spelling.',
  },
  'W-NAME-UNKNOWN': {
    subject: 'name',
    cause: 'A name does not occur in the other file.',
    cure: 'Check the spelling against the suggestions, or leave the individual out.',
  },

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
    cause: 'The numbers fit no known coding (0/1/2, −1/0/1, 0/1).',
    cure: 'Recode the matrix to copies of one allele: 0, 1 or 2.',
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
  'E-GT-PLOIDY': {
    subject: 'genotype',
    cause: 'Calls have more than two alleles.',
    cure: 'Call the genotypes as diploid.',
  },
  'E-GT-PLOIDY-MIX': {
    subject: 'genotype',
    cause: 'One line has calls of different ploidy.',
    cure: 'Call all samples with the same ploidy.',
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
    cause: 'Markers have no chromosome and position.',
    cure: 'Add a linkage map or a map file when an analysis needs positions.',
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
  'I-GT-COUNTED': {
    subject: 'genotype',
    cause: 'The message names the allele that is counted.',
    cure: 'Nothing; effects and frequencies refer to that allele.',
  },

  'E-PH-DUP': {
    subject: 'phenotype',
    cause: 'An individual (or individual, trait and plot) occurs twice and nothing tells the rows apart.',
    cure: 'Remove one row, add design columns (environment, replicate, block), or average repeated rows.',
  },
  'W-PH-DUP': {
    subject: 'phenotype',
    cause: 'Repeated rows were averaged, or the later of two records was taken.',
    cure: 'Check the lines that the message names.',
  },
  'E-PH-DUP-TRAIT': {
    subject: 'phenotype',
    cause: 'Two traits have the same name apart from case.',
    cure: 'Rename one of them.',
  },
  'E-PH-NAME-EMPTY': {
    subject: 'phenotype',
    cause: 'A row has no individual.',
    cure: 'Fill in the name, or remove the row.',
  },
  'E-PH-NO-TRAIT': {
    subject: 'phenotype',
    cause: 'The file has no column of measurements.',
    cure: 'Add a column for each trait with one value per row.',
  },
  'E-PH-NOT-NUMBER': {
    subject: 'phenotype',
    cause: 'A value of a numeric trait is not a number.',
    cure: 'Correct it, or write NA when it is missing.',
  },
  'W-PH-CONSTANT': {
    subject: 'phenotype',
    cause: 'All individuals have the same value.',
    cure: 'Leave the trait out, or check the export.',
  },
  'W-PH-DISCONNECTED': {
    subject: 'phenotype',
    cause: 'Groups of individuals share no environment, so their difference mixes lines and environments.',
    cure: 'Analyse one group at a time, or add trials with common checks.',
  },
  'W-PH-FEW': {
    subject: 'phenotype',
    cause: 'A trait has fewer than 20 values.',
    cure: 'Add data before training on this trait.',
  },
  'W-PH-MISSING-CODE': {
    subject: 'phenotype',
    cause: 'A value such as −9 or −999 occurs repeatedly and lies far from the rest.',
    cure: 'Confirm that it means "missing", or correct the values.',
  },
  'W-PH-OUTLIER': {
    subject: 'phenotype',
    cause: 'Values lie more than six robust standard deviations from the median.',
    cure: 'Check them against the field book.',
  },
  'W-PH-UNMATCHED': {
    subject: 'phenotype',
    cause: 'Individuals are not in the germplasm list.',
    cure: 'Check the spelling, or add the lines.',
  },
  'W-PH-ENVIRONMENTS': {
    subject: 'phenotype',
    cause: 'Each line was seen in one environment only, so its value mixes line and environment.',
    cure: 'Take the environment as a covariate, or add checks that connect the environments.',
  },
  'W-PH-NOT-ESTIMABLE': {
    subject: 'phenotype',
    cause: 'The replicates or blocks of a line share no line with the rest: it cannot be compared and is left out.',
    cure: 'Check how its replicate is written, or remove the replicate column to compare it through its environment.',
  },
  'W-PH-NO-REPLICATES': {
    subject: 'phenotype',
    cause: 'Replicates or blocks cut the lines into small parts that share no line, and are left out of the model.',
    cure: 'Check the replicate and block columns: a number per plot is no replicate.',
  },
  'I-PH-AGGREGATED': {
    subject: 'phenotype',
    cause: 'Repeated observations were reduced to one adjusted mean per individual and trait.',
    cure: 'Nothing; the message names the model, and the means can be downloaded.',
  },

  'E-LM-NO-ID': {
    subject: 'linkage-map',
    cause: 'A marker has neither an id nor a chromosome and physical position.',
    cure: 'Fill in SNPid, or chr and physPos.',
  },
  'E-LM-NO-POS-COL': {
    subject: 'linkage-map',
    cause: 'The map has no column of map positions.',
    cure: 'Add linkMapPos in cM, or download the template of the genotype file.',
  },
  'E-LM-POS-MISSING': {
    subject: 'linkage-map',
    cause: 'Markers have no map position, or all positions are 0.',
    cure: 'Fill in the positions, or remove the rows.',
  },
  'E-LM-POS-NOT-NUMBER': {
    subject: 'linkage-map',
    cause: 'A map or physical position is not a number.',
    cure: 'Correct the number.',
  },
  'E-LM-NEGATIVE': {
    subject: 'linkage-map',
    cause: 'A position is negative.',
    cure: 'Count positions from the start of the chromosome.',
  },
  'E-LM-DUP-ID': {
    subject: 'linkage-map',
    cause: 'A marker occurs twice.',
    cure: 'Remove one of the rows.',
  },
  'E-LM-CHR-MISMATCH': {
    subject: 'linkage-map',
    cause: 'Map and genotype file place a marker on different chromosomes.',
    cure: 'Use the map that belongs to this genome version, and the same chromosome names.',
  },
  'E-LM-PHYS-MISMATCH': {
    subject: 'linkage-map',
    cause: 'Map and genotype file give a marker different physical positions.',
    cure: 'Use the map that belongs to this genome version, or leave out the physPos column.',
  },
  'E-LM-MISSING-MARKERS': {
    subject: 'linkage-map',
    cause: 'Markers of the genotype file are not on the map.',
    cure: 'Add them, interpolate their positions, or leave the markers out.',
  },
  'I-LM-BP-MADE': {
    subject: 'linkage-map',
    cause: 'The map has no physical positions; base pairs were made from its centimorgans for the output.',
    cure: 'Nothing, or add physPos to the map.',
  },
  'E-LM-UNIT': {
    subject: 'linkage-map',
    cause: 'The unit that was chosen for the map positions contradicts the header of the file.',
    cure: 'Leave the unit out, or correct the header.',
  },
  'W-LM-EXTRA': {
    subject: 'linkage-map',
    cause: 'The map has markers that the genotype file lacks.',
    cure: 'Nothing.',
  },
  'W-LM-GAP': {
    subject: 'linkage-map',
    cause: 'Two neighbouring markers lie more than 50 cM apart.',
    cure: 'Check the positions.',
  },
  'W-LM-ORDER': {
    subject: 'linkage-map',
    cause: 'The order by map position differs from the order by base pairs.',
    cure: 'Check the positions; an inversion or an assembly error can be the reason.',
  },
  'W-LM-UNIT': {
    subject: 'linkage-map',
    cause: 'The length of a chromosome suggests another unit than cM.',
    cure: 'Choose the unit, or correct the header.',
  },

  'E-CT-COLUMNS': {
    subject: 'crossing-table',
    cause: 'The columns of the parents were not recognised.',
    cure: 'Name them "female" and "male".',
  },
  'W-CT-COLUMNS': {
    subject: 'crossing-table',
    cause: 'The headers of the parents were not recognised, and the columns were taken by position.',
    cure: 'Check that the first column is the female and the second the male.',
  },
  'E-CT-EMPTY': {
    subject: 'crossing-table',
    cause: 'The table has no crosses.',
    cure: 'Add one row for each cross.',
  },
  'E-CT-PARENT-MISSING': {
    subject: 'crossing-table',
    cause: 'A cross has no female or no male parent.',
    cure: 'Fill in both parents. Selfings and doubled haploids need only the female.',
  },
  'E-CT-PARENT-UNKNOWN': {
    subject: 'crossing-table',
    cause: 'A parent is not in the genotype file.',
    cure: 'Correct the name, or genotype the parent.',
  },
  'E-CT-DUP-NAME': {
    subject: 'crossing-table',
    cause: 'Two crosses of different parents have the same name.',
    cure: 'Give each cross its own name, or leave the names empty.',
  },
  'E-CT-BAD-N': {
    subject: 'crossing-table',
    cause: 'The number of progeny is not a positive whole number.',
    cure: 'Write a whole number, or leave the cell empty.',
  },
  'E-CT-TYPE': {
    subject: 'crossing-table',
    cause: 'The type of a cross is unknown, or does not fit its parents.',
    cure: 'Use one of the types listed for crossing tables.',
  },
  'W-CT-DUP-PAIR': {
    subject: 'crossing-table',
    cause: 'A cross of the same parents occurs twice and was kept once.',
    cure: 'Remove the row, or raise the number of progeny of the first.',
  },
  'W-CT-RECIPROCAL': {
    subject: 'crossing-table',
    cause: 'A cross occurs in both directions.',
    cure: 'Remove one if the direction does not matter.',
  },
  'W-CT-SELF': {
    subject: 'crossing-table',
    cause: 'An individual is crossed with itself.',
    cure: 'Set the type to "self" or "DH" if this is meant.',
  },
  'W-CT-EXISTING': {
    subject: 'crossing-table',
    cause: 'The pedigree already has progeny of these parents.',
    cure: 'Remove the cross unless it is to be made again.',
  },

  'E-GP-NAME-EMPTY': { subject: 'germplasm', cause: 'A row has no name.', cure: 'Fill it in, or remove the row.' },
  'E-GP-CROP': {
    subject: 'germplasm',
    cause: 'A row names another crop.',
    cure: 'Upload the line to the list of its own crop.',
  },
  'E-GP-DUP-NAME': {
    subject: 'germplasm',
    cause: 'A name occurs twice with different content.',
    cure: 'Keep one of the rows.',
  },
  'E-GP-CYCLE': {
    subject: 'germplasm',
    cause: 'A line is its own ancestor; the message spells out the loop.',
    cure: 'Correct one of the parents in the loop.',
  },
  'E-GP-SELF-PARENT': {
    subject: 'germplasm',
    cause: 'A line is given as its own parent.',
    cure: 'Correct the parent, or leave it empty when it is unknown.',
  },
  'E-GP-PARENT-UNKNOWN': {
    subject: 'germplasm',
    cause: 'A parent is neither in the file nor in the crop.',
    cure: 'Correct the name, add the parent, or let unknown parents be created as founders.',
  },
  'E-GP-SYN-TAKEN': {
    subject: 'germplasm',
    cause: 'A synonym is the name or a synonym of another line.',
    cure: 'Remove the synonym from one of them.',
  },
  'E-GP-SYN-SELF': {
    subject: 'germplasm',
    cause: 'A synonym equals the name of its line and was left out.',
    cure: 'Nothing.',
  },
  'W-GP-BOTH-SAME': {
    subject: 'germplasm',
    cause: 'Both parents are the same line; the line is taken as selfed.',
    cure: 'Confirm, or correct one parent.',
  },
  'W-GP-FOUNDER-ONLY': {
    subject: 'germplasm',
    cause: 'One founder is a parent of nearly everything and looks like a code for "unknown".',
    cure: 'Leave unknown parents empty.',
  },
  'W-GP-NEAR-DUP': {
    subject: 'germplasm',
    cause: 'Two names differ only in case, blanks or punctuation.',
    cure: 'Use one spelling, or confirm that they are different lines.',
  },
  'W-GP-PARENT-CHANGE': {
    subject: 'germplasm',
    cause: 'The file gives a stored line other parents.',
    cure: 'Check which parents are right before overwriting.',
  },
  'I-GP-SYNONYM': {
    subject: 'germplasm',
    cause: 'A row names a stored line by one of its synonyms.',
    cure: 'Nothing, unless it is another line.',
  },
  'E-PED-PURDY': {
    subject: 'germplasm',
    cause:
      'A pedigree string cannot be read: a bracket is open, a parent is missing, or it is not said which cross came first.',
    cure: 'Write crosses as A/B//C/3/D and backcrosses as A*2/B.',
  },
  'E-PED-CLONE': {
    subject: 'germplasm',
    cause: 'A clone has two different parents.',
    cure: 'Give the one plant that it was taken from.',
  },
  'W-PED-NO-CROSS': {
    subject: 'germplasm',
    cause: 'A pedigree string names one plant and no cross.',
    cure: 'Write the cross, or give the plant as a parent with the type of cross.',
  },
  'I-PED-CROSS': {
    subject: 'germplasm',
    cause: 'Crosses in between were created from pedigree strings.',
    cure: 'Nothing to do.',
  },
  'I-GP-FOUNDER': {
    subject: 'germplasm',
    cause: 'A parent was created as a founder.',
    cure: 'Nothing, unless it is a misspelled name.',
  },

  'E-KIN-ROWS': {
    subject: 'kinship',
    cause: 'The file is not square: its rows and columns do not name the same individuals.',
    cure: 'Write one row and one column for each individual, as heterosis kinship does.',
  },
  'E-KIN-NAME': {
    subject: 'kinship',
    cause: 'A row or a column has no name, or one that is not allowed.',
    cure: 'Name every row and column.',
  },
  'E-KIN-DUP': {
    subject: 'kinship',
    cause: 'An individual occurs twice.',
    cure: 'Remove one of its rows and columns.',
  },
  'E-KIN-VALUE': {
    subject: 'kinship',
    cause: 'A kinship is not a number.',
    cure: 'Correct it; no value may be missing.',
  },
  'E-KIN-ASYMMETRIC': {
    subject: 'kinship',
    cause: 'The kinship of A with B differs from that of B with A.',
    cure: 'Write a symmetric matrix.',
  },
  'W-KIN-MISSING': {
    subject: 'kinship',
    cause: 'Individuals with a phenotype are not in the kinship file and are left out.',
    cure: 'Add them to the kinship, or leave them out on purpose.',
  },

  'E-EF-COLUMNS': {
    subject: 'effects',
    cause: 'The effects file lacks marker, effect_allele or a column of additive effects.',
    cure: 'Use the columns marker, effect_allele, TRAIT_additive and, if wanted, TRAIT_dominance.',
  },
  'E-EF-DUP-MARKER': { subject: 'effects', cause: 'A marker occurs twice.', cure: 'Remove one of the rows.' },
  'E-EF-NOT-NUMBER': { subject: 'effects', cause: 'An effect is not a number.', cure: 'Correct it.' },

  'E-FO-COLUMNS': {
    subject: 'folds',
    cause: 'The folds file lacks the individual or the columns of the repetitions.',
    cure: 'Use the file that an evaluation writes as a template.',
  },
  'E-FO-DUP': { subject: 'folds', cause: 'An individual occurs twice.', cure: 'Remove one of the rows.' },
  'E-FO-NOT-FOLD': {
    subject: 'folds',
    cause: 'A fold is not a positive whole number.',
    cure: 'Write the number of the fold.',
  },
  'W-FO-NO-FOLD': {
    subject: 'folds',
    cause: 'Individuals have no fold and were left out.',
    cure: 'Add them to the folds file.',
  },
  'W-CV-NO-R': {
    subject: 'evaluation',
    cause: 'The correlation of a fold is undefined because its values or predictions do not vary.',
    cure: 'Use fewer folds, or check the trait.',
  },

  'W-PH-NO-POS': {
    subject: 'phasing',
    cause: 'Markers without a position cannot be phased and were left out.',
    cure: 'Add positions or a linkage map.',
  },
  'W-PH-NO-CALLS': { subject: 'phasing', cause: 'Markers without any call were left out.', cure: 'Nothing.' },
  'W-PH-DUP-POS': {
    subject: 'phasing',
    cause: 'Of several markers at one position only the first was phased.',
    cure: 'Nothing, or keep the marker that you trust most.',
  },
  'W-PH-SINGLE': {
    subject: 'phasing',
    cause: 'A chromosome has a single marker and cannot be phased.',
    cure: 'Nothing; the calls are written as they are.',
  },
  'W-PH-STILL-MISSING': {
    subject: 'phasing',
    cause: 'Some calls are missing after phasing.',
    cure: 'Check the call rate of the markers that the message names.',
  },

  'W-COVARIATE-CODE': {
    subject: 'gwas',
    cause: 'A numeric covariate has few distinct whole numbers and may be a code for groups.',
    cure: 'Say whether it is a number or a factor: --covariate NAME:numeric or NAME:factor.',
  },
  'W-GWAS-COVARIATE': {
    subject: 'gwas',
    cause: 'A covariate is constant, or a combination of the others, and was dropped.',
    cure: 'Leave it out.',
  },
  'W-GWAS-GROUP-OF-ONE': {
    subject: 'gwas',
    cause: 'A group of a covariate has one individual, which then tells nothing about markers.',
    cure: 'Merge small groups, or accept that the individual does not count.',
  },
  'W-EX-MARKER-UNKNOWN': {
    subject: 'export',
    cause: 'Markers of the list are not in the genotype file.',
    cure: 'Check their ids.',
  },

  'E-CLI-COMMAND': {
    subject: 'command-line',
    cause: 'The command does not exist.',
    cure: 'See heterosis --help.',
  },
  'E-CLI-OPTION': {
    subject: 'command-line',
    cause: 'An option is unknown, given twice, or does not go with another one.',
    cure: 'See the --help of the command.',
  },
  'E-CLI-MISSING': {
    subject: 'command-line',
    cause: 'A required option is missing.',
    cure: 'Add it; --help lists the required ones first.',
  },
  'E-CLI-VALUE': {
    subject: 'command-line',
    cause: 'The value of an option is out of range or not allowed.',
    cure: 'Use a value that --help lists.',
  },
  'E-CLI-SAME-FILE': {
    subject: 'command-line',
    cause: 'Two options name the same file.',
    cure: 'Write each output to its own file, and never over an input.',
  },
  'E-FILE-ENOENT': { subject: 'command-line', cause: 'The file or folder does not exist.', cure: 'Check the path.' },
  'E-FILE-EACCES': {
    subject: 'command-line',
    cause: 'The file may not be read or written.',
    cure: 'Check its permissions.',
  },
  'E-FILE-EISDIR': {
    subject: 'command-line',
    cause: 'The path is a folder, not a file.',
    cure: 'Name a file.',
  },
};
