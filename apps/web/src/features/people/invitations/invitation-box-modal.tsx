import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../components/dialog/modal-frame.tsx';
import { TabStrip } from '../../../components/page/tab-strip.tsx';
import type { ModalProps } from '../../../lib/browser/modal.ts';
import { InvitationList } from './invitation-list.tsx';
import { invitationsQuery } from './invitations.api.ts';

export function InvitationBoxModal({ close }: ModalProps) {
  const { t } = useTranslation();
  const { data: invitations } = useQuery(invitationsQuery());
  const [chosen, setChosen] = useState<string>();
  const emptyText = t('invitation.noneReceived');
  const countOf = (kind: 'project' | 'organization') => invitations?.filter((one) => one[kind] !== null).length ?? 0;
  const labelOf = (kind: 'project' | 'organization') =>
    t(`invitation.${kind}s`) + (countOf(kind) > 0 ? ` (${countOf(kind)})` : '');
  // The first tab with something in it, until one is chosen.
  const waiting = countOf('project') === 0 && countOf('organization') > 0 ? 'organizations' : 'projects';
  return (
    <ModalFrame title={t('word.invitations')} help="organizations#people" onClose={close}>
      <TabStrip
        label={t('word.invitations')}
        value={chosen ?? waiting}
        onChange={setChosen}
        tabs={[
          {
            id: 'projects',
            label: labelOf('project'),
            content: <InvitationList kind="project" emptyText={emptyText} declineLabel={t('invitation.decline')} />,
          },
          {
            id: 'organizations',
            label: labelOf('organization'),
            content: (
              <InvitationList kind="organization" emptyText={emptyText} declineLabel={t('invitation.decline')} />
            ),
          },
        ]}
      />
    </ModalFrame>
  );
}
