import { describe, expect, it } from 'vitest';
import {
  badgeOf,
  failuresOf,
  isRunning,
  overallShare,
  overallState,
  type RunState,
  runningTogether,
  runsBefore,
  stagesOfModel,
  stateByTrait,
  stateOfWhole,
} from './run-state.ts';

/** A run of these traits of which nothing else is known. */
const state = (status: RunState['status'], rest: Partial<RunState> = {}): RunState => ({
  status,
  progress: {},
  errorExtras: {},
  ...rest,
});

const step = (
  stage: 'queued' | 'fit' | 'cross-validate',
  done: number,
  total: number,
  runs_before: number | null = null,
) => ({
  stage,
  done,
  total,
  started_at: null,
  runs_before,
});

/** The badge as `kind: key of the text, its values`. */
function badge(run: RunState): string {
  const { kind, label } = badgeOf(run);
  const t = (key: string, values?: object) => [key, ...Object.values(values ?? {})].join(' ');
  return `${kind}: ${label(t as unknown as Parameters<typeof label>[0])}`;
}

describe('the one shape of a run state', () => {
  it('is the same for a run judged as a whole and for a run with one trait', () => {
    const progress = step('fit', 1, 4);
    const failure = { code: 'x', message: 'm', action: 'a' };
    const whole = stateOfWhole({ status: 'PROCESSING', progress, error_extra: failure });
    const byTrait = stateByTrait({
      status: { yield: 'PROCESSING' },
      progress: { yield: progress },
      error_extras: { yield: failure },
    });
    expect(badge(whole)).toBe(badge(byTrait));
    expect(isRunning(whole)).toBe(isRunning(byTrait));
    expect(overallShare(whole.progress)).toBe(0.25);
    expect(failuresOf(whole.errorExtras)[0]).toMatchObject({ traits: [''], code: 'x' });
    expect(failuresOf(byTrait.errorExtras)[0]).toMatchObject({ traits: ['yield'], code: 'x' });
  });
});

describe('badgeOf', () => {
  it('tells a run that waits for a worker from one that works', () => {
    expect(badge(state({ a: 'PROCESSING' }, { progress: { a: null } }))).toBe('waiting: runs.stage.queued');
    expect(badge(state({ a: 'TRAINING' }, { progress: { a: step('queued', 0, 0, 0) } }))).toBe(
      'waiting: runs.stage.queued',
    );
    expect(badge(state({ a: 'PROCESSING' }, { progress: { a: step('queued', 0, 0, 2) } }))).toBe(
      'waiting: runs.inLine 3',
    );
    expect(badge(state({ a: 'PROCESSING' }, { progress: { a: step('fit', 1, 2) } }))).toBe(
      'processing: runs.state.PROCESSING',
    );
  });

  it('does not call failed what somebody cancelled, unless something failed besides', () => {
    const cancelled = { code: 'runs/cancelled', message: 'Cancelled by Ann.', action: '' };
    const failed = { code: 'runs/no-markers', message: 'No marker is left.', action: '' };
    const whole = stateOfWhole({ status: 'ERROR', progress: null, error_extra: cancelled });
    expect(badge(whole)).toBe('waiting: runState.cancelled');
    const both = { a: 'ERROR', b: 'ERROR' } as const;
    expect(badge(state(both, { errorExtras: { a: cancelled, b: cancelled } }))).toBe('waiting: runState.cancelled');
    expect(badge(state(both, { errorExtras: { a: cancelled, b: failed } }))).toBe('error: runs.state.ERROR');
    // A trait that had ended before the others were cancelled keeps its result.
    expect(badge(state({ a: 'SUCCESS', b: 'ERROR' }, { errorExtras: { a: null, b: cancelled } }))).toBe(
      'warning: runs.someFailed 1 2',
    );
  });

  it('counts the traits that have failed while others have not', () => {
    expect(badge(state({ a: 'EVALUATED', b: 'ERROR', c: 'EVALUATED' }))).toBe('warning: runs.someFailed 1 3');
    expect(badge(state({ a: 'ERROR', b: 'ERROR' }))).toBe('error: runs.state.ERROR');
    expect(badge(state({ a: 'ERROR', b: 'TRAINED' }))).toBe('processing: runs.state.TRAINED');
    expect(badge(stateOfWhole({ status: 'SUCCESS', progress: null, error_extra: null }))).toBe(
      'success: runs.state.SUCCESS',
    );
  });
});

describe('runsBefore', () => {
  it('is known only while no trait has begun', () => {
    expect(runsBefore({ a: null, b: step('queued', 0, 0, 4) })).toBe(4);
    expect(runsBefore({ a: step('fit', 0, 1), b: step('queued', 0, 0, 4) })).toBeUndefined();
    expect(runsBefore({ a: null })).toBeUndefined();
  });
});

describe('overallState', () => {
  it('is running while any trait is, failed when one failed, done when all are', () => {
    expect(overallState({ a: 'EVALUATED', b: 'EVALUATING' })).toBe('EVALUATING');
    expect(overallState({ a: 'EVALUATED', b: 'ERROR' })).toBe('ERROR');
    expect(overallState({ a: 'EVALUATED', b: 'EVALUATED' })).toBe('EVALUATED');
  });

  it('counts a trained model that waits for its evaluation as running', () => {
    expect(isRunning(state({ a: 'TRAINED' }))).toBe(true);
    expect(isRunning(state({ a: 'SUCCESS', b: 'ERROR' }))).toBe(false);
  });
});

describe('overallShare', () => {
  it('averages the traits that say how far they are', () => {
    expect(overallShare({ a: step('fit', 5, 10), b: step('fit', 10, 10), c: null })).toBe(0.75);
    expect(overallShare({ a: null })).toBeUndefined();
    expect(overallShare({ '': step('fit', 5, 10) })).toBe(0.5);
  });
});

describe('failuresOf', () => {
  it('tells a failure that several traits share once, with all of them', () => {
    const extra = { code: 'x', message: 'No overlap', action: 'Rename', n: '0' };
    expect(failuresOf({ a: extra, b: { ...extra }, c: null })).toEqual([
      { traits: ['a', 'b'], code: 'x', message: 'No overlap', action: 'Rename', rest: [['n', '0']] },
    ]);
  });
});

describe('runningTogether', () => {
  it('shows traits once that are equally far, and leaves out those that have ended', () => {
    const status = { a: 'EVALUATING', b: 'EVALUATED', c: 'EVALUATING', d: 'TRAINING', e: 'TRAINING' } as const;
    const progress = {
      a: step('cross-validate', 20, 50),
      b: null,
      c: step('cross-validate', 20, 50),
      d: step('fit', 20, 50),
      e: null,
    };
    expect(runningTogether({ status, progress }).map(({ traits }) => traits)).toEqual([['a', 'c'], ['d'], ['e']]);
  });

  it('keeps traits that are trained apart from those that are evaluated, whose stages differ', () => {
    const status = { a: 'TRAINING', b: 'EVALUATING' } as const;
    const progress = { a: step('fit', 0, 1), b: step('fit', 0, 1) };
    const running = runningTogether({ status, progress });
    expect(running.map(({ state }) => state)).toEqual(['TRAINING', 'EVALUATING']);
    const [training = [], evaluating = []] = running.map(({ state }) => stagesOfModel(state));
    // What comes only in the other step is neither ticked nor promised.
    expect(training).not.toContain('cross-validate');
    expect(evaluating).not.toContain('fit');
  });
});
