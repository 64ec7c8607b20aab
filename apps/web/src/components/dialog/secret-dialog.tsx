import { Button, CopyButton, Textarea, TextInput } from '@mantine/core';
import type { FocusEvent } from 'react';
import { useTranslation } from 'react-i18next';
import formClasses from '../form/form.module.css';
import { Notice } from '../page/notice.tsx';
import { ModalFrame } from './modal-frame.tsx';
import classes from './secret-dialog.module.css';

interface SecretDialogProps {
  title: string;
  /** Where the help says how the secret is used. */
  help?: string;
  /** That it cannot be seen again. */
  warning: string;
  label: string;
  secret: string;
  /** It is a text of several lines. */
  isLong?: boolean;
  onClose: () => void;
}

/** Shows a secret that the server has just made and does not tell again, to be copied. */
export function SecretDialog({ title, help, warning, label, secret, isLong = false, onClose }: SecretDialogProps) {
  const { t } = useTranslation();
  const field = {
    label,
    value: secret,
    readOnly: true,
    classNames: { input: 'hx-mono' },
    onFocus: (event: FocusEvent<HTMLInputElement | HTMLTextAreaElement>) => event.currentTarget.select(),
    'data-autofocus': true,
  };
  return (
    <ModalFrame title={title} help={help} onClose={onClose}>
      <div className={formClasses.form}>
        <Notice kind="warning">{warning}</Notice>
        {isLong ? <Textarea autosize {...field} /> : <TextInput {...field} />}
        <div className={classes.buttons}>
          <CopyButton value={secret}>
            {({ copied, copy }) => (
              <Button variant="default" onClick={copy}>
                {copied ? t('word.copied') : t('token.copy')}
              </Button>
            )}
          </CopyButton>
          <Button onClick={onClose}>{t('token.done')}</Button>
        </div>
      </div>
    </ModalFrame>
  );
}
