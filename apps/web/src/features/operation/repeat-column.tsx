import { Button } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import type { DataColumn } from '../../components/data-table.tsx';

/** A button for what failed and may be tried once more. */
export const repeatColumn = <Row extends { id: string; is_retryable: boolean }>(
  t: TFunction,
  label: string,
  repeat: UseMutationResult<unknown, Error, string>,
): DataColumn<Row> => ({
  id: 'repeat',
  header: t('operator.repeat'),
  value: () => '',
  cell: ({ id, is_retryable }) =>
    is_retryable && (
      <Button
        size="compact-xs"
        variant="default"
        loading={repeat.isPending && repeat.variables === id}
        onClick={() => repeat.mutate(id)}
      >
        {label}
      </Button>
    ),
  sortable: false,
  width: 110,
});
