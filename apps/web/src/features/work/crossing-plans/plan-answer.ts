import type { CrossPlan, CurvePoint } from '@heterosis/statgen/mating/plan-crosses';
import type { PlanTables } from '@heterosis/statgen/mating/plan-tables';
import { type PlanRequest, type PreparedPlan, preparePlan, traitChanges } from '@heterosis/statgen/mating/prepare-plan';
import type { RankedPair } from '@heterosis/statgen/mating/rank-usefulness';

/** A request with its cap (null for the balanced one) and intensity · accuracy. */
export interface PlanQuestion {
  request: PlanRequest;
  cap: number | null;
  factor: number;
}

/** What the page shows for a question. */
export interface PlanAnswer {
  plan: CrossPlan;
  curve: CurvePoint[];
  /** Index of each candidate. */
  value: Float64Array;
  /** Weight per unit of each trait in the index. */
  weights: number[];
  /** Expected change of each trait per unit of selection intensity, and that of the chosen parents. */
  gains: number[];
  changes: number[];
  ranking: RankedPair[];
}

/** Pairs listed by usefulness. */
const RANKED = 200;

/** Answers questions about the same candidates; while only the cap changes, nothing is prepared again. */
export function createAnswerer(tables: PlanTables): (question: PlanQuestion) => PlanAnswer {
  let key = '';
  let prepared: PreparedPlan | undefined;
  let ranking: RankedPair[] = [];
  return ({ request, cap, factor }) => {
    const wanted = JSON.stringify([request, factor]);
    if (prepared === undefined || wanted !== key) {
      // When this fails, the next question starts again.
      prepared = undefined;
      prepared = preparePlan(tables, request);
      ranking = prepared.rank(factor, RANKED);
      key = wanted;
    }
    const plan = prepared.plan(cap ?? prepared.balancedCap);
    const { material, curve } = prepared;
    const settled = withoutRounding(material.value);
    return {
      plan: { ...plan, value: settled(plan.value), valueBound: settled(plan.valueBound) },
      curve: curve.map((point) => ({ ...point, value: settled(point.value) })),
      value: material.value,
      weights: [...material.weights],
      gains: [...material.gains],
      changes: traitChanges(tables, plan),
      ranking,
    };
  };
}

/** A mean that is 0 but for rounding, because everybody is used as often, is shown as 0. */
function withoutRounding(values: Float64Array): (mean: number) => number {
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return (mean) => (Math.abs(mean) <= ROUNDING * largest ? 0 : mean);
}

const ROUNDING = 1e-12;
