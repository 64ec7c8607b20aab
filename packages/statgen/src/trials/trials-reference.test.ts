import { withOneThread } from '@heterosis/linalg/threads';
import { describe, expect, test } from 'vitest';
import { fitTrial } from './fit-trial.ts';
import { differencesOf } from './reference-differences.test-data.ts';
import { BLOCK_MODELS, referenceFits, referenceTrial } from './reference-trials.test-data.ts';

/** Trials that take a second together; the bench `trials-reference` compares all. */
const SMALL = ['john.alpha', 'burgueno.rowcol', 'kempton.rowcol', 'besag.elbatan', 'cochran.lattice', 'sim.augmented'];

describe.each(SMALL)('%s', (trial) => {
  const fits = referenceFits(trial);

  test.each(fits)('$name, lines $lines', (reference) => {
    const plots = referenceTrial(trial, reference.checks);
    const fit = withOneThread(() => fitTrial(plots, reference));
    const fixed =
      reference.lines === 'random' && reference.checks.length === 0
        ? withOneThread(() => fitTrial(plots, { model: reference.model, lines: 'fixed' }))
        : null;
    const found = differencesOf(reference, fit, fixed);
    expect(fit.converged).toBe(true);
    // The tolerances of the reference's README.
    expect(Math.abs(found.logLikelihood)).toBeLessThan(1e-6);
    expect(found.variances).toBeLessThan(1e-5);
    expect(found.informationErrors).toBeLessThan(1e-5);
    expect(found.effects).toBeLessThan(1e-6);
    expect(found.standardErrors).toBeLessThan(1e-5);
    expect(found.covariance).toBeLessThan(1e-5);
    expect(found.effectiveDimensions).toBeLessThan(1e-4);
    expect(found.heritability).toBeLessThan(1e-6);
  });
});

test('every reference trial has its models', () => {
  for (const trial of Object.keys(BLOCK_MODELS)) expect(referenceFits(trial).length).toBeGreaterThan(1);
});
