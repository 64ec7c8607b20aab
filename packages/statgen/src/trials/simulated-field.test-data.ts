import { createRandomStream } from '../random/random-stream.ts';
import type { TrialPlots } from './trial-plots.ts';

/**
 * 20 lines in four replicates of 4 × 6 plots with five plots missing and four that are a check: trend, blocks,
 * neighbours and a nugget, simulated.
 */
export function simulatedField(seed = 1): TrialPlots {
  const random = createRandomStream(seed, 'field');
  const [height, width] = [8, 12];
  const effects = Float64Array.from({ length: 21 }, () => 1.2 * random.normal());
  const lineAt = new Int32Array(height * width);
  for (let replicate = 0; replicate < 4; replicate++) {
    const order = [...Array.from({ length: 20 }, (_, line) => line), 20, 20, 20, 20];
    for (let i = order.length - 1; i > 0; i--) {
      const j = random.nextInt(i + 1);
      [order[i], order[j]] = [order[j], order[i]];
    }
    order.forEach((line, i) => {
      const row = 4 * (replicate % 2) + (i % 4);
      const column = 6 * Math.floor(replicate / 2) + Math.floor(i / 4);
      lineAt[row + column * height] = line;
    });
  }
  const process = new Float64Array(height * width);
  for (let i = 0; i < process.length; i++) {
    const [row, column] = [i % height, Math.floor(i / height)];
    const above = row > 0 ? process[i - 1] : 0;
    const left = column > 0 ? process[i - height] : 0;
    const corner = row > 0 && column > 0 ? process[i - 1 - height] : 0;
    process[i] = 0.6 * above + 0.5 * left - 0.3 * corner + 0.6 * random.normal();
  }
  const kept = [...lineAt.keys()].filter((i) => ![3, 17, 40, 62, 90].includes(i));
  const place = (i: number) => ({ row: i % height, column: Math.floor(i / height) });
  const codes = (of: (at: { row: number; column: number }) => number) => Int32Array.from(kept, (i) => of(place(i)));
  const replicates = codes(({ row, column }) => Math.floor(row / 4) + 2 * Math.floor(column / 6));
  return {
    lines: Array.from({ length: 21 }, (_, line) => (line === 20 ? 'Check' : `L${line + 1}`)),
    line: Int32Array.from(kept, (i) => lineAt[i]),
    values: Float64Array.from(kept, (i) => {
      const { row, column } = place(i);
      return (
        10 + effects[lineAt[i]] + process[i] + 0.05 * row * column + 0.4 * Math.sin(column) + 0.4 * random.normal()
      );
    }),
    places: {
      rows: Float64Array.from(kept, (i) => place(i).row + 1),
      columns: Float64Array.from(kept, (i) => place(i).column + 1),
    },
    fixed: [{ name: 'replicates', codes: replicates, levels: 4 }],
    covariates: [{ name: 'stand', values: Float64Array.from(kept, () => 40 + 3 * random.normal()) }],
    random: [{ name: 'blocks', codes: codes(({ row, column }) => column + 12 * Math.floor(row / 4)), levels: 24 }],
    grid: [
      { name: 'rows', codes: codes(({ row }) => row), levels: height },
      { name: 'columns', codes: codes(({ column }) => column), levels: width },
    ],
    checks: null,
  };
}
