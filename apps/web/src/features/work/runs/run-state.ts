import type { ErrorExtra, Progress, Stage } from '@heterosis/contracts/work/runs';
import type { TFunction } from 'i18next';
import type { StateKind } from '../../../components/table/state-badge.tsx';
import { shareDone } from '../../../lib/format/progress.ts';

/** Any state that a run, or one of its traits, can be in. */
export type TraitState = 'TRAINING' | 'TRAINED' | 'EVALUATING' | 'EVALUATED' | 'PROCESSING' | 'SUCCESS' | 'ERROR';

/**
 * How a run is doing, by trait. A run that succeeds or fails as a whole has a single entry under `WHOLE`.
 * `*.api.ts` brings the answers of the server into this shape; pages and lists know no other.
 */
export interface RunState {
  status: Record<string, TraitState>;
  progress: Record<string, Progress | null>;
  errorExtras: Record<string, ErrorExtra | null>;
}

/** In place of a trait where a run has one state for all of them. */
export const WHOLE = '';

/** A run with one state for all its traits: predictions, crossing simulations, phasing. */
export const stateOfWhole = (run: {
  status: TraitState;
  progress: Progress | null;
  error_extra: ErrorExtra | null;
}): RunState => ({
  status: { [WHOLE]: run.status },
  progress: { [WHOLE]: run.progress },
  errorExtras: { [WHOLE]: run.error_extra },
});

/** A run with a state for each trait: models, GWAS. */
export const stateByTrait = (run: {
  status: Record<string, TraitState>;
  progress: Record<string, Progress | null>;
  error_extras: Record<string, ErrorExtra | null>;
}): RunState => ({ status: run.status, progress: run.progress, errorExtras: run.error_extras });

const KINDS: Record<TraitState, StateKind> = {
  TRAINING: 'processing',
  TRAINED: 'processing',
  EVALUATING: 'processing',
  EVALUATED: 'success',
  PROCESSING: 'processing',
  SUCCESS: 'success',
  ERROR: 'error',
};

export const isRunning = ({ status }: Pick<RunState, 'status'>): boolean =>
  Object.values(status).some((state) => KINDS[state] === 'processing');

/** One state for all traits: the first that still runs, else the first that failed, else the common one. */
export function overallState(status: RunState['status']): TraitState {
  const states = Object.values(status);
  return (
    states.find((state) => KINDS[state] === 'processing') ??
    states.find((state) => state === 'ERROR') ??
    states[0] ??
    'PROCESSING'
  );
}

/** The state of a run in shape and words: where only some of its traits have failed, how many. */
export function badgeOf(run: RunState): { kind: StateKind; label: (t: TFunction) => string } {
  const states = Object.values(run.status);
  if (states.every((state) => state === 'ERROR') && isCancelled(run.errorExtras))
    return { kind: 'waiting', label: (t) => t('runState.cancelled') };
  if (states.every((state) => state === 'PROCESSING' || state === 'TRAINING') && isQueued(run.progress))
    return { kind: 'waiting', label: placeInWords(runsBefore(run.progress)) };
  const state = overallState(run.status);
  const failed = states.filter((one) => one === 'ERROR').length;
  if (state === 'ERROR' && failed < states.length)
    return { kind: 'warning', label: (t) => t('runs.someFailed', { failed, total: states.length }) };
  return { kind: KINDS[state], label: (t) => t(`runs.state.${state}`) };
}

const isQueued = (progress: RunState['progress']): boolean =>
  Object.values(progress).every((step) => step === null || step.stage === 'queued');

/** How many runs begin before one that waits; undefined once any of it has begun, and when nothing tells. */
export function runsBefore(progress: RunState['progress']): number | undefined {
  if (!isQueued(progress)) return undefined;
  return Object.values(progress).find((step) => step !== null)?.runs_before ?? undefined;
}

const placeInWords = (count: number | undefined) => (t: TFunction) =>
  count === undefined || count === 0 ? t('runs.stage.queued') : t('runs.inLine', { place: count + 1 });

const CANCELLED = 'runs/cancelled';

function isCancelled(extras: RunState['errorExtras']): boolean {
  const known = Object.values(extras).filter((one) => one !== null);
  return known.length > 0 && known.every(({ code }) => code === CANCELLED);
}

/** Mean share done over the traits that say how far they are; undefined when none does. */
export function overallShare(progress: RunState['progress']): number | undefined {
  const running = Object.values(progress).filter((one): one is Progress => one !== null && one.total > 0);
  if (running.length === 0) return undefined;
  return running.reduce((sum, one) => sum + shareDone(one.done, one.total), 0) / running.length;
}

/** What a kind of run goes through, in order; where it has several steps, in each of them. */
export type Stages = readonly Stage[] | ((state: TraitState) => readonly Stage[]);

/** Of a model in this state: it is trained first, then evaluated. */
export const stagesOfModel = (state: TraitState): readonly Stage[] =>
  state === 'TRAINING'
    ? ['read', 'match', 'qc', 'kinship', 'fit', 'predict', 'write']
    : ['read', 'match', 'qc', 'kinship', 'cross-validate', 'write'];
export const PREDICTION_STAGES: readonly Stage[] = ['read', 'match', 'predict', 'write'];
export const PHASING_STAGES: readonly Stage[] = ['read', 'phase', 'write'];
export const PARENTAGE_STAGES: readonly Stage[] = ['qc', 'read', 'match', 'test', 'fit', 'write'];
export const CONVERSION_STAGES: readonly Stage[] = ['write'];
export const HYBRID_STAGES: readonly Stage[] = ['read', 'write'];
export const CROSSING_STAGES: readonly Stage[] = ['read', 'match', 'cross', 'write'];
export const PROGRAMME_STAGES: readonly Stage[] = ['read', 'simulate', 'write'];
export const TRIAL_STAGES: readonly Stage[] = ['read', 'fit', 'write'];
export const GWAS_STAGES: readonly Stage[] = ['read', 'match', 'qc', 'kinship', 'fit', 'test', 'write'];

export interface RunFailure {
  traits: string[];
  code: string;
  message: string;
  action: string;
  rest: [string, string][];
}

/** Why a run failed; a failure that several traits share is told once. */
export function failuresOf(errorExtras: RunState['errorExtras']): RunFailure[] {
  const failures = new Map<string, RunFailure>();
  for (const [trait, extra] of Object.entries(errorExtras)) {
    if (!extra) continue;
    const { code = '', message = '', action = '', ...rest } = extra;
    const same = failures.get(`${code}\n${message}`);
    if (same) same.traits.push(trait);
    else failures.set(`${code}\n${message}`, { traits: [trait], code, message, action, rest: Object.entries(rest) });
  }
  return [...failures.values()];
}

interface Together {
  traits: string[];
  state: TraitState;
  step: Progress | null;
}

/** Traits that run, those in the same stage with the same share done together: they are fitted side by side. */
export function runningTogether({ status, progress }: Pick<RunState, 'status' | 'progress'>): Together[] {
  const together = new Map<string, Together>();
  for (const [trait, state] of Object.entries(status)) {
    if (KINDS[state] !== 'processing') continue;
    const step = progress[trait] ?? null;
    const key = step ? `${state} ${step.stage} ${step.done} ${step.total}` : state;
    const same = together.get(key);
    if (same) same.traits.push(trait);
    else together.set(key, { traits: [trait], state, step });
  }
  return [...together.values()];
}
