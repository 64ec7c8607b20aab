import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';
import type { WorkerServices } from '../../../../platform/http/app.ts';
import type { JobRegistration } from '../../../../platform/job-queue/job.ts';
import { storageLocation } from '../../../../platform/object-storage/storage-location.ts';
import { derivedKey, panelKeys, registerDerivation, type StoredCovariance, tableMappingOf } from '../../files/index.ts';
import { convertFileJob } from '../jobs.ts';
import type { ConvertFileInput, ConvertFileOutput, RenamedCovariance } from './convert-file.compute.ts';
import { type ConversionParameters, convertedForm } from './convert-file.service.ts';

const COMPUTE = new URL('./convert-file.compute.ts', import.meta.url);

export const convertFileRegistration = (services: WorkerServices): JobRegistration =>
  registerDerivation(services, {
    job: convertFileJob,
    step: 'convert',
    subject: 'The conversion of the file',
    async make({ file, run, directory, compute }) {
      const form = convertedForm(file);
      if (form === undefined) throw new Error(`a file of type ${file.file_type} cannot be converted`);
      const { renames, unsettled } = run.parameters as ConversionParameters;
      const isPanel = file.file_type === 'GENOTYPE' && file.format !== 'vcf';
      const { covariance } = file.meta;
      const made = await compute<ConvertFileInput, ConvertFileOutput>(COMPUTE, {
        storage: storageLocation(services.config),
        source: isPanel
          ? { panel: panelKeys(file), format: file.format === 'numeric-matrix' ? 'numeric' : 'vcf' }
          : { key: file.storage_key, name: file.name, type: file.file_type, ...tableMappingOf(file.meta) },
        ...(covariance === undefined
          ? {}
          : { covariance: { key: derivedKey(file, 'covariance'), traits: covariance.traits } }),
        renames,
        maxInflatedBytes: services.config.limits.inflatedBytes,
        directory,
      });
      const result = `${inWords(renames.length)} replaced by those of the germplasm list.${restInWords(unsettled)}`;
      return {
        path: made.path,
        contentType: form.contentType,
        description: `Converted from ${file.name}: ${result}`,
        ...(form.options === undefined ? {} : { options: form.options }),
        ...(covariance === undefined || made.covariance === null
          ? {}
          : { covariance: withBytes(covariance, made.covariance) }),
        result,
      };
    },
  });

const withBytes = (
  covariance: StoredCovariance,
  { path, traits, size_bytes, sha256 }: RenamedCovariance,
): { path: string; stored: StoredCovariance } => ({
  path,
  stored: {
    ...{ ...covariance, size_bytes, sha256 },
    traits: covariance.traits.map((own, place) => ({ ...own, ...traits[place] })),
  },
});

const restInWords = (left: number): string =>
  left === 0
    ? ''
    : ` ${inWords(left)} that the list does not settle ${left === 1 ? 'is as it was' : 'are as they were'}.`;

const inWords = (count: number): string => `${groupedNumber(count)} ${count === 1 ? 'name' : 'names'}`;
