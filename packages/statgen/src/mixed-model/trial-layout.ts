import { StatgenError } from '../statgen-error.ts';

/** Observations of one trait in field trials; arrays of equal length without missing values. */
export interface TrialRecords {
  /** 0-based line of each observation. */
  line: Int32Array;
  /** 0-based cell of the design: a replicate or block of an environment, or the environment itself. */
  cell: Int32Array;
  value: Float64Array;
  lineCount: number;
  cellCount: number;
  /** Environment of each cell. */
  environmentOfCell: Int32Array;
  /** One flag per line, 1 = its effect is fixed (a check); null when all are random. */
  isFixedLine: Uint8Array | null;
}

/**
 * Observations sorted by line and, within a line, by environment. A pair is all observations of one line in one
 * environment. Each cell and each check has a column of fixed effects; the columns are linearly independent.
 */
export interface TrialLayout {
  n: number;
  /** Columns of X. */
  columns: number;
  value: Float64Array;
  /** Column of the cell of each observation. */
  cell: Int32Array;
  /** Observations of pair p: pairStart[p] … pairStart[p + 1] − 1. */
  pairStart: Int32Array;
  /** Pairs of line i: lineStart[i] … lineStart[i + 1] − 1. */
  lineStart: Int32Array;
  /** 1 = the effect of the line is random. */
  isRandom: Uint8Array;
  /** Column of each line that is a check; −1 for the others. */
  checkColumn: Int32Array;
  /** Distinct columns of pair p with their counts: entries entryStart[p] … entryStart[p + 1] − 1. */
  entryStart: Int32Array;
  entryColumn: Int32Array;
  entryCount: Float64Array;
  /** Index of an entry's column among the columns of its line. */
  entryPlace: Int32Array;
  /** Distinct columns of line i: lineColumnStart[i] … lineColumnStart[i + 1] − 1. */
  lineColumnStart: Int32Array;
  lineColumn: Int32Array;
}

/** @throws StatgenError `shape-mismatch`, `not-finite` */
export function layOutTrial(records: TrialRecords): TrialLayout {
  const n = records.value.length;
  if (
    records.line.length !== n ||
    records.cell.length !== n ||
    records.environmentOfCell.length !== records.cellCount
  ) {
    throw new StatgenError('shape-mismatch', 'lines, cells and values of a trial must have one length');
  }
  if (records.value.some((value) => !Number.isFinite(value)))
    throw new StatgenError('not-finite', 'a trial must have no missing and no infinite values');
  const order = Int32Array.from({ length: n }, (_, i) => i).sort(
    (a, b) =>
      records.line[a] - records.line[b] ||
      records.environmentOfCell[records.cell[a]] - records.environmentOfCell[records.cell[b]] ||
      records.cell[a] - records.cell[b] ||
      a - b,
  );
  const { columnOfCheck, columns } = checkColumns(records);

  const pairStart: number[] = [];
  const lineStart: number[] = [];
  const isRandom: number[] = [];
  const checkColumn: number[] = [];
  const entryStart: number[] = [];
  const entryColumn: number[] = [];
  const entryCount: number[] = [];
  const entryPlace: number[] = [];
  const lineColumnStart: number[] = [];
  const lineColumn: number[] = [];
  const placeOf = new Int32Array(columns).fill(-1);
  let line = -1;
  let environment = -1;
  const addEntry = (column: number, count: number): void => {
    if (placeOf[column] < 0) {
      placeOf[column] = lineColumn.length - (lineColumnStart.at(-1) ?? 0);
      lineColumn.push(column);
    }
    entryColumn.push(column);
    entryCount.push(count);
    entryPlace.push(placeOf[column]);
  };
  const endLine = (): void => {
    for (let k = lineColumnStart.at(-1) ?? 0; k < lineColumn.length; k++) placeOf[lineColumn[k]] = -1;
  };
  for (let at = 0; at < n; at++) {
    const row = order[at];
    const ofRow = records.environmentOfCell[records.cell[row]];
    if (records.line[row] !== line) {
      endLine();
      line = records.line[row];
      environment = -1;
      lineStart.push(pairStart.length);
      lineColumnStart.push(lineColumn.length);
      const isFixed = records.isFixedLine !== null && records.isFixedLine[line] === 1;
      isRandom.push(Number(!isFixed));
      checkColumn.push(columnOfCheck.get(line) ?? -1);
    }
    if (ofRow !== environment) {
      environment = ofRow;
      pairStart.push(at);
      entryStart.push(entryColumn.length);
      const check = checkColumn[checkColumn.length - 1];
      if (check >= 0) {
        let end = at;
        while (end < n && records.line[order[end]] === line && environmentAt(records, order[end]) === environment)
          end++;
        addEntry(check, end - at);
      }
    }
    const column = records.cell[row];
    const last = entryColumn.length - 1;
    if (last >= entryStart[entryStart.length - 1] && entryColumn[last] === column) entryCount[last]++;
    else addEntry(column, 1);
  }
  return {
    n,
    columns,
    value: Float64Array.from(order, (row) => records.value[row]),
    cell: Int32Array.from(order, (row) => records.cell[row]),
    pairStart: Int32Array.from([...pairStart, n]),
    lineStart: Int32Array.from([...lineStart, pairStart.length]),
    isRandom: Uint8Array.from(isRandom),
    checkColumn: Int32Array.from(checkColumn),
    entryStart: Int32Array.from([...entryStart, entryColumn.length]),
    entryColumn: Int32Array.from(entryColumn),
    entryCount: Float64Array.from(entryCount),
    entryPlace: Int32Array.from(entryPlace),
    lineColumnStart: Int32Array.from([...lineColumnStart, lineColumn.length]),
    lineColumn: Int32Array.from(lineColumn),
  };
}

const environmentAt = (records: TrialRecords, row: number): number => records.environmentOfCell[records.cell[row]];

/**
 * Appends a column for each check to those of the cells. Where checks and cells are connected through observations and
 * none of these cells holds a random line, their columns have one linear dependency: there, one check gets no column.
 */
function checkColumns({ line, cell, lineCount, cellCount, isFixedLine }: TrialRecords): {
  columnOfCheck: Map<number, number>;
  columns: number;
} {
  const columnOfCheck = new Map<number, number>();
  if (isFixedLine === null) return { columnOfCheck, columns: cellCount };
  // The last node stands for all random lines.
  const parts = createParts(cellCount + lineCount + 1);
  for (let i = 0; i < line.length; i++) {
    parts.join(cell[i], isFixedLine[line[i]] === 1 ? cellCount + line[i] : cellCount + lineCount);
  }
  const withReference = new Set([parts.of(cellCount + lineCount)]);
  let columns = cellCount;
  for (const check of new Set(line.filter((of) => isFixedLine[of] === 1))) {
    const part = parts.of(cellCount + check);
    if (withReference.has(part)) columnOfCheck.set(check, columns++);
    else withReference.add(part);
  }
  return { columnOfCheck, columns };
}

/** Connected components of a graph (union–find with path halving). */
export function createParts(nodes: number): { join(a: number, b: number): void; of(node: number): number } {
  const parent = Int32Array.from({ length: nodes }, (_, node) => node);
  const of = (node: number): number => {
    let at = node;
    while (parent[at] !== at) {
      parent[at] = parent[parent[at]];
      at = parent[at];
    }
    return at;
  };
  return {
    of,
    join: (a, b) => {
      parent[of(a)] = of(b);
    },
  };
}
