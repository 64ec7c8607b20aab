import { describe, expect, it } from 'vitest';
import { failuresOf, isRunning, overallShare, overallState, runningTogether, stateOf } from './run-state.ts';

describe('stateOf', () => {
  const label = (state: ReturnType<typeof stateOf>) => state.label(((key: string) => key) as never);

  it('tells a run that waits for a worker from one that works', () => {
    expect(label(stateOf({ a: 'PROCESSING' }, { progress: { a: null } }))).toBe('runs.stage.queued');
    const waiting = { stage: 'queued' as const, done: 0, total: 0, started_at: null, runs_before: 2 };
    const first = stateOf('PROCESSING', { progress: { ...waiting, runs_before: 0 } });
    expect(label(first)).toBe('runs.stage.queued');
    expect(label(stateOf({ a: 'PROCESSING' }, { progress: { a: waiting } }))).toBe('runs.inLine');
    const progress = { a: { stage: 'fit' as const, done: 1, total: 2, started_at: null, runs_before: null } };
    expect(label(stateOf({ a: 'PROCESSING' }, { progress }))).toBe('runs.state.PROCESSING');
  });

  it('does not call failed what somebody cancelled, unless something failed besides', () => {
    const cancelled = { code: 'runs/cancelled', message: 'Cancelled by Ann.', action: '' };
    const failed = { code: 'runs/no-markers', message: 'No marker is left.', action: '' };
    expect(stateOf('ERROR', { errorExtras: cancelled }).kind).toBe('waiting');
    expect(stateOf({ a: 'ERROR', b: 'ERROR' }, { errorExtras: { a: cancelled, b: cancelled } }).kind).toBe('waiting');
    expect(stateOf({ a: 'ERROR', b: 'ERROR' }, { errorExtras: { a: cancelled, b: failed } }).kind).toBe('error');
  });
});

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

describe('stateOf', () => {
  const label = (key: string, values?: object): string => [key, ...Object.values(values ?? {})].join(' ');
  const stateIn = (status: Parameters<typeof stateOf>[0]): string => {
    const { kind, label: write } = stateOf(status);
    return `${kind}: ${write(label as unknown as Parameters<typeof write>[0])}`;
  };

  it('counts the traits that have failed while others have not', () => {
    expect(stateIn({ a: 'EVALUATED', b: 'ERROR', c: 'EVALUATED' })).toBe('warning: runs.someFailed 1 3');
    expect(stateIn({ a: 'ERROR', b: 'ERROR' })).toBe('error: runs.state.ERROR');
    expect(stateIn({ a: 'ERROR', b: 'TRAINING' })).toBe('processing: runs.state.TRAINING');
    expect(stateIn('SUCCESS')).toBe('success: runs.state.SUCCESS');
  });
});

describe('overallShare', () => {
  it('averages the traits that say how far they are', () => {
    const step = (done: number) => ({ stage: 'fit' as const, done, total: 10, started_at: null, runs_before: null });
    expect(overallShare({ a: step(5), b: step(10), c: null })).toBe(0.75);
    expect(overallShare({ a: null })).toBeUndefined();
    expect(overallShare(step(5))).toBe(0.5);
    expect(overallShare(null)).toBeUndefined();
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

describe('runningTogether', () => {
  const step = (stage: 'fit' | 'cross-validate', done: number) => ({
    stage,
    done,
    total: 50,
    started_at: null,
    runs_before: null,
  });

  it('shows traits once that are equally far, and leaves out those that have ended', () => {
    const status = { a: 'EVALUATING', b: 'EVALUATED', c: 'EVALUATING', d: 'TRAINING', e: 'TRAINING' } as const;
    const progress = {
      a: step('cross-validate', 20),
      b: null,
      c: step('cross-validate', 20),
      d: step('fit', 20),
      e: null,
    };
    expect(runningTogether(status, progress).map(({ traits }) => traits)).toEqual([['a', 'c'], ['d'], ['e']]);
  });
});
