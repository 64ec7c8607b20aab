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

/**
 * One place for all files: their types are guessed, and each is checked at once.
 *
 * @param props.expected files of the project, whose room is kept while they load
 */
export function BringData({ projectId, expected }: { projectId: string; expected: number }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { data: files } = useQuery(filesQuery(projectId, { folderId: null }));
  const count = files?.length ?? expected;
  const example = useMutation({
    mutationFn: () => call(exampleApi.copyExample, { project_id: projectId }),
    onSettled: () => client.invalidateQueries({ queryKey: keys.project(projectId) }),
  });
  return (
    <>
      <FileDrop
        label={t(count === 0 ? 'word.chooseFiles' : 'firstVisit.bring.more')}
        multiple
        isSmall={count > 0}
        onFiles={(chosen) =>
          void uploadGuessed(projectId, chosen, new Set(files?.map(({ name }) => name.toLowerCase())))
        }
      >
        {count === 0 && t('files.upload.formats')}
      </FileDrop>
      {count === 0 && (
        <p>
          {t('firstVisit.bring.noFile')}{' '}
          <Button variant="default" size="compact-sm" loading={example.isPending} onClick={() => example.mutate()}>
            {t('firstVisit.bring.example')}
          </Button>
        </p>
      )}
      {example.error && <ErrorNotice error={example.error} />}
      {count > 0 && (
        <ul className={classes.files}>
          {files === undefined && Array.from({ length: count }, (_, k) => <li key={k}>{'\u00A0'}</li>)}
          {files?.map((file) => (
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
