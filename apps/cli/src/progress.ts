import type { StageProgress } from '@heterosis/analysis/context';

/** What progress is written to: standard error, or a stand-in. */
export interface ProgressOutput {
  isTTY?: boolean;
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
  phase: 'phasing',
  write: 'writing',
};

/** One line that is rewritten in place on a terminal, and nothing elsewhere. `clear` takes it away before other output. */
export function createProgressLine(
  output: ProgressOutput,
  now: () => number,
): { show(progress: StageProgress): void; clear(): void } {
  let shownAt = Number.NEGATIVE_INFINITY;
  let stage: string | null = null;
  return {
    show({ stage: current, done, total }) {
      if (output.isTTY !== true) return;
      if (current === stage && now() - shownAt < INTERVAL_MS) return;
      stage = current;
      shownAt = now();
      const share = total > 0 ? ` ${Math.min(100, Math.floor((100 * done) / total))} %` : '';
      output.write(`${CLEAR_LINE}${LABELS[current]}${share}`);
    },
    clear() {
      if (output.isTTY === true && stage !== null) output.write(CLEAR_LINE);
      stage = null;
    },
  };
}
