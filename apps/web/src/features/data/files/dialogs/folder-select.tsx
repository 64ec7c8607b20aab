import { foldersApi } from '@heterosis/contracts/endpoints/data/folders';
import { NativeSelect } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { listAll } from '../../../../lib/api/pages.ts';
import { keys } from '../../../../lib/api/query-keys.ts';

const allFoldersQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...keys.folders(projectId), 'all'],
    queryFn: ({ signal }) => listAll(foldersApi.listFolders, { project_id: projectId }, signal),
  });

/** Where something lies: every folder of the project as a path. `without` and what lies in it cannot be chosen. */
export function FolderSelect(props: {
  projectId: string;
  value: string | null;
  onChange: (folderId: string | null) => void;
  without?: string;
}) {
  const { t } = useTranslation();
  const { data = [] } = useQuery(allFoldersQuery(props.projectId));
  const byId = new Map(data.map((one) => [one.id, one]));
  const pathOf = (id: string): { id: string; name: string }[] => {
    const one = byId.get(id);
    return one ? [...(one.folder_id === null ? [] : pathOf(one.folder_id)), one] : [];
  };
  const choices = data
    .map((one) => ({ id: one.id, path: pathOf(one.id) }))
    .filter((one) => !one.path.some((part) => part.id === props.without))
    .map((one) => ({ value: one.id, label: one.path.map((part) => part.name).join(' / ') }))
    .sort((a, b) => a.label.localeCompare(b.label, 'en', { numeric: true }));
  return (
    <NativeSelect
      label={t('kind.folder')}
      value={props.value ?? ''}
      onChange={(event) => props.onChange(event.currentTarget.value || null)}
      data={[{ value: '', label: t('files.root') }, ...choices]}
    />
  );
}
