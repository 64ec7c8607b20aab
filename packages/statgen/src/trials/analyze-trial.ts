import { StatgenError } from '../statgen-error.ts';
import { fitTrial, type TrialFit } from './fit-trial.ts';
import { independentColumns } from './independent-columns.ts';
import { checkLayout, type LayoutCheck } from './layout-suspicions.ts';
import { type TrialHeritability, trialHeritability } from './trial-heritability.ts';
import { type SplineSegments, TRIAL_MODELS, type TrialModel, whyNot } from './trial-models.ts';
import { type TrialOutlier, trialOutliers } from './trial-outliers.ts';
import { factorOf, indicators, type TrialPlots, usedPlots } from './trial-plots.ts';

export interface TrialOptions {
  /** `auto` takes the model with the smallest AIC. */
  model: TrialModel | 'auto';
  lines: 'fixed' | 'random' | 'both';
  segments?: SplineSegments;
  /** Fits and lists the other models beside a chosen one; `auto` always does. */
  alternatives?: boolean;
  /** True when nobody asked for the fixed factors: one that cannot be told from the lines becomes random. */
  defaultDesign?: boolean;
}

/** A model that was considered. */
export interface TrialAlternative {
  model: TrialModel;
  fit: Pick<TrialFit, 'logLikelihood' | 'criterion' | 'fixedEffects' | 'varianceParameters' | 'converged'> | null;
  /** Why it was not fitted; null when it was. */
  leftOut: string | null;
}

export interface TrialAnalysis {
  model: TrialModel;
  /** With random lines where that was asked for and possible, else with fixed ones: variances, residuals, criterion. */
  main: TrialFit;
  /** Null, with the reason among the notes, where it was not asked for or is not possible. */
  fixed: TrialFit | null;
  random: TrialFit | null;
  /** The models considered, the chosen one among them. */
  alternatives: TrialAlternative[];
  heritability: TrialHeritability;
  /** Places among `main.used`. */
  outliers: TrialOutlier[];
  layout: LayoutCheck;
  notes: string[];
}

/**
 * Analyses one trial and trait: chooses a model by the information criterion of the full likelihood at the REML
 * estimates (Verbyla 2019, Aust N Z J Stat 61:39–50), which compares models with different fixed effects, and fits it
 * with the lines fixed (means) and random (variances, BLUPs).
 *
 * @throws StatgenError `too-few-individuals`, `constant-trait`, `model-not-applicable` when no model can be fitted, or
 * the chosen one cannot
 */
export function analyzeTrial(given: TrialPlots, options: TrialOptions): TrialAnalysis {
  const { plots, notes } = options.defaultDesign === true ? withEstimableDesign(given) : { plots: given, notes: [] };
  const used = usedPlots(plots);
  const ways = waysOf(options.lines);
  const fits = new Map<string, TrialFit | string>();
  const fitOf = (model: TrialModel, way: 'fixed' | 'random'): TrialFit | string => {
    const key = `${model} ${way}`;
    const known = fits.get(key) ?? tryFit(plots, used, { model, lines: way, segments: options.segments });
    fits.set(key, known);
    return known;
  };
  const asked = options.model === 'auto' || options.alternatives === true ? [...TRIAL_MODELS] : [options.model];
  // All with the lines alike, or the criterion would compare different data.
  const compared = (way: 'fixed' | 'random') => asked.map((candidate) => alternativeOf(candidate, way));
  let alternatives = compared(ways[0]);
  if (ways.length > 1 && alternatives.every(({ fit }) => fit === null)) {
    const others = compared(ways[1]);
    if (others.some(({ fit }) => fit !== null)) alternatives = others;
  }
  const model = options.model === 'auto' ? smallest(alternatives) : options.model;
  const found = model === null ? [] : ways.map((way) => ({ way, fit: fitOf(model, way) }));
  const fitted = (way: 'fixed' | 'random') =>
    found.flatMap((one) => (one.way === way && typeof one.fit !== 'string' ? [one.fit] : [])).at(0) ?? null;
  const [random, fixed] = [fitted('random'), fitted('fixed')];
  const main = random ?? fixed;
  if (model === null || main === null) throw noModel(options.model, alternatives);
  const reason = (way: 'fixed' | 'random') => {
    const one = found.find((candidate) => candidate.way === way);
    return one === undefined ? `the lines were not fitted as ${way}` : one.fit;
  };
  for (const { way, fit } of found) if (typeof fit === 'string') notes.push(`lines are not ${way}: ${fit}`);
  return {
    ...{ model, main, fixed, random, alternatives },
    heritability: trialHeritability(reason('random'), reason('fixed')),
    outliers: trialOutliers(main.studentized),
    layout: checkLayout(plots),
    notes: [...notes, ...main.notes, ...(main.converged ? [] : ['the estimates have not converged'])],
  };

  function alternativeOf(candidate: TrialModel, way: 'fixed' | 'random'): TrialAlternative {
    const reasonOf = whyNot(candidate, plots, used, candidate === options.model);
    const fit = reasonOf ?? fitOf(candidate, way);
    return typeof fit === 'string'
      ? { model: candidate, fit: null, leftOut: fit }
      : { model: candidate, fit, leftOut: null };
  }
}

/** Random lines first: with them models are compared. */
const waysOf = (lines: TrialOptions['lines']): ('fixed' | 'random')[] =>
  lines === 'both' ? ['random', 'fixed'] : [lines];

/** Difference of AIC below which the model named first, the simpler one, is taken. */
const SAME_CRITERION = 1e-6;

function smallest(alternatives: readonly TrialAlternative[]): TrialModel | null {
  let best: { model: TrialModel; aic: number } | null = null;
  for (const { model, fit } of alternatives) {
    if (fit === null) continue;
    const { aic } = fit.criterion;
    if (best === null || aic < best.aic - SAME_CRITERION) best = { model, aic };
  }
  return best?.model ?? null;
}

function noModel(model: TrialOptions['model'], alternatives: readonly TrialAlternative[]): StatgenError {
  const reasons = [...new Set(alternatives.map(({ leftOut }) => leftOut).filter((reason) => reason !== null))];
  return new StatgenError(
    'model-not-applicable',
    `no model can be fitted${model === 'auto' ? '' : ` (${model} was asked for)`}: ${reasons.join('; ')}`,
  );
}

/** A fit, or why there is none. @throws StatgenError `constant-trait`, and `too-few-individuals` for one line */
function tryFit(
  plots: TrialPlots,
  used: Int32Array,
  { model, lines, segments }: { model: TrialModel; lines: 'fixed' | 'random'; segments: SplineSegments | undefined },
): TrialFit | string {
  if (lines === 'random' && model !== 'ar1' && !isAnyRepeated(plots, used))
    return 'every line has one plot, so lines and error cannot be told apart';
  try {
    return fitTrial(plots, { model, lines, ...(segments === undefined ? {} : { segments }) });
  } catch (error) {
    if (!(error instanceof StatgenError)) throw error;
    if (error.code === 'constant-trait' || error.details['lines'] !== undefined) throw error;
    return error.message;
  }
}

function isAnyRepeated({ line, lines }: TrialPlots, used: Int32Array): boolean {
  const counts = new Int32Array(lines.length);
  for (const plot of used) counts[line[plot]]++;
  return counts.some((count) => count > 1);
}

/** Fixed factors that cannot be told from fixed lines and each other become random. */
function withEstimableDesign(given: TrialPlots): { plots: TrialPlots; notes: string[] } {
  const used = usedPlots(given);
  const plots = { ...given, fixed: [...given.fixed], random: [...given.random] };
  const notes: string[] = [];
  const codes = factorOf({ name: 'lines', codes: given.line }, used);
  for (const factor of given.fixed) {
    const levels = factorOf(factor, used);
    const lines = { codes: codes.codes, count: codes.levels, random: false };
    if (levels.levels < 2 || independentColumns(indicators(levels, 1), lines) === null) continue;
    plots.fixed.splice(plots.fixed.indexOf(factor), 1);
    plots.random.unshift(factor);
    notes.push(`${factor.name} are random: lines that would connect them are missing`);
  }
  return { plots, notes };
}
