import type { ParentageReport } from '@heterosis/contracts/work/parentage-checks';
import { useTranslation } from 'react-i18next';
import { Section } from '../../../components/page/section.tsx';
import { type DataColumn, DataTable } from '../../../components/table/data-table.tsx';
import { NumberCell } from '../../../components/table/number-cell.tsx';
import { formatDecimals } from '../../../lib/format/format.ts';

type Swap = ParentageReport['swaps'][number];
type Suspect = ParentageReport['suspects'][number];
type Copy = ParentageReport['copies'][number];

const IDENTITY_DECIMALS = 2;

/** Swapped samples, suspects and copies, those that there are. */
export function ParentageFindings({ report, name }: { report: ParentageReport; name: string }) {
  const { swaps, suspects, copies } = report;
  return (
    <>
      {swaps.length > 0 && <Swaps rows={swaps} name={name} />}
      {suspects.length > 0 && <Suspects rows={suspects} name={name} />}
      {copies.length > 0 && <Copies rows={copies} name={name} />}
    </>
  );
}

function Swaps({ rows, name }: { rows: Swap[]; name: string }) {
  const { t } = useTranslation();
  const title = t('parentage_checks.swaps');
  const columns: DataColumn<Swap>[] = [
    { id: 'first', header: t('word.sample'), value: (row) => row.first },
    { id: 'second', header: t('parentage_checks.exchangedWith'), value: (row) => row.second, narrow: true },
    {
      id: 'families',
      header: t('parentage_checks.solved'),
      hint: t('parentage_checks.solvedHint'),
      value: (row) => row.families,
      numeric: true,
      width: 170,
    },
  ];
  return (
    <Section title={title} note={t('parentage_checks.swapsNote')}>
      <DataTable
        fills
        id="parentage-swaps"
        label={title}
        columns={columns}
        rows={rows}
        rowId={(row) => `${row.first} ${row.second}`}
        hasSearch={rows.length > 10}
        csvName={`${name} swaps`}
        maxHeight="18rem"
      />
    </Section>
  );
}

function Suspects({ rows, name }: { rows: Suspect[]; name: string }) {
  const { t } = useTranslation();
  const title = t('parentage_checks.suspects');
  const columns: DataColumn<Suspect>[] = [
    { id: 'individual', header: t('word.sample'), value: (row) => row.individual },
    {
      id: 'conflicts',
      header: t('parentage_checks.inConflict'),
      value: (row) => row.conflicts,
      cell: (row) => t('parentage_checks.ofTested', { conflicts: row.conflicts, tested: row.tested }),
      numeric: true,
      width: 190,
      narrow: true,
    },
    {
      id: 'fits',
      header: t('parentage_checks.fitsAt'),
      hint: t('parentage_checks.fitsAtHint'),
      value: (row) => row.fits.join(', ') || '–',
    },
  ];
  return (
    <Section title={title} note={t('parentage_checks.suspectsNote')}>
      <DataTable
        fills
        id="parentage-suspects"
        label={title}
        columns={columns}
        rows={rows}
        rowId={(row) => row.individual}
        hasSearch={rows.length > 10}
        csvName={`${name} suspects`}
        maxHeight="22rem"
      />
    </Section>
  );
}

function Copies({ rows, name }: { rows: Copy[]; name: string }) {
  const { t } = useTranslation();
  const title = t('parentage_checks.copies');
  const columns: DataColumn<Copy>[] = [
    { id: 'first', header: t('word.sample'), value: (row) => row.first },
    { id: 'second', header: t('word.sameAs'), value: (row) => row.second, narrow: true },
    {
      id: 'identity',
      header: t('parentage_checks.identity'),
      value: (row) => row.identity,
      cell: (row) => `${formatDecimals(100 * row.identity, IDENTITY_DECIMALS)} %`,
      numeric: true,
      width: 140,
    },
    {
      id: 'markers',
      header: t('word.markers'),
      value: (row) => row.markers,
      cell: (row) => <NumberCell value={row.markers} kind="count" />,
      numeric: true,
      width: 120,
    },
  ];
  return (
    <Section title={title} note={t('parentage_checks.copiesNote')}>
      <DataTable
        fills
        id="parentage-copies"
        label={title}
        columns={columns}
        rows={rows}
        rowId={(row) => `${row.first} ${row.second}`}
        hasSearch={rows.length > 10}
        csvName={`${name} copies`}
        maxHeight="18rem"
      />
    </Section>
  );
}
