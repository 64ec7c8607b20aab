import { fileFormat } from '@heterosis/contracts/data/file-formats';
import { expect, test } from 'vitest';
import common from '../../../../public/locales/en/common.json' with { type: 'json' };

test('every format that a file can have is named on the page, each in its own words', () => {
  const names: Record<string, string> = common.files.formatName;
  expect(Object.keys(names).sort()).toEqual([...fileFormat.options].sort());
  expect(new Set(Object.values(names)).size).toBe(fileFormat.options.length);
});
