import type { ProblemCode } from '../problem-subjects.ts';
import { GERMPLASM_PROBLEM_CODES } from './germplasm/problem-codes.ts';

/** Codes of findings about tables: phenotypes, linkage maps, crosses, germplasm, kinships and marker effects. */
export const TABLE_PROBLEM_CODES: Readonly<Record<string, ProblemCode>> = {
  'E-EN-NAME': {
    subject: 'entries',
    cause: 'The list of entries has no column with their names, or a row has no name.',
    cure: 'Name the column "name", and fill in every name.',
  },
  'E-EN-DUP': {
    subject: 'entries',
    cause: 'An entry stands twice in the list.',
    cure: 'Keep one row, and write in a column "replicates" how often it is grown.',
  },
  'E-EN-REPLICATES': {
    subject: 'entries',
    cause: 'A number of replicates is not a whole number from 1 to 1,000.',
    cure: 'Correct it, or leave the cell empty.',
  },
  'E-PV-PLOT': {
    subject: 'plot-values',
    cause: 'No column says of which plot of the trial a value is.',
    cure: 'Name a column "plot" (number or name), "plot_id", or two columns "row" and "column".',
  },
  'E-PV-TRAIT': {
    subject: 'plot-values',
    cause: 'The file has no column of values.',
    cure: 'Add a column for each trait, or two columns "trait" and "value".',
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
  'W-PH-TRUE': {
    subject: 'phenotype',
    cause: 'TRUE or FALSE, which are read as 1 and 0, stand among other numbers.',
    cure: 'Write the number that is meant, or leave the cell empty.',
  },
  'W-PH-FEW': {
    subject: 'phenotype',
    cause: 'A trait has fewer than 20 values.',
    cure: 'Add data before training on this trait.',
  },
  'E-PH-MISSING-CODE': {
    subject: 'phenotype',
    cause:
      'A value such as −9, 999 or n.b. may mean "missing": it recurs and stands alone in sign or magnitude, or is a word among numbers.',
    cure: 'Say whether it means "missing" or is a value. The answer is kept with the file.',
  },
  'I-PH-MISSING-CODE': {
    subject: 'phenotype',
    cause: 'A value was read as missing because a person said so.',
    cure: 'Nothing, if it means "missing" in all the traits that the message names.',
  },
  'I-LEFT-OUT': {
    subject: 'file',
    cause: 'Rows or cells of a table were not read because a person left them out.',
    cure: 'Nothing if that is right; otherwise choose "Read them again".',
  },
  'W-PH-DATE': {
    subject: 'phenotype',
    cause: 'A trait holds dates, which are no numbers.',
    cure: 'Choose days after sowing, or days of the year.',
  },
  'E-PH-DATE-ORDER': {
    subject: 'phenotype',
    cause: 'Dates such as 01/02/2025 can be two days, and no date of the file tells which.',
    cure: 'Say whether the day or the month comes first.',
  },
  'E-PH-NOT-DATE': {
    subject: 'phenotype',
    cause: 'A value of a trait of dates is no date that exists.',
    cure: 'Write it as 2025-07-15, or leave the cell empty.',
  },
  'E-PH-SOWING': {
    subject: 'phenotype',
    cause: 'Days after sowing were chosen, and the date of sowing is not known, for the file or for some rows.',
    cure: 'Give the date, say which column has it, or choose days of the year.',
  },
  'W-PH-DATE-FAR': {
    subject: 'phenotype',
    cause: 'Dates lie before sowing, or more than 400 days after it.',
    cure: 'Check the dates; a file of several seasons needs a column with the date of sowing of each row.',
  },
  'W-PH-NO-NUMERIC': {
    subject: 'phenotype',
    cause: 'No column is a trait with numbers.',
    cure: 'Add measured values, say what the columns hold, or check the file as another type.',
  },
  'W-PH-OUTLIER': {
    subject: 'phenotype',
    cause: 'Values lie more than six robust standard deviations from the median.',
    cure: 'Check them against the field book.',
  },
  'E-TR-PLACE': {
    subject: 'phenotype',
    cause: 'Two plots of a trial stand at one place: the same row and column, and the same replicate.',
    cure: 'Correct the row or column of one of them.',
  },
  'E-TR-COORDINATE': {
    subject: 'phenotype',
    cause: 'The row or column of a plot is missing or no number, where other plots have one.',
    cure: 'Give every plot its row and column as numbers, or ignore the column.',
  },
  'E-TR-BLOCK': {
    subject: 'phenotype',
    cause: 'A block belongs to two replicates, where the other blocks belong to one.',
    cure: 'Correct the replicate or the block of the plots named.',
  },
  'E-TR-ONE-LINE': {
    subject: 'phenotype',
    cause: 'Fewer than two lines of an environment have a value of the trait.',
    cure: 'Leave the environment out, or add its other lines.',
  },
  'E-TR-CONSTANT': {
    subject: 'phenotype',
    cause: 'All plots of an environment have the same value of the trait.',
    cure: 'Leave the environment or the trait out, or check the export.',
  },
  'W-TR-EMPTY': {
    subject: 'phenotype',
    cause: 'A trait was not measured in one of the environments of a trial analysis.',
    cure: 'Nothing if that is right.',
  },
  'W-TR-FILLER': {
    subject: 'phenotype',
    cause: 'A line stands on filler or border plots only.',
    cure: 'Nothing, when it is filler; otherwise mark its plots as entries.',
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
  'E-LM-TOO-FAR': {
    subject: 'linkage-map',
    cause: 'A position is larger than the end of any chromosome.',
    cure: 'Correct the number, or check which column holds the positions.',
  },
  'W-LM-NO-ID': {
    subject: 'linkage-map',
    cause: 'The map has no column with the names of the markers; chromosome and physical position name them.',
    cure: 'Nothing if this is right; otherwise call the column with the names "SNPid".',
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

  ...GERMPLASM_PROBLEM_CODES,
  'E-MN-VALUE': {
    subject: 'means',
    cause: 'A mean is not a number.',
    cure: 'Correct it, or leave the cell empty.',
  },
  'E-MN-SE': {
    subject: 'means',
    cause: 'A standard error is not a number above 0.',
    cure: 'Correct it, or leave the cell empty.',
  },
  'E-MN-DUP': {
    subject: 'means',
    cause: 'A line has two means of a trait in one environment.',
    cure: 'Keep one of them.',
  },
  'W-MN-UNRELATED': {
    subject: 'means',
    cause: 'Lines with means are not in the genotype, pedigree or kinship, and are left out.',
    cure: 'Add them there, or check their names.',
  },
  'W-MN-LINKS': {
    subject: 'means',
    cause: 'Groups of environments share no line, and are compared by relationships alone.',
    cure: 'OK if this is right; otherwise check the names of the lines.',
  },
  'E-CV-VALUE': {
    subject: 'means',
    cause: 'A covariance is not a number.',
    cure: 'Correct it.',
  },
  'E-CV-VARIANCE': {
    subject: 'means',
    cause: 'The variance of a mean is 0 or negative.',
    cure: 'Correct it, or leave the line out.',
  },
  'E-CV-LINES': {
    subject: 'means',
    cause: 'Lines with a mean are not in the covariance: it is that of other lines, or names differ.',
    cure: 'Take both files from the same analysis.',
  },
  'E-CV-DUP': {
    subject: 'means',
    cause: 'A pair of lines has two covariances.',
    cure: 'Keep one of them.',
  },
  'E-CV-GAP': {
    subject: 'means',
    cause: 'The covariance of a pair of means is missing.',
    cure: 'Give all pairs of an environment, or no covariance.',
  },
  'W-CV-SE': {
    subject: 'means',
    cause: 'A variance is not the square of the standard error of its mean.',
    cure: 'Take both files from the same analysis.',
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

  'E-SM-SCHEME': {
    subject: 'programme',
    cause:
      'A stage of a scheme lacks a field, has an unknown one, or asks for a population, column or model not yet made.',
    cure: 'The message names the stage and the field.',
  },
  'E-SM-ARCHITECTURE': {
    subject: 'programme',
    cause: 'An architecture of traits lacks a field, or has an unknown one or a number out of its range.',
    cure: 'The message names the field.',
  },
  'E-SM-OPTIMISE': {
    subject: 'programme',
    cause:
      'A search of numbers lacks a field, or names a number that the scheme has not, or a budget that pays nothing.',
    cure: 'The message names the field.',
  },
  'E-SM-COLUMNS': {
    subject: 'programme',
    cause: 'Haplotypes, map, effects or intercepts lack a column or a row.',
    cure: 'The message names an example of a header.',
  },
  'E-SM-LOCUS': {
    subject: 'programme',
    cause: 'Loci of the map have no alleles, or loci with effects no place on the map.',
    cure: 'Check the names of the loci.',
  },
  'E-SM-ALLELE': { subject: 'programme', cause: 'An allele is neither 0 nor 1.', cure: 'Fill in missing alleles.' },
  'E-SM-DUP': { subject: 'programme', cause: 'A locus stands twice.', cure: 'Keep one of the rows.' },
  'E-SM-NOT-NUMBER': {
    subject: 'programme',
    cause: 'A position, an effect or an intercept is not a number.',
    cure: 'Write a number.',
  },
};
