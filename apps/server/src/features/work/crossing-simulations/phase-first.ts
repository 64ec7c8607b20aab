import type { DatabaseTransaction } from '../../../platform/database/database.ts';
import type { Services } from '../../../platform/http/app.ts';
import {
  type DerivationParameters,
  type FileRow,
  findFile,
  findPhasing,
  startPhasing,
} from '../../data/files/index.ts';
import type { CrossingSimulationRow } from './crossing-simulations.queries.ts';

/** Phasing draws at random: with the same seed it gives the same haplotypes again. */
const PHASING_SEED = 1;

/** Starts the phasing of a genotype for a simulation. One that is under way, or whose file is there, serves as well. */
export async function ensurePhasing(
  services: Pick<Services, 'jobs' | 'config'>,
  trx: DatabaseTransaction,
  genotype: FileRow,
  phasing: { map: FileRow | null; organizationId: string; requestedBy: string | null },
): Promise<void> {
  const before = await findPhasing(trx, genotype.id);
  if (before?.state === 'SUCCEEDED') {
    const { made_file_id: id } = before.parameters as DerivationParameters;
    const phased = id === undefined ? undefined : await findFile(trx, genotype.project_id, id);
    if (phased !== undefined && phased.status !== 'INVALID') return;
  }
  await startPhasing(services, trx, genotype, { ...phasing, name: undefined, seed: PHASING_SEED });
}

/** The same for a simulation that is started again. */
export async function ensurePhasingOf(
  services: Pick<Services, 'jobs' | 'config'>,
  trx: DatabaseTransaction,
  { project_id, organization_id, genotype_id, linkage_map_id }: CrossingSimulationRow,
  requestedBy: string | null,
): Promise<void> {
  const genotype = genotype_id === null ? undefined : await findFile(trx, project_id, genotype_id);
  const map = linkage_map_id === null ? undefined : await findFile(trx, project_id, linkage_map_id);
  if (genotype === undefined) return;
  await ensurePhasing(services, trx, genotype, { map: map ?? null, organizationId: organization_id, requestedBy });
}
