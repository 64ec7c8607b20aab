import type { DesignRequest } from '@heterosis/statgen/designs/design-types';
import { expect, test } from 'vitest';
import { designKey } from './design-key.ts';

const REQUEST: DesignRequest = {
  ...{ design: 'alpha', entries: [{ name: 'A' }, { name: 'B' }, { name: 'C' }], checks: ['B'], replicates: 2 },
  ...{ blockSize: 3, resolvable: 'rows', mainPlots: [], places: 1, checkPlaces: 'random', varianceRatio: 1 },
  field: { holes: [], borders: 'none', start: 'top-left', along: 'rows', numbering: 'serpentine' },
  ...{ criterion: 'cdmean', seed: 1, effort: 1 },
};
const key = (change: Partial<DesignRequest>) => designKey({ ...REQUEST, ...change });

test('another name, and what a design does not read, leave the map', () => {
  const same = designKey(REQUEST);
  expect(key({ entries: [{ name: 'A' }, { name: 'B2' }, { name: 'C' }], checks: ['B2'] })).toBe(same);
  expect(key({ varianceRatio: 3, criterion: 'pev', mainPlots: ['dry'], resolvable: 'both' })).toBe(same);
});

test('what a design reads makes another map', () => {
  const changes: Partial<DesignRequest>[] = [
    ...[
      { seed: 2 },
      { blockSize: 6 },
      { replicates: 3 },
      { places: 2 },
      { checks: ['C'] },
      { design: 'rcbd' as const },
    ],
    { entries: [{ name: 'A' }, { name: 'B', family: 'F' }, { name: 'C' }] },
    { field: { ...REQUEST.field, rows: 3 } },
  ];
  expect(new Set([REQUEST, ...changes].map((change) => key(change))).size).toBe(changes.length + 1);
  expect(key({ design: 'sparse', varianceRatio: 3 })).not.toBe(key({ design: 'sparse' }));
});
