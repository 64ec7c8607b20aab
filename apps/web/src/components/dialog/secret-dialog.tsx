import { Button, CopyButton, TextInput } from '@mantine/core';
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
  onClose: () => void;
}

/** Shows a secret that the server has just made and does not tell again, to be copied. */
export function SecretDialog({ title, help, warning, label, secret, onClose }: SecretDialogProps) {
  const { t } = useTranslation();
  return (
    <ModalFrame title={title} help={help} onClose={onClose}>
      <div className={formClasses.form}>
        <Notice kind="warning">{warning}</Notice>
        <TextInput
          label={label}
          value={secret}
          readOnly
          className="hx-mono"
          onFocus={(event) => event.currentTarget.select()}
          data-autofocus
        />
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
