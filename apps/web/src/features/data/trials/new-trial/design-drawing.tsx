import type { DesignName } from '@heterosis/statgen/designs/design-types';
import classes from './new-trial.module.css';

const ROWS = 6;
const COLUMNS = 12;
const CELL = 7;

/** What a cell of a drawing shows: one of four tints, a check, or nothing. */
type Tone = 0 | 1 | 2 | 3 | 'check' | 'none';

interface Drawing {
  tone: (row: number, column: number) => Tone;
  /** Frames of blocks, in cells: x, y, width, height. */
  frames?: readonly (readonly [number, number, number, number])[];
}

/** Scattered, but the same each time. */
const scattered = (row: number, column: number, of: number): number =>
  ((row * 7 + column * 5 + ((row * column) % 3)) * 13) % of;
const tint = (row: number, column: number): Tone => scattered(row, column, 4) as Tone;

const across = (count: number, height: number, top = 0): (readonly [number, number, number, number])[] =>
  Array.from({ length: count }, (_, k) => [(k * COLUMNS) / count, top, COLUMNS / count, height] as const);

/** How each design lies in a field, in twelve by six plots. */
const DRAWINGS: Record<DesignName, Drawing> = {
  crd: { tone: tint },
  rcbd: { tone: tint, frames: [0, 2, 4].map((top) => [0, top, COLUMNS, 2] as const) },
  alpha: { tone: tint, frames: [0, 2, 4].flatMap((top) => across(4, 2, top)) },
  'row-column': {
    tone: tint,
    frames: [...Array.from({ length: ROWS }, (_, row) => [0, row, COLUMNS, 1] as const), ...across(6, ROWS)],
  },
  'p-rep': { tone: (row, column) => (scattered(row, column, 7) < 3 ? 2 : 0) },
  augmented: {
    tone: (row, column) => (scattered(row, column % 4, 6) === 1 ? 'check' : 0),
    frames: across(3, ROWS),
  },
  diagonal: { tone: (row, column) => ((row * 2 + column) % 5 === 0 ? 'check' : 0) },
  'split-plot': {
    tone: (row, column) => (((Math.floor(column / 3) + Math.floor(row / 3)) % 2) * 2) as Tone,
    frames: [0, 3].flatMap((top) => across(4, 3, top)),
  },
  sparse: {
    tone: (row, column) => (column % 4 === 3 ? 'none' : scattered(row, column, 5) < 2 ? 'none' : tint(row, column)),
    frames: [0, 4, 8].map((left) => [left, 0, 3, ROWS] as const),
  },
};

/** A design in small. What it shows is said beside it. */
export function DesignDrawing({ design }: { design: DesignName }) {
  const { tone, frames = [] } = DRAWINGS[design];
  return (
    <svg
      className={classes.drawing}
      viewBox={`-1 -1 ${COLUMNS * CELL + 2} ${ROWS * CELL + 2}`}
      aria-hidden="true"
      focusable="false"
    >
      {Array.from({ length: ROWS * COLUMNS }, (_, cell) => {
        const [row, column] = [Math.floor(cell / COLUMNS), cell % COLUMNS];
        return (
          <rect
            key={cell}
            x={column * CELL + 0.5}
            y={row * CELL + 0.5}
            width={CELL - 1}
            height={CELL - 1}
            data-tone={tone(row, column)}
          />
        );
      })}
      {frames.map(([x, y, width, height]) => (
        <rect
          key={`${x} ${y} ${width}`}
          data-tone="frame"
          x={x * CELL}
          y={y * CELL}
          width={width * CELL}
          height={height * CELL}
        />
      ))}
    </svg>
  );
}
