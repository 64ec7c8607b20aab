import { selectionIntensity } from '@heterosis/statgen/crossing/cross-criteria';
import type { CrossPlan, CurvePoint } from '@heterosis/statgen/mating/plan-crosses';
import { PlanImpossible } from '@heterosis/statgen/mating/plan-limits';
import type { PlanTables } from '@heterosis/statgen/mating/plan-tables';
import { type PlanRequest, preparePlan, traitChanges } from '@heterosis/statgen/mating/prepare-plan';
import type { RankedPair } from '@heterosis/statgen/mating/rank-usefulness';
import { StatgenError } from '@heterosis/statgen/statgen-error';
import { AnalysisError } from '../context.ts';

export { weightsPerDeviation } from '@heterosis/statgen/mating/plan-tables';
export { INDEX_METHODS, type IndexMethod } from '@heterosis/statgen/mating/selection-index';

/** A request, and what the caller leaves to the plan. */
export interface PlanInput extends PlanRequest {
  /** Cap on the group coancestry; null for the balanced one. */
  cap: number | null;
  /** Selected share of the progeny and accuracy of that selection, for the usefulness of pairs. */
  fraction: number;
  accuracy: number;
}

/** A plan, the curve it lies on, and the best pairs. */
export interface PlanResult {
  tables: PlanTables;
  plan: CrossPlan;
  curve: CurvePoint[];
  balancedCap: number;
  /** Index of each candidate, and the weight of each trait in it. */
  value: Float64Array;
  weights: Float64Array;
  /** Expected change of each trait per unit of selection intensity. */
  gains: Float64Array;
  /** Change of each trait from the candidates' mean to the parents' mean. */
  changes: number[];
  ranking: RankedPair[];
  /** Intensity times accuracy: usefulness = mean + factor · sd. */
  factor: number;
}

/** Pairs listed by usefulness. */
const RANKED = 1000;

/**
 * Plans crosses. Deterministic: the same tables and request give the same bytes on every machine.
 *
 * @throws AnalysisError `planning/impossible` with what makes the plan impossible
 */
export function planCrosses(tables: PlanTables, input: PlanInput): PlanResult {
  try {
    const prepared = preparePlan(tables, input);
    const plan = prepared.plan(input.cap ?? prepared.balancedCap);
    const factor = selectionIntensity(input.fraction) * input.accuracy;
    const { value, weights, gains } = prepared.material;
    return {
      tables,
      plan,
      curve: prepared.curve,
      balancedCap: prepared.balancedCap,
      value,
      weights,
      gains,
      changes: traitChanges(tables, plan),
      ranking: prepared.rank(factor, RANKED),
      factor,
    };
  } catch (error) {
    if (!(error instanceof PlanImpossible || (error instanceof StatgenError && error.code === 'bad-option')))
      throw error;
    throw new AnalysisError('planning/impossible', sentence(error.message), WHAT_TO_DO);
  }
}

const WHAT_TO_DO = 'Allow more uses of each parent, ask for fewer crosses, or change the candidates, pairs or weights.';

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
