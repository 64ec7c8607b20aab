import { Button } from '@mantine/core';
import type { TFunction } from 'i18next';
import type { DataColumn } from '../../../components/table/data-table.tsx';
import { RelativeTime } from '../../../components/table/relative-time.tsx';

/** When a row was deleted. */
export const deletedAtColumn = <Row extends { deleted_at: string }>(t: TFunction, width: number): DataColumn<Row> => ({
  id: 'deleted_at',
  header: t('bin.deleted'),
  value: (one) => one.deleted_at,
  cell: (one) => <RelativeTime date={one.deleted_at} />,
  width,
});

/** The button that restores a row, where that is allowed. */
export const restoreColumn = <Row extends { id: string; name: string }>(
  t: TFunction,
  restore: { isPending: boolean; variables: string | undefined; mutate: (id: string) => void },
  mayRestore: (row: Row) => boolean = () => true,
): DataColumn<Row> => ({
  id: 'restore',
  header: t('bin.restore'),
  value: () => '',
  cell: (one) =>
    mayRestore(one) && (
      <Button
        size="compact-xs"
        variant="default"
        aria-label={t('bin.restoreNamed', { name: one.name })}
        loading={restore.isPending && restore.variables === one.id}
        onClick={() => restore.mutate(one.id)}
      >
        {t('bin.restore')}
      </Button>
    ),
  sortable: false,
  width: 100,
  narrow: true,
});
