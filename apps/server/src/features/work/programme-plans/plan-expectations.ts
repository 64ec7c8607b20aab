import type { PlannedStep } from '@heterosis/contracts/work/programmes/programme-plans';
import type { ProgrammeScheme, ProgrammeStage } from '@heterosis/contracts/work/programmes/programme-schemes';

/** A mean of the simulation and what it is compared with: stages of the results in a cycle. */
export interface Expectation {
  what: 'SELECTION' | 'SINCE_FOUNDERS';
  cycle: number;
  stage: string;
  /** In the same cycle; null: the first measurement of the replicate. */
  against: string | null;
}

/**
 * Which stages of the results tell the gain that is expected of a step: of a selection the mean of the selected less
 * that of those it chose among, of a trial the mean of its entries less that of the founders. Null where the scheme
 * does not measure them.
 */
export function expectationOf(scheme: ProgrammeScheme, { stage, step, cycle }: PlannedStep): Expectation | null {
  const [list = '', place = ''] = step.split('.');
  const stages = list === 'start' ? scheme.start : list === 'end' ? (scheme.end ?? []) : scheme.cycle;
  const index = Number(place);
  const inCycle = (scheme.first_cycle ?? 1) - 1 + cycle;
  if (stage.do === 'phenotype' || stage.do === 'testcross') {
    const measured = measuredAround(stages, index, stage.population);
    return measured === null ? null : { what: 'SINCE_FOUNDERS', cycle: inCycle, stage: measured, against: null };
  }
  if (stage.do !== 'select') return null;
  const selected = measuredAfter(stages, index + 1, stage.into);
  const candidates = measuredBefore(stages, index, stage.from);
  if (selected === null || candidates === null) return null;
  return { what: 'SELECTION', cycle: inCycle, stage: selected, against: candidates };
}

const measuredAround = (stages: readonly ProgrammeStage[], index: number, population: string): string | null =>
  measuredAfter(stages, index + 1, population) ?? measuredBefore(stages, index, population);

/** Until the population is made anew. */
function measuredAfter(stages: readonly ProgrammeStage[], first: number, population: string): string | null {
  for (const stage of stages.slice(first)) {
    if (isMeasureOf(stage, population)) return stage.stage;
    if ('into' in stage && stage.into === population) return null;
  }
  return null;
}

/** Where the population was selected from another and not measured, those that it was selected from. */
function measuredBefore(stages: readonly ProgrammeStage[], end: number, population: string): string | null {
  for (let i = end - 1; i >= 0; i--) {
    const stage = stages[i];
    if (stage === undefined) continue;
    if (isMeasureOf(stage, population)) return stage.stage;
    if ('into' in stage && stage.into === population)
      return stage.do === 'select' || stage.do === 'recycle' ? measuredBefore(stages, i, stage.from) : null;
  }
  return null;
}

const isMeasureOf = (stage: ProgrammeStage, population: string): stage is Extract<ProgrammeStage, { do: 'measure' }> =>
  stage.do === 'measure' && stage.population === population && !('hybrids_with' in stage && stage.hybrids_with);
