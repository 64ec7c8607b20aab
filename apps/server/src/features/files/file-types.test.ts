import { fileType } from '@heterosis/contracts/files';
import { CHOSEN_FILE_TYPES } from '@heterosis/file-formats/detect-file-kind';
import { expect, test } from 'vitest';

test('the readers know the types of file that the API has', () => {
  expect([...CHOSEN_FILE_TYPES].sort()).toEqual([...fileType.options].sort());
});
