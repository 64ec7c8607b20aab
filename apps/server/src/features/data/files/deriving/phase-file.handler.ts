import type { PhaseResult } from '@heterosis/analysis/phasing/phase';
import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';
import type { WorkerServices } from '../../../../platform/http/app.ts';
import type { JobRegistration } from '../../../../platform/job-queue/job.ts';
import { storageLocation } from '../../../../platform/object-storage/storage-location.ts';
import { RunError } from '../../../work/runs/work/index.ts';
import { derivedKey, panelKeys } from '../checked-file.ts';
import { type FileRow, findFile } from '../files.queries.ts';
import { phaseFileJob } from '../jobs.ts';
import { registerDerivation } from './derivation.handler.ts';
import type { PhaseFileInput, PhaseFileOutput } from './phase-file.compute.ts';
import type { PhasingParameters } from './phasing.service.ts';

const COMPUTE = new URL('./phase-file.compute.ts', import.meta.url);

export const phaseFileRegistration = (services: WorkerServices): JobRegistration =>
  registerDerivation(services, {
    job: phaseFileJob,
    step: 'phase',
    subject: 'The phasing of the file',
    async make({ file, run, directory, compute }) {
      const { db, config } = services;
      const { linkage_map_id } = run.parameters as PhasingParameters;
      const map = linkage_map_id === null ? null : await findFile(db, file.project_id, linkage_map_id);
      if (map === undefined) throw RunError.inputGone('The linkage map');
      const seed = run.seed ?? 1;
      const { result, path } = await compute<PhaseFileInput, PhaseFileOutput>(COMPUTE, {
        storage: storageLocation(config),
        panel: panelKeys(file),
        linkageMap: map === null ? null : derivedKey(map, 'table'),
        seed,
        memoryMb: config.compute.memoryMb,
        directory,
      });
      return {
        path,
        contentType: 'application/gzip',
        description: describe(file, map, seed, result),
        result: inWords(result),
      };
    },
  });

function inWords({ phasedBy, heterozygousCalls, filledCalls }: PhaseResult): string {
  if (phasedBy === 'homozygous') return 'Nothing was heterozygous: the calls are written as they are, and phased.';
  return `${groupedNumber(heterozygousCalls)} heterozygous calls phased and ${groupedNumber(filledCalls)} missing calls filled by Beagle.`;
}

/** The description of the phased file: where it comes from. */
function describe(file: FileRow, map: FileRow | null, seed: number, result: PhaseResult): string {
  const distances = map === null ? '1 cM per Mb' : `the linkage map ${map.name}`;
  const how = result.phasedBy === 'homozygous' ? '' : ` Distances from ${distances}, seed ${seed}.`;
  const warnings = result.report.problems.map(({ message }) => message).join(' ');
  return `Phased from ${file.name}. ${inWords(result)}${how} ${warnings}`.trim();
}
