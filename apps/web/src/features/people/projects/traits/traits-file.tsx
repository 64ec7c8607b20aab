import { projectTraitsApi } from '@heterosis/contracts/endpoints/people/project-traits';
import { MAX_TRAITS_FILE, type TraitsReading } from '@heterosis/contracts/people/traits';
import { Button, FileButton, MultiSelect } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../../components/page/error-notice.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import { call } from '../../../../lib/api/api-client.ts';
import { downloadAnswer } from '../../../../lib/browser/download.ts';
import { formatCount } from '../../../../lib/format/format.ts';
import classes from '../trait-settings-modal.module.css';

/** A dictionary of a crop has hundreds of traits, of which a project measures some. */
const TAKEN_AT_ONCE = 30;

/** Traits from a file and into one. What is read goes into the form, and is stored with it. */
export function TraitsFile({
  projectId,
  onTake,
}: {
  projectId: string;
  onTake: (read: TraitsReading['traits']) => void;
}) {
  const { t } = useTranslation();
  const [names, setNames] = useState<string[]>([]);
  const read = useMutation({
    mutationFn: async (file: File) => {
      if (file.size > MAX_TRAITS_FILE) throw new Error(t('traits.tooLarge'));
      return await call(projectTraitsApi.readTraits, {
        project_id: projectId,
        body: new Blob([file], { type: 'application/octet-stream' }),
      });
    },
    onSuccess: ({ traits }) => setNames(traits.length > TAKEN_AT_ONCE ? [] : traits.map(({ name }) => name)),
  });
  const write = useMutation({
    mutationFn: async () =>
      downloadAnswer(await call(projectTraitsApi.getTraitsFile, { project_id: projectId }), 'traits.trt'),
  });
  const error = read.error ?? write.error;
  const { data } = read;
  return (
    <div className={classes.file}>
      <div className={classes.fileButtons}>
        <FileButton
          onChange={(file) => file && read.mutate(file)}
          inputProps={{
            'aria-label': t('traits.read'),
            // Otherwise the same file could not be chosen again.
            onClick: (event) => {
              event.currentTarget.value = '';
            },
          }}
        >
          {(props) => (
            <Button size="xs" variant="default" loading={read.isPending} {...props}>
              {t('traits.read')}
            </Button>
          )}
        </FileButton>
        <Button size="xs" variant="default" loading={write.isPending} onClick={() => write.mutate()}>
          {t('traits.write')}
        </Button>
      </div>
      {error && <ErrorNotice error={error} />}
      {data && (
        <>
          <MultiSelect
            label={t('traits.ofFile', {
              count: data.traits.length,
              n: formatCount(data.traits.length),
              format: data.format,
            })}
            placeholder={names.length === 0 ? t('traits.ofFilePlaceholder') : ''}
            searchable
            limit={100}
            maxDropdownHeight={240}
            data={data.traits.map(({ name }) => name)}
            value={names}
            onChange={setNames}
          />
          {data.left_out.length > 0 && (
            <Notice>
              {t('traits.leftOut', {
                what: data.left_out
                  .slice(0, 5)
                  .map(({ name, reason }) => `${name} (${reason})`)
                  .join('; '),
                more: data.left_out.length > 5 ? ` +${formatCount(data.left_out.length - 5)}` : '',
              })}
            </Notice>
          )}
          <Button
            size="xs"
            disabled={names.length === 0}
            onClick={() => {
              const chosen = new Set(names);
              onTake(data.traits.filter(({ name }) => chosen.has(name)));
              read.reset();
            }}
          >
            {t('traits.take', { count: names.length })}
          </Button>
        </>
      )}
    </div>
  );
}
