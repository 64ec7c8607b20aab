import { Button, CopyButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import formClasses from '../../../../components/form/form.module.css';
import { Notice } from '../../../../components/page/notice.tsx';
import { downloadText } from '../../../../lib/browser/download.ts';
import classes from './recovery-codes.module.css';

/** The codes for a lost device. The server tells them once. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const { t } = useTranslation();
  const text = `${codes.join('\n')}\n`;
  return (
    <div className={formClasses.form}>
      <Notice kind="warning">{t('secondFactor.codesText')}</Notice>
      <ul className={`${classes.codes} hx-mono`} aria-label={t('secondFactor.codesTitle')}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={classes.buttons}>
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? t('word.copied') : t('token.copy')}
            </Button>
          )}
        </CopyButton>
        <Button variant="default" onClick={() => downloadText('heterosis-recovery-codes.txt', text, 'text/plain')}>
          {t('word.download')}
        </Button>
        <Button onClick={onDone} data-autofocus>
          {t('secondFactor.kept')}
        </Button>
      </div>
    </div>
  );
}
