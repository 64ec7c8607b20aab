import type { FileVersions } from '@heterosis/contracts/data/files';
import { Table } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { RelativeTime } from '../../../components/table/relative-time.tsx';

/** A phenotype file and the versions that field devices have added to it, the newest first. */
export function FileVersionList({
  projectId,
  fileId,
  versions,
}: {
  projectId: string;
  fileId: string;
  versions: FileVersions;
}) {
  const { t } = useTranslation();
  return (
    <section aria-labelledby="file-versions">
      <h2 id="file-versions">{t('files.versions.title')}</h2>
      <p>{t('files.versions.meaning')}</p>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('word.version')}</Table.Th>
            <Table.Th>{t('kind.file')}</Table.Th>
            <Table.Th>{t('files.versions.made')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {versions.map(({ file, version, created_at }) => (
            <Table.Tr key={file.id}>
              <Table.Td>{version === 0 ? t('files.versions.first') : version}</Table.Td>
              <Table.Td>
                {file.id === fileId ? (
                  <strong>{file.name}</strong>
                ) : (
                  <Link
                    to="/projects/$projectId/files/$fileId"
                    params={{ projectId, fileId: file.id }}
                    className="hx-link"
                  >
                    {file.name}
                  </Link>
                )}
              </Table.Td>
              <Table.Td>
                <RelativeTime date={created_at} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
