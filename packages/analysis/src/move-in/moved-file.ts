import type { ChosenFileType } from '@heterosis/file-formats/file-kinds';
import type { FileProblem } from '@heterosis/file-formats/problem';
import type { LeftBehind, Mapped } from './tables.ts';

/** What is in a file, by a word: `{ lines: 20, values: 80 }`. */
export type Counts = Record<string, number>;

/** What a made file is uploaded as: a type of file, or the germplasm list. */
export type MadeType = ChosenFileType | 'GERMPLASM';

/** A file that comes in: made here, or one of the folder as it is. */
export interface Made {
  path: string;
  type: MadeType;
  /** What our reader finds in it; empty when it refuses the file. */
  counts: Counts;
  problems: FileProblem[];
  isUsable: boolean;
  /** False for a table that nothing tells to be of this type: somebody has to look before it is sent. */
  isSure: boolean;
  /** What the server said of it; absent while it was not sent. */
  sent?: string;
}

/** What became of a file of the folder. */
export interface MovedFile {
  /** Path within the folder. */
  file: string;
  takenFor: string;
  made: Made[];
  left: LeftBehind[];
  /** Another file of the folder with which it came in. */
  cameWith?: string;
  /** What to do; empty when nothing. */
  advice: string[];
}

/** A table of plots that names the line of each. */
export interface NamedPlots {
  file: string;
  plots: Mapped;
}
