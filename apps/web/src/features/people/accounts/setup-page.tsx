import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, type NavigateOptions, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { SkeletonLines } from '../../../components/page/loading.tsx';
import { Page } from '../../../components/page/page.tsx';
import { Section } from '../../../components/page/section.tsx';
import { type TabItem, TabStrip } from '../../../components/page/tab-strip.tsx';
import { session, useSession } from '../../../lib/session/browser-session.ts';
import { InvitationTables, invitationsQuery } from '../invitations/index.ts';
import { NewOrganizationOffers, organizationsQuery } from '../organizations/index.ts';
import { NameForm } from './name-form.tsx';

/** The frame of the page, with who is signed in and the way out for those who came with another address. */
function SetupFrame({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const state = useSession();
  return (
    <Page title={t('setup.title')} width="form">
      {state.status === 'signed-in' && (
        <p className="hx-muted">
          {t('word.youAreSignedInAs', { email: state.user.email })}{' '}
          <Button size="compact-sm" variant="subtle" onClick={() => void session.signOut()}>
            {t('word.signOut')}
          </Button>
        </p>
      )}
      {children}
    </Page>
  );
}

/** The first minutes of a new user: the name, then an organization to create or join. */
export function SetupPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const state = useSession();
  const { data: organizations, error, refetch } = useQuery(organizationsQuery());
  const { data: invitations } = useQuery(invitationsQuery());
  const hasName = state.status === 'signed-in' && state.user.displayName !== null;

  if (!hasName) {
    return (
      <SetupFrame>
        <Section title={t('setup.nameTitle')} note={t('setup.step', { step: 1, steps: 2 })}>
          <NameForm submitLabel={t('word.continue')} onSaved={() => undefined} />
        </Section>
      </SetupFrame>
    );
  }
  if (error) {
    return (
      <SetupFrame>
        <ErrorNotice error={error} onRetry={() => void refetch()} />
      </SetupFrame>
    );
  }
  const first = organizations?.[0];
  const tabs: TabItem[] = [
    {
      id: 'new',
      label: t('organization.newTab'),
      content: <NewOrganizationOffers />,
    },
    {
      id: 'invitations',
      label: t('word.invitations'),
      content: <InvitationTables onJoined={(link) => void navigate({ ...link, replace: true } as NavigateOptions)} />,
    },
  ];
  return (
    <SetupFrame>
      {!(organizations && invitations) && <SkeletonLines />}
      {first && (
        <p>
          {t('setup.done', { name: first.name })}{' '}
          <Link to="/projects" className="hx-link">
            {t('setup.toProjects')}
          </Link>
        </p>
      )}
      {organizations && invitations && !first && (
        <Section title={t('setup.organizationTitle')} note={t('setup.step', { step: 2, steps: 2 })}>
          <TabStrip
            label={t('setup.organizationTitle')}
            // Who was invited most likely wants to join.
            tabs={invitations.length > 0 ? tabs.toReversed() : tabs}
          />
        </Section>
      )}
    </SetupFrame>
  );
}
