import type { ErrorExtra, Progress, Stage } from '@heterosis/contracts/runs';
import type { TFunction } from 'i18next';
import type { StateKind } from '../../components/state-badge.tsx';
import { shareDone } from '../../lib/progress.ts';

/** Any state a trait of a model, a prediction or a GWAS can be in (SPEC §4). */
export type TraitState = 'TRAINING' | 'TRAINED' | 'EVALUATING' | 'EVALUATED' | 'PROCESSING' | 'SUCCESS' | 'ERROR';

const KINDS: Record<TraitState, StateKind> = {
  TRAINING: 'processing',
  TRAINED: 'processing',
  EVALUATING: 'processing',
  EVALUATED: 'success',
  PROCESSING: 'processing',
  SUCCESS: 'success',
  ERROR: 'error',
};

export function isRunning(status: TraitState | Record<string, TraitState>): boolean {
  const states = typeof status === 'string' ? [status] : Object.values(status);
  return states.some((state) => KINDS[state] === 'processing');
}

/** One state for all traits: the first that still runs, else the first that failed, else the common one. */
export function overallState(status: Record<string, TraitState>): TraitState {
  const states = Object.values(status);
  return (
    states.find((state) => KINDS[state] === 'processing') ??
    states.find((state) => state === 'ERROR') ??
    states[0] ??
    'PROCESSING'
  );
}

type OfOneOrAll<Value> = Value | Record<string, Value>;

/** What tells a run that waits from one that works, and one that was cancelled from one that failed. */
export interface RunCircumstances {
  progress?: Progress | null | Record<string, Progress | null> | undefined;
  errorExtras?: OfOneOrAll<ErrorExtra | null> | undefined;
}

/** The state of a run in shape and words: where only some of its traits have failed, how many. */
export function stateOf(
  status: OfOneOrAll<TraitState>,
  circumstances: RunCircumstances = {},
): {
  kind: StateKind;
  label: (t: TFunction) => string;
} {
  const states = typeof status === 'string' ? [status] : Object.values(status);
  if (states.every((state) => state === 'ERROR') && isCancelled(circumstances.errorExtras))
    return { kind: 'waiting', label: (t) => t('runs.cancelled') };
  if (states.every((state) => state === 'PROCESSING' || state === 'TRAINING') && isQueued(circumstances.progress))
    return { kind: 'waiting', label: placeInWords(runsBefore(circumstances.progress)) };
  return stateOfTraits(status);
}

function stateOfTraits(status: OfOneOrAll<TraitState>): { kind: StateKind; label: (t: TFunction) => string } {
  if (typeof status === 'string') return { kind: KINDS[status], label: (t) => t(`runs.state.${status}`) };
  const state = overallState(status);
  const states = Object.values(status);
  const failed = states.filter((one) => one === 'ERROR').length;
  if (state !== 'ERROR' || failed === states.length) return stateOfTraits(state);
  return { kind: 'warning', label: (t) => t('runs.someFailed', { failed, total: states.length }) };
}

function isQueued(progress: RunCircumstances['progress']): boolean {
  return progress !== undefined && stepsOf(progress).every((step) => step === null || step.stage === 'queued');
}

/** How many runs begin before one that waits; undefined once any of it has begun, and when nothing tells. */
export function runsBefore(progress: RunCircumstances['progress']): number | undefined {
  if (progress === undefined || !isQueued(progress)) return undefined;
  return stepsOf(progress).find((step) => step !== null)?.runs_before ?? undefined;
}

const placeInWords = (count: number | undefined) => (t: TFunction) =>
  count === undefined || count === 0 ? t('runs.stage.queued') : t('runs.inLine', { place: count + 1 });

const CANCELLED = 'runs/cancelled';

function isCancelled(extras: RunCircumstances['errorExtras']): boolean {
  if (extras === undefined || extras === null) return false;
  const all =
    typeof extras.code === 'string'
      ? [extras as ErrorExtra]
      : Object.values(extras as Record<string, ErrorExtra | null>);
  const known = all.filter((one) => one !== null);
  return known.length > 0 && known.every(({ code }) => code === CANCELLED);
}

/** Share done of a running thing, or of its traits; undefined when nothing tells. */
export function overallShare(progress: Progress | null | Record<string, Progress | null>): number | undefined {
  const running = stepsOf(progress).filter((one): one is Progress => one !== null && one.total > 0);
  if (running.length === 0) return undefined;
  return running.reduce((sum, one) => sum + shareDone(one.done, one.total), 0) / running.length;
}

function stepsOf(progress: Progress | null | Record<string, Progress | null>): (Progress | null)[] {
  return progress === null || typeof progress.stage === 'string'
    ? [progress as Progress | null]
    : Object.values(progress as Record<string, Progress | null>);
}

export const MODEL_STAGES: readonly Stage[] = ['read', 'match', 'qc', 'kinship', 'fit', 'cross-validate', 'write'];
export const PREDICTION_STAGES: readonly Stage[] = ['read', 'match', 'predict', 'write'];
export const PHASING_STAGES: readonly Stage[] = ['read', 'phase', 'write'];
export const CROSSING_STAGES: readonly Stage[] = ['read', 'match', 'cross', 'write'];
export const GWAS_STAGES: readonly Stage[] = ['read', 'match', 'qc', 'kinship', 'fit', 'test', 'write'];

export interface RunFailure {
  trait: string;
  code: string;
  message: string;
  action: string;
  rest: [string, string][];
}

/** Traits with the same failure are told once. */
export function failuresOf(errorExtras: Record<string, ErrorExtra | null>): RunFailure[] {
  const failures = new Map<string, RunFailure>();
  for (const [trait, extra] of Object.entries(errorExtras)) {
    if (!extra) continue;
    const { code = '', message = '', action = '', ...rest } = extra;
    const same = failures.get(`${code}\n${message}`);
    if (same) same.trait = `${same.trait}, ${trait}`;
    else failures.set(`${code}\n${message}`, { trait, code, message, action, rest: Object.entries(rest) });
  }
  return [...failures.values()];
}

/** Traits that run, those in the same stage with the same share done together: they are fitted side by side. */
export function runningTogether(
  status: Record<string, TraitState>,
  progress: Record<string, Progress | null>,
): { traits: string[]; step: Progress | null }[] {
  const together = new Map<string, { traits: string[]; step: Progress | null }>();
  for (const [trait, state] of Object.entries(status)) {
    if (KINDS[state] !== 'processing') continue;
    const step = progress[trait] ?? null;
    const key = step ? `${step.stage} ${step.done} ${step.total}` : '';
    const same = together.get(key);
    if (same) same.traits.push(trait);
    else together.set(key, { traits: [trait], step });
  }
  return [...together.values()];
}
