/** Where plots lie, and which lines are to be kept apart. */
export interface SpreadModel {
  lines: number;
  /** Line of each plot, n; negative: none. Shared with the exchange, which changes it. */
  lineOf: Int32Array;
  /** Of each plot, from 0. */
  row: Int32Array;
  column: Int32Array;
  /** Family of each line, v; negative: none. */
  familyOf?: Int32Array;
  /** Block of each plot, over which families are spread; negative: none. */
  block?: Int32Array;
}

/** Penalty of a pair of plots, as a share of the average variance of a difference. */
export interface SpreadWeights {
  /** Adjacent plots of one line. */
  neighbour: number;
  /** Plots of one line in one row or column of the field. */
  shared: number;
  /** Adjacent plots of one family. */
  familyNeighbour: number;
  /** Plots of one family in one block. */
  familyBlock: number;
}

/** Counts the pairs of plots of one line or family that lie together, and what an exchange does to the penalty. */
export class Spread {
  private readonly model: SpreadModel;
  private readonly weights: SpreadWeights;
  /** Up to four adjacent plots of each, −1 where there is none. */
  private readonly beside: Int32Array;
  private readonly rows: number;
  private readonly columns: number;
  private readonly blocks: number;
  private readonly inRow: Int16Array;
  private readonly inColumn: Int16Array;
  private readonly familyInBlock: Int16Array;

  constructor(model: SpreadModel, weights: SpreadWeights) {
    this.model = model;
    this.weights = weights;
    const { row, column, lines, familyOf, block } = model;
    const most = (values: Int32Array): number => values.reduce((top, value) => Math.max(top, value), -1) + 1;
    this.rows = most(row);
    this.columns = most(column);
    this.blocks = block === undefined ? 0 : most(block);
    const plotAt = new Map(Array.from(row, (r, plot) => [r * this.columns + column[plot], plot]));
    this.beside = new Int32Array(4 * row.length).fill(-1);
    row.forEach((r, plot) => {
      const c = column[plot];
      const places = [
        [r - 1, c],
        [r + 1, c],
        [r, c - 1],
        [r, c + 1],
      ];
      places.forEach(([y, x], k) => {
        if (x >= 0 && x < this.columns) this.beside[4 * plot + k] = plotAt.get(y * this.columns + x) ?? -1;
      });
    });
    this.inRow = new Int16Array(lines * this.rows);
    this.inColumn = new Int16Array(lines * this.columns);
    this.familyInBlock = new Int16Array(familyOf === undefined ? 0 : most(familyOf) * this.blocks);
    this.recount();
  }

  /** Counts afresh, after lines were moved without {@link exchanged}. */
  recount(): void {
    this.inRow.fill(0);
    this.inColumn.fill(0);
    this.familyInBlock.fill(0);
    for (let plot = 0; plot < this.model.lineOf.length; plot++) this.count(plot, 1);
  }

  /** What the penalty would change by. */
  change(a: number, b: number): number {
    const { lineOf, row, column } = this.model;
    const [i, j] = [lineOf[a], lineOf[b]];
    if (i === j) return 0;
    const { neighbour, shared, familyNeighbour, familyBlock } = this.weights;
    let sum = 0;
    if (neighbour > 0) {
      const pairs = this.sameBeside(a, b, j) + this.sameBeside(b, a, i) - this.sameBeside(a, b, i);
      sum += neighbour * (pairs - this.sameBeside(b, a, j));
    }
    if (shared > 0) {
      if (row[a] !== row[b]) sum += shared * this.moved(this.inRow, this.rows, [i, j], [row[a], row[b]]);
      if (column[a] !== column[b])
        sum += shared * this.moved(this.inColumn, this.columns, [i, j], [column[a], column[b]]);
    }
    if (this.model.familyOf !== undefined && (familyNeighbour > 0 || familyBlock > 0)) {
      const families = [i < 0 ? -1 : this.model.familyOf[i], j < 0 ? -1 : this.model.familyOf[j]] as const;
      if (families[0] !== families[1]) sum += this.familyChange([a, b], families);
    }
    return sum;
  }

  /** After the lines of two plots were exchanged. */
  exchanged(a: number, b: number): void {
    const { lineOf } = this.model;
    const swap = () => {
      const line = lineOf[a];
      lineOf[a] = lineOf[b];
      lineOf[b] = line;
    };
    swap();
    this.count(a, -1);
    this.count(b, -1);
    swap();
    this.count(a, 1);
    this.count(b, 1);
  }

  /** Pairs of adjacent plots. */
  neighbours(): { sameEntry: number; sameFamily: number } {
    const { lineOf, familyOf } = this.model;
    let [sameEntry, sameFamily] = [0, 0];
    lineOf.forEach((line, plot) => {
      if (line < 0) return;
      sameEntry += this.sameBeside(plot, -1, line);
      if (familyOf !== undefined && familyOf[line] >= 0) sameFamily += this.familyBeside(plot, -1, familyOf[line]);
    });
    return { sameEntry: sameEntry / 2, sameFamily: sameFamily / 2 };
  }

  /** Pairs of plots of one line in one row, and in one column. */
  sharedLines(): { rows: number; columns: number } {
    const pairs = (counts: Int16Array): number => counts.reduce((sum, count) => sum + (count * (count - 1)) / 2, 0);
    return { rows: pairs(this.inRow), columns: pairs(this.inColumn) };
  }

  private count(plot: number, by: number): void {
    const { lineOf, row, column, familyOf, block } = this.model;
    const line = lineOf[plot];
    if (line < 0) return;
    this.inRow[line * this.rows + row[plot]] += by;
    this.inColumn[line * this.columns + column[plot]] += by;
    if (familyOf === undefined || block === undefined || familyOf[line] < 0 || block[plot] < 0) return;
    this.familyInBlock[familyOf[line] * this.blocks + block[plot]] += by;
  }

  /** Plots of a line beside a plot, without one of them. */
  private sameBeside(plot: number, without: number, line: number): number {
    if (line < 0) return 0;
    let count = 0;
    for (let k = 4 * plot; k < 4 * plot + 4; k++) {
      const other = this.beside[k];
      if (other >= 0 && other !== without && this.model.lineOf[other] === line) count++;
    }
    return count;
  }

  private familyBeside(plot: number, without: number, family: number): number {
    const { lineOf, familyOf } = this.model;
    if (family < 0 || familyOf === undefined) return 0;
    let count = 0;
    for (let k = 4 * plot; k < 4 * plot + 4; k++) {
      const other = this.beside[k];
      if (other >= 0 && other !== without && lineOf[other] >= 0 && familyOf[lineOf[other]] === family) count++;
    }
    return count;
  }

  private familyChange([a, b]: readonly [number, number], [f, g]: readonly [number, number]): number {
    const { block } = this.model;
    const before = this.familyBeside(a, b, f) + this.familyBeside(b, a, g);
    const after = this.familyBeside(a, b, g) + this.familyBeside(b, a, f);
    const isMoved = block !== undefined && block[a] !== block[b] && block[a] >= 0 && block[b] >= 0;
    const pairs = isMoved ? this.moved(this.familyInBlock, this.blocks, [f, g], [block[a], block[b]]) : 0;
    return this.weights.familyNeighbour * (after - before) + this.weights.familyBlock * pairs;
  }

  /** Pairs that are won by moving one of `i` from `from` to `to`, and one of `j` back. */
  private moved(
    counts: Int16Array,
    width: number,
    [i, j]: readonly [number, number],
    [from, to]: readonly [number, number],
  ): number {
    const ofI = i < 0 ? 0 : counts[i * width + to] - counts[i * width + from] + 1;
    const ofJ = j < 0 ? 0 : counts[j * width + from] - counts[j * width + to] + 1;
    return ofI + ofJ;
  }
}
