import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';
import { AnalysisError } from '../context.ts';
import type { EngineTask } from './engine-task.ts';
import { type EnginePlan, type Machine, planEngine } from './plan-engine.ts';

/** Largest r² that is left, one after the other: near-copies of a marker say little that it does not say itself. */
export const PRUNING_LIMITS: readonly number[] = [0.95, 0.8, 0.5];

/** Whether an analysis was refused that fits with fewer markers. */
export const isPrunable = (error: unknown): error is AnalysisError =>
  error instanceof AnalysisError && error.details['prunable'] === true;

/**
 * The plan of an analysis that prunes its markers by LD where they do not fit into memory, or a GWAS those of its
 * kinship. How many are left is known only then: the plan is that of as many as fit.
 *
 * @throws AnalysisError `analysis/does-not-fit` where no number of markers fits
 */
export function planWithPruning(task: EngineTask, machine: Machine): EnginePlan {
  try {
    return planEngine(task, machine);
  } catch (error) {
    if (!isPrunable(error)) throw error;
    const atMost = mostThatFit(task, machine);
    if (atMost === 0) throw error;
    const plan = planEngine(withFewer(task, atMost), machine);
    const [first, ...others] = PRUNING_LIMITS;
    const [all, left] = [task.markers, atMost].map(groupedNumber);
    const how = `pruned by LD, to r² ${first}, then ${others.join(' and ')}, until at most ${left} are left, for which this is the estimate`;
    const pruned =
      task.analysis === 'gwas'
        ? `the equations of all ${all} markers do not fit into memory; all are tested, and those of the kinship are first ${how}`
        : `all ${all} markers do not fit into memory and are first ${how}`;
    return { ...plan, reason: `${pruned}; ${plan.reason}`, pruning: { markers: task.markers, atMost } };
  }
}

/** The task with fewer markers, which for a GWAS are those of its kinship. */
export const withFewer = (task: EngineTask, markers: number): EngineTask =>
  task.analysis === 'gwas' ? { ...task, markers, testedMarkers: task.markers } : { ...task, markers };

/** The largest number of markers that fits; 0 where none does. */
function mostThatFit(task: EngineTask, machine: Machine): number {
  const fits = (markers: number): boolean => {
    try {
      planEngine(withFewer(task, markers), machine);
      return true;
    } catch (error) {
      if (isPrunable(error)) return false;
      throw error;
    }
  };
  let [most, tooMany] = [0, task.markers];
  while (tooMany - most > 1) {
    const middle = Math.floor((most + tooMany) / 2);
    if (fits(middle)) most = middle;
    else tooMany = middle;
  }
  return most;
}
