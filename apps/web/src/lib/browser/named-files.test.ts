import { expect, it } from 'vitest';
import { filesNamedBy, namingFiles } from './named-files.ts';

it('names one file or both, and is told from the id of a run', () => {
  for (const files of [{ genotype: 'g', phenotype: 'p' }, { genotype: 'g' }, { phenotype: 'p' }])
    expect(filesNamedBy(namingFiles(files))).toEqual(files);
  expect(filesNamedBy('01900000-0000-7000-8000-000000000001')).toBeUndefined();
  expect(filesNamedBy(undefined)).toBeUndefined();
});
