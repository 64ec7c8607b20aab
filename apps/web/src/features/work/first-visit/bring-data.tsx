import { exampleApi } from '@heterosis/contracts/endpoints/operation/example';
import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { call } from '../../../lib/api/api-client.ts';
import { keys } from '../../../lib/api/query-keys.ts';
import { FileDrop, FileStateBadge, filesQuery, uploadGuessed } from '../../data/files/index.ts';
import classes from './first-visit.module.css';

/** One place for all files: their types are guessed, and each is checked at once. */
export function BringData({ projectId }: { projectId: string }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { data: files = [] } = useQuery(filesQuery(projectId, { folderId: null }));
  const example = useMutation({
    mutationFn: () => call(exampleApi.copyExample, { project_id: projectId }),
    onSettled: () => client.invalidateQueries({ queryKey: keys.project(projectId) }),
  });
  return (
    <>
      <FileDrop
        label={t(files.length === 0 ? 'word.chooseFiles' : 'firstVisit.bring.more')}
        multiple
        isSmall={files.length > 0}
        onFiles={(chosen) =>
          void uploadGuessed(projectId, chosen, new Set(files.map(({ name }) => name.toLowerCase())))
        }
      >
        {files.length === 0 && t('files.upload.formats')}
      </FileDrop>
      {files.length === 0 && (
        <p>
          {t('firstVisit.bring.noFile')}{' '}
          <Button variant="default" size="compact-sm" loading={example.isPending} onClick={() => example.mutate()}>
            {t('firstVisit.bring.example')}
          </Button>
        </p>
      )}
      {example.error && <ErrorNotice error={example.error} />}
      {files.length > 0 && (
        <ul className={classes.files}>
          {files.map((file) => (
            <li key={file.id}>
              <Link className="hx-link" to="/projects/$projectId/files/$fileId" params={{ projectId, fileId: file.id }}>
                {file.name}
              </Link>
              <FileStateBadge file={file} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
