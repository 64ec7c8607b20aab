import type { NumericCoding } from '@heterosis/contracts/data/file-formats';
import type { FileDetail } from '@heterosis/contracts/data/files';
import { Button, Radio } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../../components/page/error-notice.tsx';
import { Section } from '../../../../components/page/section.tsx';
import { useFileMutations } from '../files.api.ts';
import classes from './numeric-coding-choice.module.css';

/** A numeric matrix does not say what its numbers mean: confirm how they were read, or choose another way. */
export function NumericCodingChoice(props: { projectId: string; file: FileDetail; mayWrite: boolean }) {
  const { projectId, file, mayWrite } = props;
  const { t } = useTranslation();
  const { check } = useFileMutations(projectId);
  const found = file.numeric_coding;
  const [chosen, setChosen] = useState<NumericCoding>();
  const [isChanging, setChanging] = useState(false);
  const isBusy = file.status === 'UPLOADED' || file.status === 'CHECKING';
  if (found === null || isBusy || found.fits.length === 0) return null;
  const value = chosen ?? found.coding ?? undefined;
  const isAsking = mayWrite && (!found.confirmed || isChanging || check.isPending);
  const submit = (): void => {
    if (value === undefined) return;
    // The confirmed file may be shown before the request has its answer, and "Change" be pressed by then.
    setChanging(false);
    check.mutate({ id: file.id, numeric_coding: value }, { onError: () => setChanging(true) });
  };
  return (
    <Section
      title={t('files.coding.title')}
      note={isAsking ? t(found.fits.length === 1 ? 'files.coding.askOne' : 'files.coding.askMany') : undefined}
    >
      {isAsking ? (
        <>
          <Radio.Group
            aria-label={t('files.coding.title')}
            value={value ?? null}
            onChange={(next) => setChosen(found.fits.find((one) => one === next))}
          >
            {found.fits.map((one) => (
              <Radio
                key={one}
                className={classes.choice ?? ''}
                value={one}
                label={t(`files.coding.${one}`)}
                description={one === found.coding ? t('files.coding.found') : undefined}
              />
            ))}
          </Radio.Group>
          <div className={classes.buttons}>
            <Button size="xs" loading={check.isPending} disabled={value === undefined} onClick={submit}>
              {value === found.coding ? t('files.coding.confirm') : t('files.coding.readAgain')}
            </Button>
            {isChanging && (
              <Button size="xs" variant="default" onClick={() => setChanging(false)}>
                {t('action.cancel')}
              </Button>
            )}
          </div>
        </>
      ) : (
        <p className={classes.confirmed}>
          {found.coding && t(`files.coding.${found.coding}`)} {found.confirmed && t('files.coding.confirmed')}
          {mayWrite && found.fits.length > 1 && (
            <Button size="compact-xs" variant="default" onClick={() => setChanging(true)}>
              {t('files.coding.change')}
            </Button>
          )}
        </p>
      )}
      {check.error && <ErrorNotice error={check.error} />}
    </Section>
  );
}
