import type { ListKind } from '@heterosis/contracts/data/lists';
import { Select } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { asProblem } from '../../../lib/api/problem.ts';
import { showToast } from '../../../lib/browser/toast.ts';
import { formatCount } from '../../../lib/format/format.ts';
import { listQuery, listsQuery } from './lists.api.ts';

/**
 * Takes the names of a list into a field of a form. It has its place also before the lists are known and where there is
 * none, so that nothing moves when they come.
 */
export function TakeFromList(props: {
  projectId: string;
  kind: ListKind;
  /** What the names are taken for. */
  label: string;
  onTake: (names: string[], list: { name: string }) => void;
}) {
  const { projectId, kind, label, onTake } = props;
  const { t } = useTranslation();
  const client = useQueryClient();
  const lists = useQuery(listsQuery(projectId, kind)).data;
  const isEmpty = lists?.length === 0;
  const take = async (id: string): Promise<void> => {
    try {
      const list = await client.fetchQuery(listQuery(projectId, id));
      onTake(list.members, list);
    } catch (error) {
      showToast({ text: asProblem(error).message, isError: true });
    }
  };
  return (
    <Select
      size="xs"
      aria-label={t('lists.takeFor', { label })}
      placeholder={t(isEmpty ? 'lists.empty' : 'lists.take')}
      disabled={lists === undefined || isEmpty}
      data={(lists ?? []).map(({ id, name, size }) => ({ value: id, label: `${name} (${formatCount(size)})` }))}
      searchable
      value={null}
      onChange={(id) => id !== null && void take(id)}
    />
  );
}
