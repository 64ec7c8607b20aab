import type { StageProgress } from '@heterosis/analysis/context';

/** Destination of progress: standard error, or a stand-in. */
export interface ProgressOutput {
  isTTY?: boolean;
  /** Width of the terminal. */
  columns?: number;
  write(text: string): unknown;
}

const INTERVAL_MS = 100;
const CLEAR_LINE = '\r\x1b[K';

const LABELS: Record<StageProgress['stage'], string> = {
  read: 'reading',
  match: 'matching names',
  qc: 'checking markers',
  kinship: 'kinship',
  fit: 'fitting',
  'cross-validate': 'cross-validation',
  test: 'testing markers',
  predict: 'predicting',
  cross: 'crossing',
  simulate: 'simulating',
  phase: 'phasing',
  write: 'writing',
};

/**
 * One line rewritten in place on a capable terminal, and nothing elsewhere. Call `clear` before other output.
 *
 * @param terminal value of the environment variable TERM
 */
export function createProgressLine(
  output: ProgressOutput,
  now: () => number,
  terminal: string | undefined,
): { show(progress: StageProgress): void; clear(): void } {
  const isShown = output.isTTY === true && terminal !== 'dumb';
  let shownAt = Number.NEGATIVE_INFINITY;
  let stage: string | null = null;
  return {
    show({ stage: current, done, total }) {
      if (!isShown) return;
      if (current === stage && now() - shownAt < INTERVAL_MS) return;
      stage = current;
      shownAt = now();
      const share = total > 0 ? ` ${Math.min(100, Math.floor((100 * done) / total))} %` : '';
      // A line that wraps cannot be erased.
      output.write(`${CLEAR_LINE}${`${LABELS[current]}${share}`.slice(0, (output.columns ?? 80) - 1)}`);
    },
    clear() {
      if (isShown && stage !== null) output.write(CLEAR_LINE);
      stage = null;
    },
  };
}
