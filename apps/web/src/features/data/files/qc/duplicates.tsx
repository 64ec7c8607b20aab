import type { FileDetail } from '@heterosis/contracts/data/files';
import type { GenotypeQcBody } from '@heterosis/contracts/data/files-qc';
import { useTranslation } from 'react-i18next';
import { Section } from '../../../../components/page/section.tsx';
import { type DataColumn, DataTable } from '../../../../components/table/data-table.tsx';
import { NumberCell } from '../../../../components/table/number-cell.tsx';
import { formatCount } from '../../../../lib/format/format.ts';
import { KeepAsList } from '../../lists/index.ts';

type DuplicateRow = GenotypeQcBody['duplicates'][number];

export function Duplicates({ file, qc }: { file: FileDetail; qc: GenotypeQcBody }) {
  const { t } = useTranslation();
  const columns: DataColumn<DuplicateRow>[] = [
    { id: 'first', header: t('word.sample'), value: (row) => row.first },
    { id: 'second', header: t('word.sameAs'), value: (row) => row.second, narrow: true },
    {
      id: 'identity',
      header: t('files.qc.identity'),
      unit: '%',
      value: (row) => 100 * row.identity,
      cell: (row) => <NumberCell value={100 * row.identity} decimals={1} />,
      numeric: true,
      width: 140,
    },
  ];
  const { duplicate_search: search } = qc;
  const notes = [
    search === undefined
      ? t('files.qc.duplicatesNote')
      : t('files.qc.duplicatesNoteOf', { markers: formatCount(search.markers) }),
    ...(search !== undefined && search.pairs > qc.duplicates.length
      ? [t('files.qc.duplicatesMore', { shown: formatCount(qc.duplicates.length), total: formatCount(search.pairs) })]
      : []),
    ...(search !== undefined && search.unverified > 0
      ? [t('files.qc.duplicatesUnverified', { pairs: formatCount(search.unverified) })]
      : []),
  ];
  return (
    <Section
      title={t('files.qc.duplicates')}
      note={notes.join(' ')}
      action={
        <KeepAsList
          projectId={file.project_id}
          kind="germplasm"
          names={new Set(qc.duplicates.map(({ second }) => second))}
          label={t('files.qc.keepDuplicates')}
        />
      }
    >
      <DataTable
        id="qc-duplicates"
        label={t('files.qc.duplicates')}
        columns={columns}
        rows={qc.duplicates}
        rowId={(row) => `${row.first} ${row.second}`}
        maxHeight="20rem"
      />
    </Section>
  );
}
