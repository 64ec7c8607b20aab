import { describe, expect, it } from 'vitest';
import { textTable } from '../../../components/table/data-table-model.ts';
import { inOrderOf } from '../../../lib/format/trait-order.ts';
import { figureColumn } from './figure-of-traits.tsx';

const runs = [
  { name: 'A', traits: ['dpoll', 'EarHT'], r: { EarHT: 0.487, dpoll: 0.71 } as Record<string, number | null> },
  { name: 'B', traits: ['EarDia', 'dpoll'], r: { EarDia: 0.508, dpoll: null } as Record<string, number | null> },
];
const column = figureColumn(runs, inOrderOf(['EarHT', 'dpoll', 'yield', 'EarDia']), {
  id: 'r',
  header: 'r (CV)',
  value: (run, trait) => run.r[trait],
  format: String,
  sortedBy: (values) => Math.max(...values),
  minWidth: 300,
});

describe('a figure that runs have for each trait', () => {
  it('is exported in one column per trait, in the order of the project, with the number of the screen', () => {
    expect(textTable(runs, [column])).toEqual({
      head: ['r (CV) EarHT', 'r (CV) dpoll', 'r (CV) EarDia'],
      rows: [
        [0.487, 0.71, undefined],
        [undefined, null, 0.508],
      ],
    });
  });

  it('sorts a run by one of its figures, and without any as missing', () => {
    expect(runs.map((run) => column.value(run))).toEqual([0.71, 0.508]);
    expect(column.value({ name: 'C', traits: [], r: {} })).toBeNull();
  });
});
