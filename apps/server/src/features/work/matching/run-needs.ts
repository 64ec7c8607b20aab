import { AnalysisError } from '@heterosis/analysis/context';
import type { EngineTask } from '@heterosis/analysis/engine/engine-task';
import { usableMemoryMb } from '@heterosis/analysis/engine/machine-rates';
import type { EnginePlan, Machine } from '@heterosis/analysis/engine/plan-engine';
import { planWithPruning } from '@heterosis/analysis/engine/plan-with-pruning';
import { ERRORS_OF_INDIVIDUALS } from '@heterosis/analysis/inputs/value-errors';
import type { GeneAction } from '@heterosis/contracts/options/gwas';
import type { Queryable } from '../../../platform/database/database.ts';
import type { Services } from '../../../platform/http/app.ts';
import type { Needs } from '../../../platform/job-queue/job.ts';
import { largestMemoryMb } from '../../../platform/job-queue/workers.ts';
import { type FileRow, ploidyOf } from '../../data/files/index.ts';

/** What the time and memory of a run depend on. */
export interface RunSizes {
  genotype: Pick<FileRow, 'row_count' | 'column_count' | 'meta'>;
  phenotype: Pick<FileRow, 'row_count'>;
  traits: number;
  dominance?: boolean;
  singleStep?: boolean;
  /** Whether the traits of a model are fitted together; of a GWAS, the tests on the traits together alone. */
  multiTrait?: boolean;
  /** What is known of the errors of the values, and whether a variance of lines is fitted beside them. */
  weights?: 'none' | 'se' | 'full';
  residualLines?: boolean;
  /** See `EngineTask`; default by whether the genotype misses any call. */
  wholeShare?: number;
  folds?: number;
  repetitions?: number;
  /** Whether variances are estimated again for every marker (WALD, LRT). */
  isFitted?: boolean;
  loco?: boolean;
  permutations?: number;
  geneActions?: readonly GeneAction[];
  /** Steps of a multi-locus model. */
  stepwise?: number;
}

/** Those of a file are not known before it is read. */
const TYPICAL_CHROMOSOMES = 12;

/**
 * How the largest worker would compute a run of these sizes. Individuals that only one file has are not known before
 * names are matched, so that this is the plan of the smaller file. Markers that do not fit are pruned.
 *
 * @throws AnalysisError `analysis/does-not-fit`
 */
export function planRun(analysis: EngineTask['analysis'], sizes: RunSizes, machine: Machine): EnginePlan {
  const { genotype, phenotype, traits, folds, repetitions, isFitted, permutations = 0, stepwise = 0 } = sizes;
  const { weights = 'none', residualLines = false } = sizes;
  const individuals = genotype.row_count ?? 0;
  const task: EngineTask = {
    analysis,
    individuals,
    observed: Math.min(individuals, phenotype.row_count ?? individuals),
    markers: genotype.column_count ?? 0,
    traits,
    ...(sizes.multiTrait === true ? { together: true } : {}),
    groups: 1,
    dominance: analysis !== 'gwas' && sizes.dominance === true,
    wholeShare: sizes.wholeShare ?? Number(isWhole(genotype)),
    needsIndividuals:
      analysis === 'gwas' && sizes.dominance === true
        ? 'The test of dominance needs the kinship of the individuals.'
        : sizes.singleStep === true
          ? 'The relationships of a pedigree are those of individuals.'
          : sizes.multiTrait === true
            ? 'Several traits together are computed from the kinship of the individuals.'
            : permutations > 0 || stepwise > 0
              ? 'Permutations and multi-locus models need the decomposition of the kinship of the individuals.'
              : weights === 'full'
                ? ERRORS_OF_INDIVIDUALS.covariance.reason
                : weights === 'se' && residualLines
                  ? ERRORS_OF_INDIVIDUALS.residualLines.reason
                  : null,
    needsMarkers: null,
    ...(weights === 'none' ? {} : { errors: weights === 'full' ? 'correlated' : 'independent', residualLines }),
    ...(folds === undefined ? {} : { folds }),
    ...(repetitions === undefined ? {} : { repetitions }),
    ...(isFitted === undefined ? {} : { isFitted }),
    chromosomesLeftOut: sizes.loco === true ? TYPICAL_CHROMOSOMES : 0,
    furtherRotations: stepwise,
    geneActions: (sizes.geneActions ?? []).map((action) => columnsOf(action, ploidyOf(genotype))),
    permutations,
  };
  return planWithPruning(task, machine);
}

/** Of a marker with all classes of dosage. */
const columnsOf = (action: GeneAction, ploidy: number): number =>
  action === 'general' ? ploidy : action === 'diplo-general' ? 2 : 1;

/** Whether no call of a genotype is missing and no dosage has fractions; unknown of files checked by older versions. */
export const isWhole = ({ meta }: RunSizes['genotype']): boolean =>
  meta.panel?.missingShare === 0 && meta.panel.fractional === null;

/** What a run knows of the errors of its values, from its stored parameters. */
export const weightsOf = (stored: {
  weights?: RunSizes['weights'];
  standard_errors?: string[] | undefined;
}): NonNullable<RunSizes['weights']> => stored.weights ?? (stored.standard_errors === undefined ? 'none' : 'se');

/** What the largest worker has; of this machine when no worker is known yet. */
export async function largestMachine({ db, config }: Pick<Services, 'db' | 'config'>): Promise<Machine> {
  return { threads: config.compute.threads ?? 1, memoryMb: await largestMemory(db) };
}

const largestMemory = async (db: Queryable): Promise<number> => (await largestMemoryMb(db)) ?? usableMemoryMb();

/** Memory and disk of a step. What seems to fit nowhere has the largest worker to itself, and says itself why not. */
export async function needsOf(
  services: Pick<Services, 'db' | 'config'>,
  analysis: EngineTask['analysis'],
  sizes: RunSizes,
): Promise<Needs> {
  const machine = await largestMachine(services);
  try {
    const { estimate } = planRun(analysis, sizes, machine);
    return { memoryMb: Math.ceil(estimate.memoryMb), diskMb: Math.ceil(estimate.diskMb) };
  } catch (error) {
    if (!(error instanceof AnalysisError)) throw error;
    return { memoryMb: Math.floor(machine.memoryMb), diskMb: 0 };
  }
}
