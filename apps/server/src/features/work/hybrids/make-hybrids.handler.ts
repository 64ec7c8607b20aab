import type { HybridCounts } from '@heterosis/analysis/crossing/hybrid-vcf';
import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';
import type { WorkerServices } from '../../../platform/http/app.ts';
import type { JobRegistration } from '../../../platform/job-queue/job.ts';
import { storageLocation } from '../../../platform/object-storage/storage-location.ts';
import { type FileRow, findFile, panelKeys, registerDerivation } from '../../data/files/index.ts';
import { RunError } from '../runs/work/index.ts';
import { crossesIn, type HybridParameters, readCrosses } from './hybrid-crosses.ts';
import { makeHybridsJob } from './jobs.ts';
import type { MakeHybridsInput, MakeHybridsOutput } from './make-hybrids.compute.ts';

const COMPUTE = new URL('./make-hybrids.compute.ts', import.meta.url);

export const makeHybridsRegistration = (services: WorkerServices): JobRegistration =>
  registerDerivation(services, {
    job: makeHybridsJob,
    step: 'hybrids',
    subject: 'The making of hybrids from the file',
    async make({ file, run, directory, compute }) {
      const parameters = run.parameters as HybridParameters;
      const { crossing_table_id: tableId, renames } = parameters;
      const table = tableId === null ? null : await findFile(services.db, file.project_id, tableId);
      if (table === undefined) throw RunError.inputGone('The crossing table');
      const asked = await readCrosses(services, table, parameters);
      const { crosses, skipped } = await crossesIn(services, file, asked, { renames });
      const { counts, path } = await compute<MakeHybridsInput, MakeHybridsOutput>(COMPUTE, {
        storage: storageLocation(services.config),
        panel: panelKeys(file),
        crosses,
        directory,
      });
      const result = inWords(counts, skipped.length);
      return {
        path,
        contentType: 'application/gzip',
        description: `${result} Parents from ${file.name}, crosses from ${poolsOf(table, parameters)}.`,
        result,
      };
    },
  });

const poolsOf = (table: FileRow | null, { females, males }: HybridParameters): string =>
  table?.name ?? `${count(females.length, 'female')} and ${count(males.length, 'male')}`;

function inWords({ hybrids, markers, missing, heterozygous }: HybridCounts, skipped: number): string {
  const all = missing + heterozygous;
  const some = heterozygous === 0 ? '' : `, ${groupedNumber(heterozygous)} of them heterozygous in a parent`;
  const gaps = all === 0 ? '' : ` ${count(all, 'call')} ${all === 1 ? 'is' : 'are'} missing${some}.`;
  const rest =
    skipped === 0 ? '' : ` ${count(skipped, 'cross', 'crosses')} with a parent that is not genotyped left out.`;
  return `${count(hybrids, 'F1 hybrid')} with ${groupedNumber(markers)} markers.${gaps}${rest}`;
}

const count = (number: number, one: string, many = `${one}s`): string =>
  `${groupedNumber(number)} ${number === 1 ? one : many}`;
