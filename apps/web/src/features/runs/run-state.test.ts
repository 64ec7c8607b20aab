import { describe, expect, it } from 'vitest';
import { failuresOf, isRunning, overallShare, overallState } from './run-state.ts';

describe('overallState', () => {
  it('is running while any trait is, failed when one failed, done when all are', () => {
    expect(overallState({ a: 'EVALUATED', b: 'EVALUATING' })).toBe('EVALUATING');
    expect(overallState({ a: 'EVALUATED', b: 'ERROR' })).toBe('ERROR');
    expect(overallState({ a: 'EVALUATED', b: 'EVALUATED' })).toBe('EVALUATED');
  });

  it('counts a trained model that waits for its evaluation as running', () => {
    expect(isRunning({ a: 'TRAINED' })).toBe(true);
    expect(isRunning('SUCCESS')).toBe(false);
  });
});

describe('overallShare', () => {
  it('averages the traits that say how far they are', () => {
    const step = (done: number) => ({ stage: 'fit' as const, done, total: 10, started_at: null });
    expect(overallShare({ a: step(5), b: step(10), c: null })).toBe(0.75);
    expect(overallShare({ a: null })).toBeUndefined();
  });
});

describe('failuresOf', () => {
  it('tells a failure that several traits share once, with all of them', () => {
    const extra = { code: 'x', message: 'No overlap', action: 'Rename', n: '0' };
    expect(failuresOf({ a: extra, b: { ...extra }, c: null })).toEqual([
      { trait: 'a, b', code: 'x', message: 'No overlap', action: 'Rename', rest: [['n', '0']] },
    ]);
  });
});
