import type { LeftOut } from '@heterosis/contracts/data/files';
import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';
import type { JobRegistration } from '../../../../platform/job-queue/job.ts';
import { storageLocation } from '../../../../platform/object-storage/storage-location.ts';
import type { RunWorkerServices } from '../../../work/runs/work/index.ts';
import { type FileRow, panelKeys, registerDerivation } from '../../files/index.ts';
import { convertFileJob } from '../jobs.ts';
import type { ConvertFileInput, ConvertFileOutput } from './convert-file.compute.ts';
import { type ConversionParameters, convertedForm } from './convert-file.service.ts';

const COMPUTE = new URL('./convert-file.compute.ts', import.meta.url);

export const convertFileRegistration = (services: RunWorkerServices): JobRegistration =>
  registerDerivation(services, {
    job: convertFileJob,
    step: 'convert',
    subject: 'The conversion of the file',
    async make({ file, run, directory, compute }) {
      const form = convertedForm(file);
      if (form === undefined) throw new Error(`a file of type ${file.file_type} cannot be converted`);
      const { renames, unsettled } = run.parameters as ConversionParameters;
      const isPanel = file.file_type === 'GENOTYPE' && file.format !== 'vcf';
      const { path } = await compute<ConvertFileInput, ConvertFileOutput>(COMPUTE, {
        storage: storageLocation(services.config),
        source: isPanel
          ? { panel: panelKeys(file), format: file.format === 'numeric-matrix' ? 'numeric' : 'vcf' }
          : { key: file.storage_key, name: file.name, type: file.file_type, ...leftOutOf(file) },
        renames,
        maxInflatedBytes: services.config.limits.inflatedBytes,
        directory,
      });
      const result = `${inWords(renames.length)} replaced by those of the germplasm list.${restInWords(unsettled)}`;
      return {
        path,
        contentType: form.contentType,
        description: `Converted from ${file.name}: ${result}`,
        ...(form.options === undefined ? {} : { options: form.options }),
        result,
      };
    },
  });

const leftOutOf = ({ meta: { options } }: FileRow): { leftOut?: LeftOut } =>
  options?.left_out == null ? {} : { leftOut: options.left_out };

const restInWords = (left: number): string =>
  left === 0
    ? ''
    : ` ${inWords(left)} that the list does not settle ${left === 1 ? 'is as it was' : 'are as they were'}.`;

const inWords = (count: number): string => `${groupedNumber(count)} ${count === 1 ? 'name' : 'names'}`;
