import { Button } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import type { DataColumn } from '../../../components/table/data-table.tsx';

/** A button for what failed and may be tried once more. */
export const repeatColumn = <Row extends { id: string; is_retryable: boolean }>(
  t: TFunction,
  label: string,
  /** Tells a row from the others to those who hear its button. */
  nameOf: (row: Row) => string,
  repeat: UseMutationResult<unknown, Error, string>,
): DataColumn<Row> => ({
  id: 'repeat',
  header: t('operator.repeat'),
  value: () => '',
  cell: (row) =>
    row.is_retryable && (
      <Button
        size="compact-xs"
        variant="default"
        aria-label={`${label}: ${nameOf(row)}`}
        loading={repeat.isPending && repeat.variables === row.id}
        onClick={() => repeat.mutate(row.id)}
      >
        {label}
      </Button>
    ),
  sortable: false,
  width: 110,
});
