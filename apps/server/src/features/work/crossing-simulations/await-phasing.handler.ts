import type { DatabaseTransaction } from '../../../platform/database/database.ts';
import type { WorkerServices } from '../../../platform/http/app.ts';
import type { JobRegistration } from '../../../platform/job-queue/job.ts';
import { type DerivationParameters, type FileRow, findFile, findPhasing } from '../../data/files/index.ts';
import { registerWait } from '../runs/kind/index.ts';
import { type Run, RunError } from '../runs/work/index.ts';
import { crossingSimulations } from './crossing-simulation.kind.ts';
import { type CrossingSimulationRow, updatePhasedGenotype } from './crossing-simulations.queries.ts';
import { awaitPhasingJob, runCrossingJob } from './jobs.ts';

/** Waits until the genotype is phased and its phased file checked. */
export const awaitPhasingRegistration = (services: WorkerServices): JobRegistration =>
  registerWait(services, crossingSimulations, {
    job: awaitPhasingJob,
    next: runCrossingJob,
    stage: 'phase',
    async look(row) {
      const { db } = services;
      // Delivered twice, cancelled, or begun by another job.
      if (row.status !== 'PROCESSING' || !row.parameters.phase_first) return undefined;
      const genotype = row.genotype_id === null ? undefined : await findFile(db, row.project_id, row.genotype_id);
      if (genotype === undefined) throw RunError.inputGone('The genotype file');
      const phasing = await findPhasing(db, genotype.id);
      const phased = await findPhased(services, genotype, phasing);
      if (phased === undefined) return { awaited: phasing };
      return { arrive: (trx) => takeUpPhased(trx, row, { genotype, phased }) };
    },
  });

/** The phased file; undefined while it is made and checked. */
async function findPhased(
  { db }: WorkerServices,
  genotype: FileRow,
  phasing: Run | undefined,
): Promise<FileRow | undefined> {
  if (phasing === undefined || phasing.state === 'CANCELLED')
    throw new RunError({
      code: 'runs/cancelled',
      message: `The phasing of "${genotype.name}" was cancelled.`,
      action: 'Start the simulation again; the genotype is then phased first.',
    });
  if (phasing.state === 'FAILED')
    throw phasing.error_extra === null ? new Error('The phasing gave no reason.') : new RunError(phasing.error_extra);
  const { made_file_id: phasedId } = phasing.parameters as DerivationParameters;
  if (phasedId === undefined) return undefined;
  const phased = await findFile(db, genotype.project_id, phasedId);
  if (phased === undefined) throw RunError.inputGone('The phased genotype file');
  if (phased.status === 'INVALID')
    throw new RunError({
      code: 'files/not-ready',
      message: `The phased file "${phased.name}" has errors.`,
      action: 'Open its page to see them, or choose another phased genotype.',
    });
  return phased.status === 'READY' || phased.status === 'READY_WITH_WARNINGS' ? phased : undefined;
}

/** The phased file takes the place of the genotype, which stays in the parameters. */
async function takeUpPhased(
  trx: DatabaseTransaction,
  row: CrossingSimulationRow,
  { genotype, phased }: { genotype: FileRow; phased: FileRow },
): Promise<Record<string, string | null> | undefined> {
  const { phase_first: _, ...parameters } = row.parameters;
  const phased_from = { id: genotype.id, name: genotype.name };
  const change = { from: genotype.id, to: phased.id, parameters: { ...parameters, phased_from } };
  // Delivered twice, or cancelled meanwhile.
  return (await updatePhasedGenotype(trx, row, change)) ? { genotype: phased.sha256 } : undefined;
}
