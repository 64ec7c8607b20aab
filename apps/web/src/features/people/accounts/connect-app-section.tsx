import { Button, CopyButton, SegmentedControl, TextInput } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { HelpLink } from '../../../components/page/help-link.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { Section } from '../../../components/page/section.tsx';
import classes from './connect-app-section.module.css';

const QrCode = lazy(async () => ({ default: (await import('./second-factor/qr-code.tsx')).QrCode }));

const APPS = [
  { value: 'fieldbook', label: 'Field Book' },
  { value: 'intercross', label: 'Intercross' },
];

/** What the apps of PhenoApps read when they scan a BrAPI account. */
const accountOf = (origin: string, clientId: string): string =>
  JSON.stringify({
    url: origin,
    name: 'Heterosis',
    v: 'V2',
    flow: 'code',
    oidc: `${origin}/.well-known/openid-configuration`,
    clientId,
  });

const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(host);

/** How other programs reach this server. */
export function ConnectAppSection() {
  const { t } = useTranslation();
  const [app, setApp] = useState('fieldbook');
  const { origin, hostname } = window.location;
  const appName = APPS.find(({ value }) => value === app)?.label;
  return (
    <Section
      title={t('connect.title')}
      note={t('connect.note')}
      action={<HelpLink topic="brapi">{t('connect.help')}</HelpLink>}
    >
      <div className={classes.connect}>
        <div className={classes.code}>
          <Suspense>
            <QrCode text={accountOf(origin, app)} label={t('connect.code')} />
          </Suspense>
        </div>
        <div className={classes.text}>
          <SegmentedControl aria-label={t('connect.app')} data={APPS} value={app} onChange={setApp} w="fit-content" />
          <p>{t('connect.scan', { app: appName })}</p>
          {isLoopback(hostname) && <Notice kind="warning">{t('connect.localhost', { host: hostname })}</Notice>}
          <TextInput
            label={t('word.addressOfTheServer')}
            value={origin}
            readOnly
            classNames={{ input: 'hx-mono' }}
            onFocus={(event) => event.currentTarget.select()}
            rightSectionWidth={80}
            rightSection={
              <CopyButton value={origin}>
                {({ copied, copy }) => (
                  <Button size="compact-xs" variant="default" onClick={copy}>
                    {copied ? t('word.copied') : t('token.copy')}
                  </Button>
                )}
              </CopyButton>
            }
          />
        </div>
      </div>
    </Section>
  );
}
