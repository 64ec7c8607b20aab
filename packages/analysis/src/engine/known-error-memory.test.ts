import { expect, test } from 'vitest';
import type { EngineTask } from './engine-task.ts';
import { planEngine } from './plan-engine.ts';

const MACHINE = { threads: 1, memoryMb: 1e6 };

type Case = Pick<EngineTask, 'analysis' | 'errors' | 'residualLines' | 'dominance'> & {
  individuals: number;
  observed?: number;
  markers?: number;
  engine?: 'markers';
};

const DOMINANCE = { errors: 'independent', dominance: true, engine: 'markers' } as const;

/** Peaks of the resident set in MB, each of a process of its own (110 MB before the analysis), one thread. */
const MEASURED: [Case, number][] = [
  [{ analysis: 'train', errors: 'independent', individuals: 1000 }, 188],
  [{ analysis: 'train', errors: 'independent', individuals: 2000 }, 327],
  [{ analysis: 'train', errors: 'independent', individuals: 2000, observed: 1000 }, 253],
  [{ analysis: 'train', errors: 'independent', residualLines: true, individuals: 1000 }, 202],
  [{ analysis: 'train', errors: 'independent', residualLines: true, individuals: 2000 }, 411],
  [{ analysis: 'train', errors: 'correlated', individuals: 2000 }, 461],
  [{ analysis: 'train', errors: 'correlated', residualLines: true, individuals: 2000 }, 506],
  [{ analysis: 'train', errors: 'independent', dominance: true, individuals: 1000 }, 213],
  [{ analysis: 'evaluate', errors: 'independent', individuals: 1000 }, 193],
  [{ analysis: 'evaluate', errors: 'independent', residualLines: true, individuals: 2000 }, 443],
  [{ analysis: 'gwas', errors: 'independent', individuals: 1500 }, 195],
  [{ analysis: 'gwas', errors: 'independent', residualLines: true, individuals: 1500 }, 264],
  [{ analysis: 'gwas', errors: 'correlated', individuals: 1500 }, 254],
  [{ analysis: 'train', errors: 'independent', individuals: 4000, markers: 1500, engine: 'markers' }, 311],
  [{ analysis: 'train', errors: 'independent', individuals: 12_000, markers: 100, engine: 'markers' }, 202],
  [{ analysis: 'train', ...DOMINANCE, individuals: 12_000, markers: 200 }, 325],
  [{ analysis: 'train', ...DOMINANCE, individuals: 8000, markers: 300 }, 299],
  [{ analysis: 'train', ...DOMINANCE, individuals: 3000, markers: 800 }, 270],
  [{ analysis: 'train', ...DOMINANCE, individuals: 1500, markers: 1000 }, 259],
  [{ analysis: 'evaluate', errors: 'independent', individuals: 3000, markers: 1200, engine: 'markers' }, 226],
  [{ analysis: 'evaluate', ...DOMINANCE, individuals: 12_000, markers: 200 }, 278],
  [{ analysis: 'evaluate', ...DOMINANCE, individuals: 1500, markers: 900 }, 225],
];

test.each(MEASURED)('the estimate of %o is above the %i MB measured, by less than half', (given, measured) => {
  const { engine = 'individuals', individuals, observed = individuals, markers = 2000, ...task } = given;
  const { estimate } = planEngine(
    {
      ...{ ...task, individuals, observed, markers, traits: 1, groups: 1, folds: 5, repetitions: 1 },
      needsIndividuals: engine === 'individuals' ? 'Asked for.' : null,
      needsMarkers: engine === 'markers' ? 'Asked for.' : null,
    },
    MACHINE,
  );
  expect(estimate.memoryMb).toBeGreaterThan(measured);
  expect(estimate.memoryMb).toBeLessThan(1.5 * measured);
});
