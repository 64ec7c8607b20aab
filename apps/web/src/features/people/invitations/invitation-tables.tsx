import { useTranslation } from 'react-i18next';
import { Section } from '../../../components/page/section.tsx';
import { InvitationList, type JoinedLink } from './invitation-list.tsx';

/** Both kinds of received invitations under each other, where one creates or joins an organization. */
export function InvitationTables({ onJoined }: { onJoined?: (link: JoinedLink) => void }) {
  const { t } = useTranslation();
  return (
    <>
      {(['organization', 'project'] as const).map((kind) => (
        <Section key={kind} title={t(`invitation.${kind}s`)}>
          <InvitationList
            kind={kind}
            emptyText={t('invitation.noneFound')}
            declineLabel={t('invitation.denial')}
            {...(onJoined === undefined ? {} : { onJoined })}
          />
        </Section>
      ))}
    </>
  );
}
