import { logosApi } from '@heterosis/contracts/endpoints/people/organizations';
import { LOGO_TYPES, type OrganizationDetail } from '@heterosis/contracts/people/organizations';
import { Button, FileButton } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { Section } from '../../../components/page/section.tsx';
import { call } from '../../../lib/api/api-client.ts';
import { keys } from '../../../lib/api/query-keys.ts';
import { logoPicture } from './logo-picture.ts';
import classes from './logo-section.module.css';

/** The logo that reports bear, for those who may change it. */
export function LogoSection({ organization }: { organization: OrganizationDetail }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [isUnreadable, setUnreadable] = useState(false);
  const place = { organization_id: organization.id };
  const change = useMutation({
    mutationFn: (logo: Blob | undefined) =>
      logo === undefined ? call(logosApi.removeLogo, place) : call(logosApi.changeLogo, { ...place, body: logo }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.organizations }),
  });
  const choose = async (file: File | null): Promise<void> => {
    if (file === null) return;
    setUnreadable(false);
    const logo = await logoPicture(file).catch(() => undefined);
    if (logo === undefined) setUnreadable(true);
    else change.mutate(logo);
  };
  const { logo_url: url } = organization;
  return (
    <Section title={t('organization.logo')} note={t('organization.logoNote')}>
      <div className={classes.logo}>
        <div className={classes.picture}>
          {url === null ? <span>{t('organization.noLogo')}</span> : <img src={url} alt={t('organization.logo')} />}
        </div>
        <div className={classes.buttons}>
          <FileButton accept={LOGO_TYPES.join()} onChange={(file) => void choose(file)}>
            {(props) => (
              <Button {...props} variant="default" loading={change.isPending}>
                {t(url === null ? 'organization.addLogo' : 'organization.changeLogo')}
              </Button>
            )}
          </FileButton>
          {url !== null && (
            <Button variant="subtle" disabled={change.isPending} onClick={() => change.mutate(undefined)}>
              {t('organization.removeLogo')}
            </Button>
          )}
        </div>
      </div>
      {isUnreadable && <Notice kind="warning">{t('organization.logoUnreadable')}</Notice>}
      {change.error && <ErrorNotice error={change.error} />}
    </Section>
  );
}
