import { withOneThread } from '@heterosis/linalg/threads';
import { describe, expect, test } from 'vitest';
import { beatsInTrait } from '../decisions/beats-check.ts';
import { fitTrial } from './fit-trial.ts';
import { differencesOf } from './reference-differences.test-data.ts';
import { BLOCK_MODELS, beatsCheck, referenceFits, referenceTrial } from './reference-trials.test-data.ts';

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
    const { blups } = fit;
    const covariance = blups?.errorCovariance() ?? new Float64Array(0);
    // Their diagonal is what pages show.
    for (const [i, error] of blups?.errors.entries() ?? [])
      expect(Math.sqrt(covariance[i * (blups!.lines.length + 1)])).toBeCloseTo(error, 9);
    for (const { check, gen, probability } of reference.checks.length === 0 ? beatsCheck(trial, reference) : []) {
      const [i, c] = [gen, check].map((name) => blups!.lines.indexOf(name));
      const n = blups!.lines.length;
      const pair = {
        ...{ line: blups!.values.subarray(i, i + 1), check: blups!.values.subarray(c, c + 1) },
        ...{ linePev: Float64Array.of(blups!.errors[i] ** 2), checkPev: Float64Array.of(blups!.errors[c] ** 2) },
        covariance: Float64Array.of(covariance[i + c * n]),
      };
      expect(Math.abs(beatsInTrait(pair, 0, 1) - probability)).toBeLessThan(1e-5);
    }
  });
});

test('every reference trial has its models', () => {
  for (const trial of Object.keys(BLOCK_MODELS)) expect(referenceFits(trial).length).toBeGreaterThan(1);
});
