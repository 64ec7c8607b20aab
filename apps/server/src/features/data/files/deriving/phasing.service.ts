import { withoutEndings } from '@heterosis/contracts/data/file-formats';
import type { FileDetail } from '@heterosis/contracts/data/files';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { filesApi } from '@heterosis/contracts/endpoints/data/files';
import type { DatabaseTransaction } from '../../../../platform/database/database.ts';
import type { Services } from '../../../../platform/http/app.ts';
import type { ProjectCall } from '../../../../platform/http/bind.ts';
import { requireDiploids, requireGenotype, requireReadyFile } from '../checked-file.ts';
import type { FileRow } from '../files.queries.ts';
import { phaseFileJob } from '../jobs.ts';
import { beginDerivation, cancelDerivation, type DerivationRequest, startDerivation } from './derivation.service.ts';
import type { DerivationParameters } from './derivation.ts';

export interface PhasingParameters extends DerivationParameters {
  linkage_map_id: string | null;
}

/** `POST …/files/{id}/phasing`. */
export async function phaseFile(
  { services, access, principal }: ProjectCall,
  { file_id: id, body: { name, linkage_map_id: mapId, seed } }: InputOf<typeof filesApi.phaseFile>,
): Promise<FileDetail> {
  const { db } = services;
  const genotype = await requireGenotype(db, access.projectId, id);
  requireDiploids(genotype, 'Phasing', 'Phase it by another program, and upload the VCF that it writes.');
  const map = mapId == null ? null : await requireReadyFile(db, access.projectId, mapId, 'LINKAGE_MAP');
  return await startDerivation({ services, access, principal }, genotype, phasingOf(genotype, { name, map, seed }));
}

/** `DELETE …/files/{id}/phasing`. */
export async function cancelPhasing(
  call: ProjectCall,
  { file_id }: InputOf<typeof filesApi.cancelPhasing>,
): Promise<FileDetail> {
  return await cancelDerivation(call, file_id, 'phase');
}

interface NewPhasing {
  name: string | undefined;
  map: FileRow | null;
  seed: number;
}

function phasingOf(genotype: FileRow, { name, map, seed }: NewPhasing): DerivationRequest {
  const parameters: PhasingParameters = {
    name: name ?? phasedName(genotype.name),
    linkage_map_id: map?.id ?? null,
  };
  return {
    job: phaseFileJob,
    step: 'phase',
    seed,
    parameters,
    ...(map === null ? {} : { inputs: { linkage_map: map } }),
    // The phased file has about the size of the original.
    sizeBytes: genotype.size_bytes,
  };
}

/** Starts the phasing of a genotype; false if one is under way. */
export async function startPhasing(
  services: Pick<Services, 'jobs' | 'config'>,
  trx: DatabaseTransaction,
  genotype: FileRow,
  {
    organizationId,
    requestedBy,
    ...phasing
  }: NewPhasing & {
    organizationId: string;
    /** Null when no user requested it. */
    requestedBy: string | null;
  },
): Promise<boolean> {
  return await beginDerivation(services, trx, genotype, {
    ...phasingOf(genotype, phasing),
    organizationId,
    requestedBy,
  });
}

/** `panel.hmp.txt` becomes `panel_phased.vcf.gz`. */
const phasedName = (name: string): string => `${withoutEndings(name).slice(0, 240) || 'genotypes'}_phased.vcf.gz`;
