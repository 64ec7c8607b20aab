import { GENOTYPE_PROBLEM_CODES } from './genotype/problem-codes.ts';
import type { ProblemCode } from './problem-subjects.ts';
import { TABLE_PROBLEM_CODES } from './tables/problem-codes.ts';

/**
 * Every code that a finding may carry, with what usually causes it and what cures it. Those of genotype files and of
 * tables are written beside their readers. `docs/formats.md` is generated from this table, and `npm run check` compares
 * it with the codes that the sources use. The first letter is the severity: E (error, blocks saving), W (warning, to be
 * reviewed), I (information).
 */
export const PROBLEM_CODES: Readonly<Record<string, ProblemCode>> = {
  'E-EMPTY': {
    subject: 'file',
    cause: 'The file has no bytes, or a header and no rows.',
    cure: 'Export the data again and check that the rows are there.',
  },
  'E-ENCODING': {
    subject: 'file',
    cause: 'The file, or a cell of a workbook, contains codes that no text has, such as NUL: it is binary or damaged.',
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
  'I-PROGRAM': {
    subject: 'file',
    cause: 'The header is one that Breedbase, BMS or Germinate writes; columns that mean nothing here were left out.',
    cure: 'Nothing, if this is right; otherwise say what the columns hold.',
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
  'E-WORKBOOK': {
    subject: 'file',
    cause:
      'The workbook contradicts itself: cells at no place, or twice, texts or styles that it lacks, XML that ends early.',
    cure: 'Open it in a spreadsheet program, check what that repairs, and save it anew.',
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
  'E-LO-UNKNOWN': {
    subject: 'name',
    cause: 'A list of individuals or markers to leave out, or to keep, names one that the genotype lacks.',
    cure: 'Check the spelling against the suggestion, or take the name off the list.',
  },
  'E-GFF-COLUMNS': {
    subject: 'genes',
    cause: 'A row does not have the nine columns of GFF3, separated by tabs, or its chromosome or strand is none.',
    cure: 'Export the annotation again; do not edit it in a spreadsheet.',
  },
  'E-GFF-POSITION': {
    subject: 'genes',
    cause:
      'Start or end of a gene is not a whole number from 1, the end is before the start, or beyond any chromosome.',
    cure: 'Correct the positions.',
  },
  'E-GFF-NO-GENES': {
    subject: 'genes',
    cause: 'The annotation has features, and none of them is a gene.',
    cure: 'Upload an annotation with features of the type "gene".',
  },
  'W-GFF-ATTRIBUTE': {
    subject: 'genes',
    cause: 'A gene has two different values of one attribute; the first counts.',
    cure: 'Check which is right. Several values of one attribute are written with commas between them.',
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
  'W-GWAS-UNPLACED': {
    subject: 'gwas',
    cause:
      'Markers have no chromosome. With --loco they are tested with the kinship of all markers, and the kinships for other markers leave them out.',
    cure: 'Place them with --map, or leave them out with --leave-out-markers.',
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
  'E-CLI-BENCHMARK': {
    subject: 'command-line',
    cause: 'A comparison could not be made: a command of it failed, or no trait of the file is in the published table.',
    cure: 'Read what the command says, or name the traits as the table does.',
  },
  'E-CLI-LOGIN': {
    subject: 'command-line',
    cause: 'There is no access token for the server.',
    cure: 'Run heterosis login, or set HETEROSIS_SERVER and HETEROSIS_TOKEN.',
  },
  'E-CLI-SERVER': {
    subject: 'command-line',
    cause: 'The server cannot be reached, or refuses; its own sentence follows.',
    cure: 'Do what the sentence says.',
  },
  'E-CLI-RUN': {
    subject: 'command-line',
    cause: 'A run on the server has failed, or it cannot use a file.',
    cure: 'The reason and the findings stand beside it.',
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

  ...GENOTYPE_PROBLEM_CODES,
  ...TABLE_PROBLEM_CODES,
};
