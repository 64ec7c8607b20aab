import type { GebvRow } from '@heterosis/contracts/work/models';
import type { TFunction } from 'i18next';
import type { DataColumn } from '../../../components/table/data-table.tsx';
import { NumberCell } from '../../../components/table/number-cell.tsx';
import { ReliabilityBar } from '../../../components/table/reliability-bar.tsx';
import { sharedDecimals } from '../../../lib/format/format.ts';
import { INTERVAL } from '../../data/germplasm/index.ts';

type Column = DataColumn<GebvRow>;

/** `rows` are those that show what there is, and how many decimals help. */
export function gebvColumns(
  rows: readonly GebvRow[],
  rankOf: (row: GebvRow) => number | undefined,
  unit: string | undefined,
  t: TFunction,
): Column[] {
  const decimals = sharedDecimals(rows.map((row) => row.gebv));
  const ofTrait = (of: (row: GebvRow) => number | null): Pick<Column, 'unit' | 'value' | 'cell' | 'numeric'> => ({
    unit,
    value: of,
    cell: (row) => <NumberCell value={of(row)} decimals={decimals} />,
    numeric: true,
  });
  const error: Column = {
    id: 'se',
    header: t('passport.interval'),
    hint: t('models.intervalHint'),
    ...ofTrait((row) => (row.se === null ? null : INTERVAL * row.se)),
    width: 110,
    sortable: false,
  };
  const genotypic: Column[] = [
    {
      id: 'genotypic',
      header: t('word.genotypicValue'),
      hint: t('models.genotypicHint'),
      ...ofTrait((row) => row.genotypic),
      width: 150,
      sortable: false,
    },
    {
      id: 'genotypic_reliability',
      header: t('models.genotypicReliability'),
      ...reliability((row) => row.genotypic_reliability),
    },
  ];
  return [
    { id: 'individual', header: t('word.individual'), value: (row) => row.individual },
    {
      id: 'rank',
      header: t('models.rank'),
      value: rankOf,
      cell: (row) => <NumberCell value={rankOf(row)} kind="count" />,
      numeric: true,
      width: 80,
      sortable: false,
    },
    { id: 'gebv', header: 'GEBV', hint: t('models.gebvHint'), ...ofTrait((row) => row.gebv), width: 130, narrow: true },
    {
      id: 'reliability',
      header: t('word.reliability'),
      hint: t('models.reliabilityHint'),
      ...reliability((row) => row.reliability),
    },
    ...(rows.some((row) => row.se !== null) ? [error] : []),
    ...(rows.some((row) => row.genotypic !== null) ? genotypic : []),
    { id: 'observed', header: t('models.observed'), ...ofTrait((row) => row.observed), width: 130, sortable: false },
  ];
}

const reliability = (of: (row: GebvRow) => number | null): Omit<Column, 'id' | 'header'> => ({
  value: of,
  cell: (row) => <ReliabilityBar value={of(row)} />,
  numeric: true,
  width: 170,
  sortable: false,
});
