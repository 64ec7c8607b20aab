import type { Board, BoardTask } from './board.ts';

/** Descent of the lines and their ancestors, by place. */
export interface DescentTask {
  maternal: Int32Array;
  paternal: Int32Array;
  selfings: Float64Array;
  /** Place of each line; −1: without descent, unrelated to all. */
  lines: Int32Array;
}

/** What the thread is given, and what it makes of it. */
export interface LinesTask {
  board: BoardTask;
  descent: DescentTask | null;
}
export interface LinesComputed {
  board: Board;
  /** Lower triangle with the diagonal, by rows. */
  relationships: Float32Array | null;
}
