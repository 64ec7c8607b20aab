import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../../../components/dialog/confirm-dialog.tsx';
import { ModalFrame } from '../../../../components/dialog/modal-frame.tsx';
import { ErrorNotice } from '../../../../components/page/error-notice.tsx';
import { HelpLink } from '../../../../components/page/help-link.tsx';
import { SkeletonLines } from '../../../../components/page/loading.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import { Section } from '../../../../components/page/section.tsx';
import { RelativeTime } from '../../../../components/table/relative-time.tsx';
import { keys } from '../../../../lib/api/query-keys.ts';
import classes from '../profile-section.module.css';
import { RecoveryCodes } from './recovery-codes.tsx';
import { renewRecoveryCodes, secondFactorQuery, useRemoveSecondFactor } from './second-factor.api.ts';
import { SecondFactorDialog } from './second-factor-dialog.tsx';

/** Below this it is time for new ones. */
const FEW_CODES = 3;

type Open = 'set-up' | 'remove' | 'renew' | { codes: string[] };

/** The second factor of the person: setting it up, new recovery codes, taking it away. */
export function SecondFactorSection() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { data: factor, error, refetch } = useQuery(secondFactorQuery());
  const remove = useRemoveSecondFactor();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  return (
    <Section
      title={t('secondFactor.title')}
      note={t('secondFactor.note')}
      action={<HelpLink topic="account#second-factor">{t('help.title')}</HelpLink>}
    >
      {error && !factor && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!factor && !error && <SkeletonLines lines={2} />}
      {factor?.since === null && (
        <>
          {factor.demanded_by.length > 0 && (
            <Notice kind="warning">{t('secondFactor.demanded', { names: factor.demanded_by.join(', ') })}</Notice>
          )}
          <div className={classes.buttons}>
            <Button size="xs" onClick={() => setOpen('set-up')}>
              {t('secondFactor.setUp')}
            </Button>
          </div>
        </>
      )}
      {factor && factor.since !== null && (
        <>
          <p style={{ marginTop: 0 }}>
            {t('secondFactor.on')} <RelativeTime date={factor.since} />.{' '}
            {t('secondFactor.codesLeft', { count: factor.recovery_codes })}
          </p>
          {factor.recovery_codes < FEW_CODES && <Notice kind="warning">{t('secondFactor.fewCodes')}</Notice>}
          <div className={classes.buttons}>
            <Button size="xs" variant="default" onClick={() => setOpen('renew')}>
              {t('secondFactor.renew')}
            </Button>
            <Button size="xs" variant="default" c="red" onClick={() => setOpen('remove')}>
              {t('secondFactor.remove')}
            </Button>
          </div>
        </>
      )}
      {open === 'set-up' && <SecondFactorDialog onClose={close} />}
      {open === 'remove' && (
        <ConfirmDialog
          title={t('secondFactor.removeTitle')}
          confirmLabel={t('secondFactor.remove')}
          onConfirm={remove.mutateAsync}
          onClose={close}
        >
          {t('secondFactor.removeText')}{' '}
          {factor &&
            factor.demanded_by.length > 0 &&
            t('secondFactor.removeDemanded', { names: factor.demanded_by.join(', ') })}
        </ConfirmDialog>
      )}
      {open === 'renew' && (
        <ConfirmDialog
          title={t('secondFactor.renewTitle')}
          confirmLabel={t('secondFactor.renew')}
          isHarmless
          onConfirm={async () => {
            const { recovery_codes } = await renewRecoveryCodes();
            void client.invalidateQueries({ queryKey: keys.me });
            setOpen({ codes: recovery_codes });
          }}
          onClose={(isDone) => !isDone && close()}
        >
          {t('secondFactor.renewText')}
        </ConfirmDialog>
      )}
      {typeof open === 'object' && (
        <ModalFrame title={t('secondFactor.codesTitle')} onClose={close}>
          <RecoveryCodes codes={open.codes} onDone={close} />
        </ModalFrame>
      )}
    </Section>
  );
}
