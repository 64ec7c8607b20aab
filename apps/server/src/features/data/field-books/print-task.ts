import type { FieldBookQuery, LabelsQuery } from '@heterosis/contracts/data/field-books';
import type { PrintedTrial } from './printed-trial.ts';

/** What the thread that prints is given. */
export type PrintTask =
  | { what: 'book'; printed: PrintedTrial; query: FieldBookQuery }
  | { what: 'labels'; printed: PrintedTrial; query: LabelsQuery };
