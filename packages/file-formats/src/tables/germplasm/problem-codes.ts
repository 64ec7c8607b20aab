import type { ProblemCode } from '../../problem-subjects.ts';

/** Codes of findings about germplasm and its pedigrees. */
export const GERMPLASM_PROBLEM_CODES: Readonly<Record<string, ProblemCode>> = {
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
  'E-GP-GENERATION': {
    subject: 'germplasm',
    cause: 'A generation is a number that no plant has: negative, broken, or above 100.',
    cure: 'Write F5, S3 or the number of generations of selfing, or leave the cell empty.',
  },
  'W-GP-GENERATION': {
    subject: 'germplasm',
    cause: 'Generations are written in words that are not known; they are kept as attributes.',
    cure: 'Write F5, S3, RIL or the number of generations of selfing, where relationships are to count it.',
  },
  'W-GP-CROSS-TYPE': {
    subject: 'germplasm',
    cause: 'Types of cross are written in words that are not known; they are kept as attributes.',
    cure: 'Write cross, backcross, self, DH, clone or open, where relationships are to count it.',
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
  'W-GP-ANCEST': {
    subject: 'germplasm',
    cause: 'ANCEST names no cross of two known lines; it is kept as an attribute.',
    cure: 'Add the parents to the list or the file, or give them in columns of their own.',
  },
  'I-GP-ANCEST': {
    subject: 'germplasm',
    cause: 'Parents were read from ANCEST, as passport data writes them.',
    cure: 'Nothing, unless they are not the parents.',
  },
  'I-GP-SYNONYM': {
    subject: 'germplasm',
    cause: 'A row names a stored line by one of its synonyms.',
    cure: 'Nothing, unless it is another line.',
  },
  'E-COL-FEMALE': {
    subject: 'germplasm',
    cause: 'No column is known to hold the female parent, and the header of one speaks of it in other words.',
    cure: 'Say whether the column holds the female parent, or call it "female".',
  },
  'E-COL-MALE': {
    subject: 'germplasm',
    cause: 'No column is known to hold the male parent, and the header of one speaks of it in other words.',
    cure: 'Say whether the column holds the male parent, or call it "male".',
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
};
