import { type FileType, fileType } from '@heterosis/contracts/data/files';

/** The limits of the server, in bytes: genotypes 10 GB, tables 200 MB. */
const LARGEST_GENOTYPE_BYTES = 10e9;
const LARGEST_TABLE_BYTES = 200e6;

/** What the server would refuse only once everything had been sent. */
export function sizeProblem(file: File, type: FileType | null): 'empty' | 'tooLarge' | undefined {
  if (file.size === 0) return 'empty';
  const isTable = type !== null && type !== fileType.enum.GENOTYPE;
  return file.size > (isTable ? LARGEST_TABLE_BYTES : LARGEST_GENOTYPE_BYTES) ? 'tooLarge' : undefined;
}
