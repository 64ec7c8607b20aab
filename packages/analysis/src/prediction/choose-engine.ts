import { ploidyOf } from '@heterosis/file-formats/genotype/panel/dosages';
import type { GenotypePanel } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import { blocksOf } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import { type AnalysisContext, AnalysisError } from '../context.ts';
import type { Engine, EngineTask } from '../engine/engine-task.ts';
import { measureRates, usableMemoryMb } from '../engine/machine-rates.ts';
import { type EnginePlan, type Machine, planEngine } from '../engine/plan-engine.ts';
import { planWithPruning } from '../engine/plan-with-pruning.ts';
import { wholeShare } from '../engine/whole-share.ts';
import { type AlignedErrors, type ErrorNeeds, errorNeeds } from '../inputs/value-errors.ts';
import { groupKey } from './fit-in-marker-space.ts';
import type { KinshipSource } from './kinship-source.ts';
import type { ModelSettings } from './trained-model.ts';
import type { TrainingTrait } from './training-data.ts';

/** What a caller may say about how an analysis is computed. */
export interface EngineInput {
  /** Default: what is faster. */
  engine?: Engine;
  /** MB that the analysis may use; default most of the machine's. */
  memoryMb?: number;
}

export interface ModelTask extends EngineInput {
  panel: GenotypePanel;
  individuals: readonly string[];
  settings: ModelSettings;
  traits: readonly TrainingTrait[];
  source: Pick<KinshipSource, 'from'>;
  folds?: number;
  repetitions?: number;
  /** Whether whole environments are left out. */
  leavesOutEnvironments?: boolean;
  /** Whether the traits are fitted together. */
  multiTrait?: boolean;
}

/**
 * How a model is trained or evaluated.
 *
 * @throws AnalysisError `analysis/does-not-fit`
 */
export async function chooseEngine(
  analysis: 'train' | 'evaluate',
  task: ModelTask,
  context: Pick<AnalysisContext, 'threads'>,
): Promise<EnginePlan> {
  return planEngine(await engineTaskOf(analysis, task), machineOf(task, context));
}

/**
 * The same before a run that prunes markers which do not fit, with the seconds of this machine.
 *
 * @throws AnalysisError `analysis/does-not-fit`
 */
export async function estimateModel(
  analysis: 'train' | 'evaluate',
  task: ModelTask,
  context: Pick<AnalysisContext, 'threads'>,
): Promise<EnginePlan> {
  return planWithPruning(await engineTaskOf(analysis, task), { ...machineOf(task, context), rates: measureRates() });
}

/**
 * What known errors mean for an engine that was asked for, or not.
 *
 * @throws AnalysisError `errors/engine` where it does not take them
 */
export function errorNeedsOf(errors: readonly (AlignedErrors | null)[], engine: Engine | undefined): ErrorNeeds {
  const needs = errorNeeds(errors);
  if (engine !== 'markers' || needs.needsIndividuals === null) return needs;
  const { reason, suggestion } = needs.needsIndividuals;
  throw new AnalysisError('errors/engine', reason, suggestion);
}

const machineOf = ({ memoryMb }: ModelTask, { threads }: Pick<AnalysisContext, 'threads'>): Machine => ({
  threads,
  memoryMb: memoryMb ?? usableMemoryMb(),
});

async function engineTaskOf(analysis: 'train' | 'evaluate', task: ModelTask): Promise<EngineTask> {
  const { settings, source, traits, engine } = task;
  const errors = errorNeedsOf(
    traits.map((trait) => trait.errors),
    engine,
  );
  const needsIndividuals =
    source.from !== 'markers'
      ? 'The relationships of a file or a pedigree are those of individuals.'
      : task.multiTrait === true
        ? 'Several traits together are computed from the kinship of the individuals.'
        : task.leavesOutEnvironments === true
          ? 'Leaving out environments needs the kinship of the individuals.'
          : settings.dominance && ploidyOf(task.panel) > 2
            ? 'Digenic dominance of polyploids is computed from the kinship of the individuals.'
            : (errors.needsIndividuals?.reason ??
              (engine === 'individuals' ? 'The kinship of the individuals was asked for.' : null));
  const observed = traits.map(({ values }) => values.reduce((sum, value) => sum + (Number.isNaN(value) ? 0 : 1), 0));
  return {
    analysis,
    individuals: task.individuals.length,
    observed: Math.max(0, ...observed),
    markers: task.panel.markers.id.length,
    traits: traits.length,
    ...(task.multiTrait === true ? { together: true } : {}),
    dominance: settings.dominance,
    groups: new Set(traits.map(groupKey)).size,
    ...errors.task,
    needsIndividuals,
    needsMarkers:
      engine === 'markers' && needsIndividuals === null ? 'The equations of the markers were asked for.' : null,
    kinship: settings.kinship,
    wholeShare: source.from === 'markers' ? await wholeShare(blocksOf(task.panel)) : 0,
    ...(task.folds === undefined ? {} : { folds: task.folds }),
    ...(task.repetitions === undefined ? {} : { repetitions: task.repetitions }),
  };
}
