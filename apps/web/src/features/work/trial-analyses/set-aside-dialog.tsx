import { Button, Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../components/dialog/modal-frame.tsx';

const LONGEST_REASON = 500;

/** Asks why values do not count: nothing is set aside without a reason. */
export function SetAsideDialog(props: { count: number; onConfirm: (reason: string) => void; onClose: () => void }) {
  const { t } = useTranslation();
  const [reason, setReason] = useState('');
  const title = t('trial_analyses.setAsideThese', { count: props.count });
  return (
    <ModalFrame title={title} onClose={props.onClose} size="28rem">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (reason.trim() !== '') props.onConfirm(reason.trim());
        }}
      >
        <TextInput
          label={t('trial_analyses.reason')}
          description={t('trial_analyses.reasonNote')}
          placeholder={t('trial_analyses.reasonExample')}
          maxLength={LONGEST_REASON}
          data-autofocus
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={props.onClose}>
            {t('action.cancel')}
          </Button>
          <Button type="submit" disabled={reason.trim() === ''}>
            {t('trial_analyses.setAsideAction')}
          </Button>
        </Group>
      </form>
    </ModalFrame>
  );
}
