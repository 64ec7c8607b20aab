import { expect, test } from 'vitest';
import { trialMemoryMb } from '../trials/trial-memory.ts';
import { seriesMemoryMb } from './series-memory.ts';

const series = (lines: number, trials: number, means: number, factors: number) =>
  seriesMemoryMb({ lines, squares: trials * means ** 2, kernels: 1, factors });

// Peaks of `npm run bench series`, in docs/benchmarks.md. A worker holds the covariances that it reads besides.
test.each([
  [series(884, 24, 515, 1), 243],
  [series(2000, 20, 1000, 2), 752],
  [series(4300, 217, 590, 1), 1819],
  // `heterosis trial` with all models of 2,000 plots.
  [trialMemoryMb(2000), 340],
])('%d MB are planned for what took %d MB, and not half as much again', (planned, taken) => {
  expect(planned).toBeGreaterThan(taken);
  expect(planned).toBeLessThan(1.5 * taken);
});

test('more kernels, factors, lines and plots need more', () => {
  const size = { lines: 1000, squares: 5e6, kernels: 1, factors: 1 };
  const planned = seriesMemoryMb(size);
  for (const larger of [{ kernels: 2 }, { factors: 2 }, { lines: 2000 }, { squares: 1e7 }])
    expect(seriesMemoryMb({ ...size, ...larger })).toBeGreaterThan(planned);
  expect(trialMemoryMb(4000)).toBeGreaterThan(trialMemoryMb(2000));
});
