import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { HelpLink } from '../../../components/page/help-link.tsx';
import { Section } from '../../../components/page/section.tsx';
import { CreateAccessTokenDialog } from './create-access-token-dialog.tsx';

/** An assistant reaches this server with an access token of its own, which may only read unless one allows more. */
export function ConnectAssistantSection() {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <Section
      title={t('assistant.title')}
      note={t('assistant.note')}
      action={
        <Button size="xs" onClick={() => setOpen(true)}>
          {t('assistant.title')}
        </Button>
      }
    >
      <p>
        {t('assistant.text')} <HelpLink topic="assistants">{t('assistant.help')}</HelpLink>
      </p>
      {isOpen && <CreateAccessTokenDialog assistant onClose={() => setOpen(false)} />}
    </Section>
  );
}
