import type { FileDetail } from '@heterosis/contracts/data/files';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../../components/page/error-notice.tsx';
import { Section } from '../../../../components/page/section.tsx';
import classes from '../check/numeric-coding-choice.module.css';
import { useFileMutations } from '../files.api.ts';
import { type Reading, ReadingFields, readingOf } from './reading-fields.tsx';

/** Reads a genotype again with another ploidy, only the plants of one, or from another field. */
export function ReadingChoice(props: { projectId: string; file: FileDetail; onClose: () => void }) {
  const { projectId, file, onClose } = props;
  const { t } = useTranslation();
  const { check } = useFileMutations(projectId);
  const [reading, setReading] = useState<Reading>(readingOf(file));
  return (
    <Section title={t('files.reading.title')} note={t('files.reading.note')}>
      <ReadingFields value={reading} format={file.format} onChange={setReading} />
      <div className={classes.buttons}>
        <Button
          size="xs"
          loading={check.isPending}
          onClick={() => check.mutate({ id: file.id, ...reading }, { onSuccess: onClose })}
        >
          {t('files.report.checkWith')}
        </Button>
        <Button size="xs" variant="default" onClick={onClose}>
          {t('action.cancel')}
        </Button>
      </div>
      {check.error && <ErrorNotice error={check.error} />}
    </Section>
  );
}
